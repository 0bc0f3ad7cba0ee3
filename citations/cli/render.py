"""``render``: prints an answer as an activity, one answer per line, or one answer as it arrives."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Literal

from ..channels import channel
from ..markers.citation_stream import cite
from ..markers.source_list import list_uncited
from ..model.errors import Problem
from ..readers import json_text
from ..renderer.renderings import render
from .console import CLEAN, each_line, read, say, show
from .inputs import choose_format, read_ranking
from .printed_activity import in_messages, problems_of, say_unknown


def run(arguments: argparse.Namespace) -> int:
    """Print one answer, one per line, or one that is still being written."""
    ranking = None if arguments.labels is None else read_ranking(arguments.labels)
    # Teams answers 500 if the last message of a stream has a card.
    cards: bool | Literal["all"] = "all" if arguments.cards == "all" else bool(arguments.cards)
    shape = channel(
        arguments.channel, cards=cards if not arguments.stream else False, extended=arguments.extended
    )
    if arguments.stream or arguments.lines:
        say_unknown(arguments.channel)
    sent = choose_format(arguments)
    if arguments.stream:
        from .printed_stream import print_stream  # noqa: PLC0415 - a whole answer is no stream

        return print_stream(arguments.file, sent, shape, ranking)

    def activity(data: object) -> tuple[object, tuple[Problem, ...]]:
        answer = sent.read(data)
        if sent.title:
            answer = list_uncited(answer, sent.title, searched=sent.searches)
        cited = cite(answer)
        rendering = render(cited, shape, ranking=ranking)
        return in_messages(rendering), problems_of(rendering, cited)

    if not arguments.lines:
        return _render_one(arguments.file, arguments.channel, activity)
    return each_line(arguments.file, lambda data, line: _render_line(activity, data, line))


_Rendered = Callable[[object], tuple[object, tuple[Problem, ...]]]


def _render_one(file: str, channel_id: str, activity: _Rendered) -> int:
    printed, problems = activity(json_text.loads(read(file)))
    # Unreadable input gets no other line on stderr.
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
