"""Amazon Q Business: sources with the segments of the message that rest on them.

Governing source: botocore's ``qbusiness``, ``ChatSyncOutput`` and ``ChatOutputStream``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .conversion import iso_date
from .loose_json import Members, inner, member, number, objects, text, title
from .shaped_events import PlaceReader
from .source_address import describe_source
from .spanned_text import CitedRange


class QBusinessReader(PlaceReader):
    """One answer from the output of ChatSync, or from the events of Chat."""

    provider = "Amazon Q Business"

    def __init__(self) -> None:
        super().__init__()
        self._sources: list[Members] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        end = inner(data, "metadata_event")
        if said := inner(data, "text_event"):
            self.finish.note(None)
            # "GROUNDED_RESPONSE" is the whole answer, checked against its sources.
            if text(said, "system_message_type") == "GROUNDED_RESPONSE":
                yield from self._replace(text(said, "system_message"))
            else:
                yield from self._answer.add(text(said, "system_message"))
            return
        whole = end or data
        final = text(whole, "final_text_message", "system_message")
        if not end and not final and not member(whole, "source_attributions"):
            return
        self.finish.note("stop")
        if final and final != self._answer.part.text:
            yield from self._replace(final)
        self._sources += objects(member(whole, "source_attributions"))
        yield from self._answer.find(map(_source, self._sources))

    def close(self) -> Iterator[AnswerEvent]:
        """The citations, which come with the last event."""
        yield from super().close()
        for index, source in enumerate(self._sources):
            path = f"$.sourceAttributions[{index}].textMessageSegments"
            for place, segment in enumerate(objects(member(source, "text_message_segments"))):
                cited = CitedRange.read(segment, "", "begin_offset", "end_offset")
                yield from self._answer.cite_words(
                    self._answer.part, cited, [_source(source)], f"{path}[{place}]"
                )

    def _replace(self, said: str) -> Iterator[AnswerEvent]:
        if self._answer.length:
            yield from self._answer.restart()
        yield from self._answer.add(said)


def _source(source: Members) -> Reference:
    name, document = title(source, "title"), text(source, "document_id")
    excerpts = (inner(one, "snippet_excerpt") for one in objects(member(source, "text_message_segments")))
    passages = (title(source, "snippet"), *(title(one, "text") for one in excerpts))
    return describe_source(
        text(source, "url").strip(),
        name,
        otherwise=document or name or str(number(source, "citation_number") or 1),
        names=(document,),
        # A source without a snippet has excerpts.
        text=next(filter(None, passages), None),
        modified=iso_date(member(source, "updated_at")),
    )
