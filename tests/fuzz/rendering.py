"""An answer with its references, on every kind of channel, at once and in pieces.

An input is a page: a line for each reference (``id | name | URL | passage | label``), with a line
``dialect …`` before them if need be, an empty line, and the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from zlib import crc32

from citations import Answer, Dialect, Reference, channel, cite, render

from .. import rendering_promises as promises
from ..hostile_answers import ANSWERS
from ..ordinary_answers import CORPUS
from ..strategies import HOSTILE, MARKERS, PLAIN
from ..stream_assertions import assert_any_stream_is_sound
from ..streams import STREAMED, events, pieces, watch
from ..teams_answers import assert_teams_takes_it
from .kept import decode

WORDS = (*PLAIN, *MARKERS, *HOSTILE, "dialect named-link\n", "dialect numbered\n", " | ", " | secret\n")
LONGEST = 600
"""Bytes of an input."""
DEEP = re.compile(r"(?:[>*+-][ \t]*|[0-9]+[.)][ \t]*){28}")
"""Behind what is nested too deeply the reader that judges sees nothing."""
CHANNELS = ("sms", "telegram", "no-such-channel")


ON_WEB_CHAT = [
    promises.assert_text_and_graph_agree_and_nothing_else_is_live,
    promises.assert_positions_are_in_order_of_first_use,
    promises.assert_the_graph_is_clean_json,
]
ELSEWHERE = [
    promises.assert_the_graph_expands_and_loses_nothing,
    promises.assert_blank_node_ids_are_ours,
    promises.assert_our_check_is_clean,
    promises.assert_plain_text_makes_no_link,
    promises.assert_an_email_links_to_its_sources_only,
    promises.assert_speech_has_nothing_to_look_at,
]


def promise(data: bytes) -> None:
    """What the tests say of an answer: that of Web Chat, and two things more, which the input decides."""
    answer = read(data)
    for promised in ON_WEB_CHAT:
        promised(answer)
    # The same input is the same case; the slower, the less often.
    chance = Random(crc32(data))
    elsewhere, slower = chance.choice(ELSEWHERE), chance.randrange(200)
    cuts = [chance.random() for _ in range(chance.randint(0, 3))]
    elsewhere(answer)
    if slower < 70:
        assert_any_stream_is_sound(answer, chance.choice(("webchat", "msteams")), cuts, chance.random())
    elif slower < 110:
        assert_teams_takes_it(answer, cuts)
    elif slower < 150:
        promises.assert_sanitizing_is_idempotent(answer.text)
    elif slower < 197:
        if not DEEP.search(answer.text):
            promises.assert_sources_are_readable(answer, chance.choice(CHANNELS))
    elif slower < 198:
        promises.assert_twice_the_text_is_twice_the_work(answer.text[:20])
    else:
        promises.assert_what_is_cut_agrees(answer, chance.randint(1, 9), cuts)


def walk(data: bytes) -> None:
    """The way of an input through the library, without its judges: on every kind of channel, and in pieces."""
    answer = read(data)
    for channel_id in ("webchat", "msteams", "email", "sms", "directlinespeech"):
        render(cite(answer), channel(channel_id))
    for channel_id in STREAMED:
        watch(channel_id, events(answer, pieces(answer.text, range(0, len(answer.text), 29))), answer)


def read(data: bytes) -> Answer:
    """The answer of a page; any bytes are one."""
    head, _, text = decode(data).partition("\n\n")
    lines = head.split("\n")
    dialect = {f"dialect {one.value}": one for one in Dialect}.get(lines[0])
    rows = [line.split(" | ") for line in lines[dialect is not None :]]
    return Answer(
        text=text, references=tuple(_reference(row) for row in rows[:40] if row[0]), dialect=dialect
    )


def _reference(row: list[str]) -> Reference:
    id_, name, url, text, label, *_ = (*row, "", "", "", "")
    return Reference(id=id_, name=name or None, url=url or None, text=text or None, label=label or None)


def seeds() -> Iterator[bytes]:
    """Ordinary answers, hostile ones, and the references of most tests with one line of each kind."""
    for path in sorted(CORPUS.glob("*.md")):
        yield path.read_bytes()[:LONGEST]
    head = "1 | Good doc | https://good.example/doc | A passage. | public\nid-2 | Report |  | Secret. | secret\n\n"
    for text in ANSWERS.values():
        yield f"{head}{text}".encode("utf-8", "replace")
