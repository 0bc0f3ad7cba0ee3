"""``render``: an answer as an activity, answers on lines, or one answer as it comes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from ..channels import channel
from ..markers.positions import cite
from ..markers.source_list import list_uncited
from ..model.errors import Problem
from ..readers import READERS, STREAM_READERS, json_text
from ..renderer.whole import render
from .channel_note import say_unknown
from .console import CLEAN, complain, each_line, read, say, show
from .labels import LabelsUnreadableError, read_ranking
from .stream import in_messages, print_stream

WHO: Final = {"writer": "Writer", "llamaindex": "The engine", "open-webui": "Open WebUI"}
"""The suppliers of whose answers the sources are listed where they cite none."""


def run(arguments: argparse.Namespace) -> int:
    """Print one answer, one on each line, or one that is still being written."""
    try:
        ranking = None if arguments.labels is None else read_ranking(arguments.labels)
    except LabelsUnreadableError as error:
        return complain(*error.faults)
    # "text" with a card in the last message of a stream is answered with 500 (Teams).
    shape = channel(arguments.channel, cards=arguments.cards and not arguments.stream)
    if arguments.stream or arguments.lines:
        say_unknown(arguments.channel)
    if arguments.stream:
        answer = STREAM_READERS[arguments.supplier]()
        return print_stream(arguments.file, answer, shape, ranking, WHO.get(arguments.supplier))
    reader = READERS[arguments.supplier]

    def activity(data: object) -> tuple[object, tuple[Problem, ...]]:
        answer = reader(data)
        if who := WHO.get(arguments.supplier):
            answer = list_uncited(answer, who)
        rendering = render(cite(answer), shape, ranking=ranking)
        return in_messages(rendering), rendering.problems

    if not arguments.lines:
        return _render_one(arguments.file, arguments.channel, activity)
    return each_line(arguments.file, lambda data, line: _render_line(activity, data, line))


_Rendered = Callable[[object], tuple[object, tuple[Problem, ...]]]


def _render_one(file: str, channel_id: str, activity: _Rendered) -> int:
    printed, problems = activity(json_text.loads(read(file)))
    # Of what can't be read there is one line on stderr.
    say_unknown(channel_id)
    for problem in problems:
        say(str(problem))
    show(printed)
    return CLEAN


def _render_line(activity: _Rendered, data: object, line: int) -> tuple[dict[str, object], int]:
    printed, problems = activity(data)
    for problem in problems:
        say(f"line {line}: {problem}")
    return {"activity": printed}, CLEAN
