"""What was answered last in each conversation, for the person who wants to know more about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Final

import msgspec

from citations import Citation, CitedAnswer, Reference

from .state import ConversationKey, State

LIFETIME: Final = 12 * 3600.0
"""Seconds that an answer is kept."""
LARGEST: Final = 256 * 1024
"""Bytes that are kept of an answer."""

_KIND: Final = "answer"
_MAX_TEXT: Final = 20_000
_MAX_REST: Final = 50_000
_MAX_PASSAGES: Final = (8000, 2000, 500, 0)
"""Characters of a passage: the first with which the whole is not too large."""
_MAX_WORDS: Final = 4000
"""Characters of what tells where a reference is, which its sensitivity label is found by."""
_MAX_REFERENCES: Final = 60
_FIELDS: Final = tuple(field.name for field in fields(Reference) if field.name != "text")


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


def remembered(text: str, cited: CitedAnswer, *, interrupted: bool) -> RememberedAnswer:
    """What is kept of an answer that was shown as ``text``."""
    return RememberedAnswer(
        text=text, citations=cited.citations, references=cited.references, interrupted=interrupted
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


class _Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A remembered answer as JSON: each source once, and named by its place in ``sources``."""

    text: str
    sources: tuple[Reference, ...] = ()
    citations: tuple[tuple[int, _Place, tuple[_Place, ...]], ...] = ()
    """Position, reference, and the references that were joined into it."""
    references: tuple[_Place, ...] = ()
    interrupted: bool = False
    rest: tuple[str, ...] = ()
    passage: tuple[int, int] | None = None


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
        )
    except (msgspec.MsgspecError, IndexError, UnicodeError):
        return None


def _record(answer: RememberedAnswer, length: int) -> _Record:
    cited = [one for citation in answer.citations for one in (citation.reference, *citation.parts)]
    kept = {one: _cut(one, length) for one in dict.fromkeys((*cited, *answer.references)) if _fits(one)}
    citations = [
        citation
        for citation in answer.citations
        if all(one in kept for one in (citation.reference, *citation.parts))
    ]
    references = [kept[one] for one in answer.references if one in kept][:_MAX_REFERENCES]
    cited = [kept[one] for citation in citations for one in (citation.reference, *citation.parts)]
    places = {source: place for place, source in enumerate(dict.fromkeys((*cited, *references)))}
    return _Record(
        text=_clean(answer.text[:_MAX_TEXT]),
        sources=tuple(places),
        citations=tuple(
            (
                citation.position,
                places[kept[citation.reference]],
                tuple(places[kept[part]] for part in citation.parts),
            )
            for citation in citations
        ),
        references=tuple(places[reference] for reference in references),
        interrupted=answer.interrupted,
        rest=tuple(_within(answer.rest, _MAX_REST)),
        passage=answer.passage,
    )


def _fits(reference: Reference) -> bool:
    """Whether all but the passage can be kept: a label is found by it, and by half of it a lower one."""
    return all(len(value) <= _MAX_WORDS for value in _words(reference).values())


def _cut(reference: Reference, length: int) -> Reference:
    words = {name: _clean(value) for name, value in _words(reference).items()}
    text = _clean(reference.text or "")
    cut = text if len(text) <= length else f"{text[: length - 1]}…" if length else ""
    return replace(reference, **words, text=cut or None)  # type: ignore[arg-type] # the words are strings


def _words(reference: Reference) -> dict[str, str]:
    values = ((name, getattr(reference, name)) for name in _FIELDS)
    return {name: value for name, value in values if isinstance(value, str)}


def _clean(text: str) -> str:
    """``text`` as UTF-8 can have it: a lone surrogate is no character."""
    return text.encode("utf-8", "replace").decode()


def _within(texts: tuple[str, ...], room: int) -> Iterator[str]:
    """The first of ``texts``, as far as there is room for whole ones."""
    for text in texts:
        room -= len(text)
        if room < 0:
            return
        yield _clean(text)
