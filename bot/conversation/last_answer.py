"""This module remembers the last answer of each conversation, for follow-ups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from typing import Annotated, Final

import msgspec

from citations import Citation, CitedAnswer, Reference

from ..messages import language
from ..state import State
from ..telemetry.conversation_key import ConversationKey

LIFETIME: Final = 12 * 3600.0
"""Seconds that an answer is stored."""
LARGEST: Final = 256 * 1024
"""The most bytes of a stored answer."""

_KIND: Final = "answer"
_MAX_TEXT: Final = 20_000
_MAX_REST: Final = 50_000
_MAX_PASSAGES: Final = (8000, 2000, 500, 0)
"""The lengths, in characters, to which passages are truncated until the record is small enough."""
_MAX_FIELD: Final = 4000
"""The most characters of a reference's name, id and URL, by which its sensitivity label is found."""
_MAX_REFERENCES: Final = 60
_FIELDS: Final = tuple(field.name for field in fields(Reference) if field.name not in ("text", "aliases"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedAnswer:
    """An answer as it was shown, complete or not.

    ``references`` are all that were found for it; ``interrupted`` says that it breaks off. ``rest``
    are those of its messages that were not sent yet. ``passage`` is the citation whose passage is
    being read, and the character at which it goes on.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    references: tuple[Reference, ...] = ()
    interrupted: bool = False
    rest: tuple[str, ...] = ()
    passage: tuple[int, int] | None = None
    language: str = ""
    """The BCP 47 tag of the language in which it was given; empty where another version kept it."""


def remember(text: str, cited: CitedAnswer, *, interrupted: bool) -> RememberedAnswer:
    """What is kept of an answer that was shown as ``text``."""
    return RememberedAnswer(
        text=text,
        citations=cited.citations,
        references=cited.references,
        interrupted=interrupted,
        language=language(),
    )


class AnswerMemory:
    """Keeps the last answer of each conversation in ``state``, for :data:`LIFETIME`."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def remember(self, conversation: ConversationKey, answer: RememberedAnswer) -> None:
        """Keep ``answer`` in the place of the conversation's last one."""
        record = write_record(answer)
        if record is None:
            # A number must not lead to the sources of the answer before.
            await self._state.drop(conversation, _KIND, "")
        else:
            await self._state.put(conversation, _KIND, "", record, lifetime=LIFETIME)

    async def recall(self, conversation: ConversationKey) -> RememberedAnswer | None:
        """The conversation's last answer; None where there was none, or it is too long ago."""
        record = await self._state.get(conversation, _KIND)
        return read_record(record) if record else None


_Place = Annotated[int, msgspec.Meta(ge=0)]


class _Record(msgspec.Struct, frozen=True):
    """A remembered answer as JSON: each source once, and named by its place in ``sources``."""

    text: str
    sources: tuple[Reference, ...] = ()
    citations: tuple[tuple[int, _Place, tuple[_Place, ...]], ...] = ()
    """Position, reference, and the references that were joined into it."""
    references: tuple[_Place, ...] = ()
    interrupted: bool = False
    rest: tuple[str, ...] = ()
    passage: tuple[int, int] | None = None
    language: str = ""


def write_record(answer: RememberedAnswer) -> bytes | None:
    """``answer`` as it is kept, with its passages cut where it is too large; None where nothing helps."""
    for length in _MAX_PASSAGES:
        record = msgspec.json.encode(_record(answer, length))
        if len(record) <= LARGEST:
            return record
    return None


def read_record(record: bytes) -> RememberedAnswer | None:
    """What :func:`write_record` wrote; None where it can't be read, by another version for example."""
    try:
        read = msgspec.json.decode(record, type=_Record)
        return RememberedAnswer(
            text=read.text,
            citations=tuple(
                Citation(position, read.sources[place], tuple(read.sources[part] for part in parts))
                for position, place, parts in read.citations
            ),
            references=tuple(read.sources[place] for place in read.references),
            interrupted=read.interrupted,
            rest=read.rest,
            passage=read.passage,
            language=read.language,
        )
    except (msgspec.MsgspecError, IndexError, UnicodeError):
        return None


def _record(answer: RememberedAnswer, length: int) -> dict[str, object]:
    """What :class:`_Record` reads, with ``length`` characters of each passage."""
    sources = _StoredSources(length)
    placed = (
        (citation.position, [sources.place(one) for one in (citation.reference, *citation.parts)])
        for citation in answer.citations
    )
    citations = [
        (position, first, parts) for position, (first, *parts) in placed if None not in (first, *parts)
    ]
    references = (sources.place(one) for one in answer.references)
    return {
        "text": _clean(answer.text[:_MAX_TEXT]),
        "citations": citations,
        "references": list(islice((place for place in references if place is not None), _MAX_REFERENCES)),
        "sources": sources.kept,
        "interrupted": answer.interrupted,
        "rest": list(_within(answer.rest, _MAX_REST)),
        "passage": answer.passage,
        "language": answer.language,
    }


class _StoredSources:
    """Sources as they are kept: each once, in the order in which they are asked for."""

    def __init__(self, length: int) -> None:
        self.kept: list[dict[str, object]] = []
        self._length = length
        self._places: dict[Reference, int | None] = {}

    def place(self, reference: Reference) -> int | None:
        """Where ``reference`` is in :attr:`kept`; None where it can't be kept."""
        if reference not in self._places:
            fields = _fields(reference, self._length)
            self._places[reference] = len(self.kept) if fields else None
            if fields:
                self.kept.append(fields)
        return self._places[reference]


def _fields(reference: Reference, length: int) -> dict[str, object] | None:
    """What ``reference`` has, with ``length`` characters of its passage.

    None where not all else can be kept: a label is found by it, and by half of it a lower one.
    """
    fields: dict[str, object] = {}
    for name in _FIELDS:
        value = getattr(reference, name)
        if isinstance(value, str):
            if len(value) > _MAX_FIELD:
                return None
            fields[name] = _clean(value)
        elif value is not None and value is not False:
            fields[name] = value
    if sum(map(len, reference.aliases)) > _MAX_FIELD:
        return None
    if reference.aliases:
        fields["aliases"] = [_clean(alias) for alias in reference.aliases]
    text = _clean(reference.text or "")
    cut = text if len(text) <= length else f"{text[: length - 1]}…" if length else ""
    return {**fields, "text": cut} if cut else fields


def _clean(text: str) -> str:
    """``text`` as UTF-8 can have it: a lone surrogate is no character."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _within(texts: tuple[str, ...], room: int) -> Iterator[str]:
    """The first of ``texts``, as far as there is room for whole ones."""
    for text in texts:
        room -= len(text)
        if room < 0:
            return
        yield _clean(text)
