"""Amazon Q Business: sources with the segments of the message that rest on them.

Governing source: botocore's ``qbusiness``, ``ChatSyncOutput`` and ``ChatOutputStream``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .anchor import not_placed
from .conversion import iso_date, others
from .finish_reason import FinishReason
from .loose_json import Members, inner, member, number, objects, text, title
from .source_address import read_address
from .spanned_text import SpannedText, place_of


class QBusinessReader:
    """One answer from the output of ChatSync, or from the events of Chat."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText("Amazon Q Business")
        self._sources: list[Members] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        yield from self._answer.begin()
        said = inner(data, "text_event")
        end = inner(data, "metadata_event")
        if said:
            self._finish.note(None)
            # "GROUNDED_RESPONSE" is the whole answer, checked against its sources.
            if text(said, "system_message_type") == "GROUNDED_RESPONSE" and self._answer.length:
                yield from self._answer.restart()
            yield from self._answer.add(text(said, "system_message"))
            return
        whole = end or data
        final = text(whole, "final_text_message", "system_message")
        if not end and not final and not member(whole, "source_attributions"):
            return
        self._finish.note("stop")
        if final and final != self._answer.part.text:
            if self._answer.length:
                yield from self._answer.restart()
            yield from self._answer.add(final)
        self._sources += objects(member(whole, "source_attributions"))
        yield from self._answer.find(map(_source, self._sources))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations, which come with the last event."""
        yield from self._answer.close()
        part = self._answer.part
        for index, source in enumerate(self._sources):
            path = f"$.sourceAttributions[{index}].textMessageSegments"
            for place, segment in enumerate(objects(member(source, "text_message_segments"))):
                start, end = number(segment, "begin_offset"), number(segment, "end_offset")
                found = place_of(part, "", start, end)
                yield from self._answer.cite(
                    part, found, (_source(source),), missing=not_placed(f"{path}[{place}]")
                )


def _source(source: Members) -> Reference:
    address, name = text(source, "url").strip(), title(source, "title")
    where = read_address(address) if address else None
    document = text(source, "document_id")
    identifier = where.id if where else document or name or str(number(source, "citation_number") or 1)
    shown = name or (where.name if where else None)
    return Reference(
        id=identifier,
        url=where.url if where else None,
        name=shown,
        text=title(source, "snippet") or _excerpt(source),
        modified=iso_date(member(source, "updated_at")),
        aliases=others((document, address), identifier, shown, where.url if where else None),
    )


def _excerpt(source: Members) -> str | None:
    """The first excerpt of a source that has no snippet."""
    segments = objects(member(source, "text_message_segments"))
    return next((found for one in segments if (found := title(inner(one, "snippet_excerpt"), "text"))), None)
