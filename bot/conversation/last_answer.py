"""Remembers the last answer of each conversation, for follow-ups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Final

import msgspec

from citations import AnswerKind, Citation, CitedAnswer, Reference
from citations.model import Place

from ..languages import language
from ..resilience.steps import run_step, weigh
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
"""The most characters of a reference's other fields, by which its sensitivity label is found."""
_MAX_SHEET: Final = 100
"""The most characters of a sheet's name, which no label depends on."""
_MAX_REFERENCES: Final = 60
_SIGNS: Final = re.compile(r"[\W_]+")
_NAMES: Final = ("aliases", "keywords")
"""The fields that have several texts."""
_FIELDS: Final = tuple(field.name for field in fields(Reference) if field.name not in ("text", *_NAMES))


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedAnswer:
    """An answer as it was shown, complete or not.

    ``references`` are all that were found for it. ``interrupted`` says that it is incomplete. ``rest``
    has its messages that were not sent yet. ``passage`` is the position of the citation whose passage
    the person is reading, and the offset of the unread part.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    references: tuple[Reference, ...] = ()
    interrupted: bool = False
    rest: tuple[str, ...] = ()
    passage: tuple[int, int] | None = None
    language: str = ""
    """The BCP 47 tag of the answer's language; empty where an earlier version stored the answer."""

    @property
    def cited(self) -> tuple[Reference, ...]:
        """The references that it cites."""
        return tuple(one for citation in self.citations for one in (citation.reference, *citation.parts))


def remember(text: str, cited: CitedAnswer, *, interrupted: bool) -> RememberedAnswer:
    """What to remember of an answer that was shown as ``text``.

    Of the one passage that probably answers, the person has read an excerpt: "more" brings all of it first.
    """
    alone = cited.citations[0] if cited.kind is AnswerKind.UNSURE and len(cited.citations) == 1 else None
    is_excerpt = alone and _SIGNS.sub("", alone.reference.text or "") not in _SIGNS.sub("", text)
    return RememberedAnswer(
        text=text,
        citations=cited.citations,
        references=cited.references,
        interrupted=interrupted,
        passage=(alone.position, 0) if alone and is_excerpt else None,
        language=language(),
    )


class AnswerMemory:
    """Stores the last answer of each conversation in ``state``, for :data:`LIFETIME`.

    With the id of a ``person``, it stores the last answer that this person got there.
    """

    def __init__(self, state: State, person: str = "") -> None:
        self._state = state
        self._person = person

    def of(self, person: str) -> AnswerMemory:
        """The memory of the answers that ``person`` alone may see."""
        return AnswerMemory(self._state, person)

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete the last answer."""
        await self._state.drop(conversation, _KIND, self._person)

    async def has(self, conversation: ConversationKey, text: str) -> bool:
        """Whether the last answer is still the one with this ``text``."""
        last = await self.recall(conversation)
        return last is not None and last.text == _fit(text)

    async def remember(self, conversation: ConversationKey, answer: RememberedAnswer) -> None:
        """Store ``answer`` in place of the conversation's last one."""
        size = weigh(answer.text, (*answer.cited, *answer.references))
        record = await run_step(lambda: write_record(answer), size)
        if record is None:
            # Then a number must not find a source of the previous answer.
            await self.forget(conversation)
        else:
            await self._state.put(conversation, _KIND, self._person, record, lifetime=LIFETIME)

    async def recall(self, conversation: ConversationKey) -> RememberedAnswer | None:
        """The conversation's last answer; None where there is none or it has expired."""
        record = await self._state.get(conversation, _KIND, self._person)
        return read_record(record) if record else None


_Index = Annotated[int, msgspec.Meta(ge=0)]


class _Record(msgspec.Struct, frozen=True):
    """A remembered answer as JSON, with each source once; other fields have its index in ``sources``."""

    text: str
    sources: tuple[Reference, ...] = ()
    citations: tuple[tuple[int, _Index, tuple[_Index, ...]], ...] = ()
    """Triples of position, reference, and the references that were merged into it."""
    references: tuple[_Index, ...] = ()
    interrupted: bool = False
    rest: tuple[str, ...] = ()
    passage: tuple[int, int] | None = None
    language: str = ""


