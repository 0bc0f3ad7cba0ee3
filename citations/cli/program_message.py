"""``render --to``: prints an answer for a program that takes no activity."""

from __future__ import annotations

import argparse

from ..integrations.program_messages import A2A, write_a2a_message, write_ui_message
from ..labels.ranking import LabelRanking
from ..markers.citation_stream import cite
from ..markers.source_list import list_uncited
from ..model.answer import answer_of
from ..readers import ProviderFormat, json_text
from .console import CLEAN, complain, read, read_chunks, say, show, write
from .printed_activity import problems_of


def print_message(arguments: argparse.Namespace, sent: ProviderFormat, ranking: LabelRanking | None) -> int:
    """Print the answer; one that is still written, once it is whole."""
    if arguments.lines:
        return complain(f"--to {arguments.to} writes one answer, not one for each line")
    if arguments.stream:
        stream = sent.stream()
        items = [item for received in read_chunks(arguments.file) for item in stream.feed(received)]
        answer = answer_of(event for item in (*items, *stream.close()) for event in item)
    else:
        answer = sent.read(json_text.loads(read(arguments.file)))
    cited = cite(list_uncited(answer, sent.title, searched=sent.searches) if sent.title else answer)
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
