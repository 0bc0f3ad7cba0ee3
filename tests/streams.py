"""Streams, watched: an answer told in pieces, all that was shown of it, and what it ended as."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import pairwise
from random import Random

from markdown_it.utils import read_fixture_file

from citations import (
    Answer,
    AnswerEvent,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    TextDelta,
    channel,
    cite,
    render,
)

from .commonmark import MARKDOWN, TABLES, texts
from .marker_corpus import CORPUS, NAMED, NUMBERED
from .ordinary_answers import ordinary_answers

EXAMPLES_CITE = tuple(
    Reference(id=id_, name=f"Source {id_}", url=f"https://example.com/{number}")
    for number, id_ in enumerate(("7", "1", "/url", "/uri", "/my uri"))
)
"""The first by number, the others are what the links of CommonMark's examples go to."""
STREAMED = ("webchat", "msteams")


@dataclass(frozen=True, slots=True)
class Watched:
    """What was told of an answer to a channel, and what that showed."""

    channel_id: str
    events: tuple[AnswerEvent, ...]
    interims: tuple[Rendering, ...]
    final: Rendering

    def __str__(self) -> str:
        """For the message of a failure."""
        told = "|".join(
            event.text if isinstance(event, TextDelta) else f"«{type(event).__name__}»"
            for event in self.events
        )
        shown = [f"  {len(interim.text):5} …{interim.text[-100:]!r}" for interim in self.interims]
        return "\n".join(
            (f"on {self.channel_id}, told {told!r}", *shown, f"  final …{self.final.text[-400:]!r}")
        )


def watch(channel_id: str, events: Iterable[AnswerEvent], answer: Answer) -> Watched:
    """Tell ``events``, and look after each."""
    stream = RenderingStream(channel(channel_id), dialect=answer.dialect)
    told = tuple(events)
    interims = []
    for event in told:
        stream.feed(event)
        if interim := stream.interim():
            interims.append(interim)
    return Watched(channel_id, told, tuple(interims), stream.close())


def unwatched(channel_id: str, answer: Answer, before: int) -> Rendering:
    """What comes of ``answer`` where its references come behind ``before`` characters, and nobody looks."""
    stream = RenderingStream(channel(channel_id), dialect=answer.dialect)
    if before:
        stream.feed(TextDelta(answer.text[:before]))
    stream.feed(ReferencesFound(answer.references))
    stream.feed(TextDelta(answer.text[before:]))
    return stream.close()


def finished(channel_id: str, answer: Answer) -> Rendering:
    """What comes of ``answer`` where it comes at once."""
    return render(cite(answer), channel(channel_id))


def pieces(text: str, cuts: Iterable[int]) -> list[str]:
    """``text``, cut at those places."""
    return [text[start:end] for start, end in pairwise((0, *sorted(cuts), len(text)))]


def small_pieces(text: str, chance: Random) -> list[str]:
    """``text`` in pieces of 1–4 characters, as models write."""
    found, start = [], 0
    while start < len(text):
        end = start + chance.randint(1, 4)
        found.append(text[start:end])
        start = end
    return found


def events(answer: Answer, told: Sequence[str], before: int = 0) -> list[AnswerEvent]:
    """The pieces ``told`` of an answer, with its references in front of that one."""
    deltas: list[AnswerEvent] = [TextDelta(piece) for piece in told]
    return [*deltas[:before], ReferencesFound(answer.references), *deltas[before:]]


@cache
def short_answers() -> tuple[Answer, ...]:
    """The examples of CommonMark, some tables, and the corpus of markers."""
    marked = [
        Answer(text=given.rstrip("\n"), references=NAMED if path.stem == "named" else NUMBERED)
        for path in sorted(CORPUS.glob("*.md"))
        for _, _, given, _ in read_fixture_file(path)
    ]
    examples = [Answer(text=text, references=EXAMPLES_CITE) for text in (*texts(), *TABLES)]
    return (*examples, *marked)


@cache
def marked_answers() -> tuple[Answer, ...]:
    """The short answers, each with a marker at some place; a different place would do as well."""
    chance = Random(7)
    found = []
    for answer in short_answers():
        place, number = chance.randint(0, len(answer.text)), answer.references[0].id
        marker = f"[{number}]" if number.isdigit() else f"[some name]({number})"
        text = answer.text[:place] + marker + answer.text[place:]
        found.append(Answer(text=text, references=answer.references))
    return tuple(found)


def long_answers() -> tuple[Answer, ...]:
    """The ordinary ones."""
    return tuple(ordinary_answers().values())


def badges(text: str) -> set[str]:
    """The numbers in brackets that a text shows."""
    return set(re.findall(r"\[([0-9]+)\]", text))


def read_aloud(rendering: Rendering, channel_id: str) -> str:
    """The letters and digits that a reader sees, with each badge as one character."""
    html = re.sub(r'<a href="[^"]*"[^>]*>([0-9]+)</a>', _badge, MARKDOWN.render(rendering.text))
    if channel_id == "msteams":
        parts = re.split(r"(<code.*?</code>)", html, flags=re.DOTALL)
        parts[::2] = [re.sub(r"\[([0-9]+)\]", _badge, part) for part in parts[::2]]
        html = "".join(parts)
    return re.sub(r"[^\w\ue000-\uf8ff]|_", "", unescape(re.sub(r"<[^>]*>", "", html)))


def _badge(match: re.Match[str]) -> str:
    return chr(0xE000 + int(match[1]))
