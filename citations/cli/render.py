"""``render``: prints an answer as an activity, one answer per line, or one answer as it arrives."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..channels import channel
from ..integrations.other_messages import A2A, write_a2a_message, write_ui_message
from ..labels.ranking import LabelRanking
from ..markers.citation_stream import cite
from ..markers.source_list import list_uncited
from ..model.answer import answer_of
from ..model.errors import Problem
from ..readers import ProviderFormat, json_text
from ..renderer.whole import render
from .channel_note import say_unknown
from .console import CLEAN, complain, each_line, read, read_chunks, say, show, write
from .provider import choose_format
from .ranking_file import read_ranking
from .stream import in_messages, print_stream, problems_of


def run(arguments: argparse.Namespace) -> int:
    """Print one answer, one per line, or one that is still being written."""
    ranking = None if arguments.labels is None else read_ranking(arguments.labels)
    # Teams answers 500 if the last message of a stream has a card.
    shape = channel(arguments.channel, cards=arguments.cards and not arguments.stream)
    if arguments.stream or arguments.lines:
        say_unknown(arguments.channel)
    sent = choose_format(arguments)
    if arguments.to:
        return _render_other(arguments, sent, ranking)
    if arguments.stream:
        return print_stream(arguments.file, sent.stream(), shape, ranking, sent.title)

    def activity(data: object) -> tuple[object, tuple[Problem, ...]]:
        answer = sent.read(data)
        if sent.title:
            answer = list_uncited(answer, sent.title)
        cited = cite(answer)
        rendering = render(cited, shape, ranking=ranking)
        return in_messages(rendering), problems_of(rendering, cited)

    if not arguments.lines:
        return _render_one(arguments.file, arguments.channel, activity)
    return each_line(arguments.file, lambda data, line: _render_line(activity, data, line))


def _render_other(arguments: argparse.Namespace, sent: ProviderFormat, ranking: LabelRanking | None) -> int:
    """Print an answer for a program that takes no activity; one that is still written, once it is whole."""
    if arguments.lines:
        return complain(f"--to {arguments.to} writes one answer, not one for each line")
    if arguments.stream:
        stream = sent.stream()
        items = [item for received in read_chunks(arguments.file) for item in stream.feed(received)]
        answer = answer_of(event for item in (*items, *stream.close()) for event in item)
    else:
        answer = sent.read(json_text.loads(read(arguments.file)))
    cited = cite(list_uncited(answer, sent.title) if sent.title else answer)
    if arguments.to == A2A:
        rendering, message = write_a2a_message(cited, ranking=ranking)
        show(message)
    else:
        rendering, chunks = write_ui_message(cited, ranking=ranking)
        for event in (*map(json_text.dumps, chunks), "[DONE]"):
            write(f"data: {event}\n")
    for problem in problems_of(rendering, cited):
        say(str(problem))
    return CLEAN


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