def write_record(answer: RememberedAnswer) -> bytes | None:
    """Write ``answer`` as a record, with truncated passages if necessary; None if it is too large then."""
    for length in _MAX_PASSAGES:
        record = msgspec.json.encode(_build_record(answer, length))
        if len(record) <= LARGEST:
            return record
    return None


def read_record(record: bytes) -> RememberedAnswer | None:
    """Read a record of :func:`write_record`; None if it is malformed or of another version."""
    try:
        stored = msgspec.json.decode(record, type=_Record)
        return RememberedAnswer(
            text=stored.text,
            citations=tuple(
                Citation(position, stored.sources[index], tuple(stored.sources[part] for part in parts))
                for position, index, parts in stored.citations
            ),
            references=tuple(stored.sources[index] for index in stored.references),
            interrupted=stored.interrupted,
            rest=stored.rest,
            passage=stored.passage,
            language=stored.language,
        )
    except (msgspec.MsgspecError, IndexError, UnicodeError):
        return None


def _build_record(answer: RememberedAnswer, length: int) -> dict[str, object]:
    """The fields of :class:`_Record`, with ``length`` characters of each passage."""
    sources = dict.fromkeys((*answer.cited, *answer.references))
    fields = {source: _collect_fields(source, length) for source in sources}
    found = [source for source in answer.references if fields[source]][:_MAX_REFERENCES]
    stored = [source for source in dict.fromkeys((*answer.cited, *found)) if fields[source]]
    indexes = {source: index for index, source in enumerate(stored)}
    # Without all of its sources nothing would tell whether the rest of the answer may still be read.
    rest = answer.rest if indexes.keys() >= fields.keys() else ()
    citations = [
        (citation.position, indexes[citation.reference], [indexes[part] for part in citation.parts])
        for citation in answer.citations
        if indexes.keys() >= {citation.reference, *citation.parts}
    ]
    return {
        "text": _fit(answer.text),
        "citations": citations,
        "references": [indexes[source] for source in found],
        "sources": [fields[source] for source in stored],
        "interrupted": answer.interrupted,
        "rest": list(_take_fitting(rest, _MAX_REST)),
        "passage": answer.passage,
        "language": answer.language,
    }


def _collect_fields(reference: Reference, length: int) -> dict[str, object] | None:
    """The fields of ``reference``, with ``length`` characters of its passage.

    None where another field is too long. Labels are found by these fields, and a truncated field could
    give a lower label.
    """
    fields: dict[str, object] = {}
    for name in _FIELDS:
        value = getattr(reference, name)
        if isinstance(value, str):
            if len(value) > _MAX_FIELD:
                return None
            fields[name] = replace_surrogates(value)
        elif isinstance(value, Place):
            sheet = replace_surrogates(value.sheet[:_MAX_SHEET]) if value.sheet else None
            fields[name] = replace(value, sheet=sheet)
        elif value is not None and value is not False:
            fields[name] = value
    for name in _NAMES:
        texts = getattr(reference, name)
        if sum(map(len, texts)) > _MAX_FIELD:
            return None
        if texts:
            fields[name] = [replace_surrogates(text) for text in texts]
    text = replace_surrogates(reference.text or "")
    truncated = text if len(text) <= length else f"{text[: length - 1]}…" if length else ""
    return {**fields, "text": truncated} if truncated else fields


def _fit(text: str) -> str:
    """The text of an answer as it is stored."""
    return replace_surrogates(text[:_MAX_TEXT])


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 can't encode."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _take_fitting(texts: tuple[str, ...], limit: int) -> Iterator[str]:
    """Yield whole texts from the first on, as long as ``limit`` characters suffice."""
    for text in texts:
        limit -= len(text)
        if limit < 0:
            return
        yield replace_surrogates(text)
