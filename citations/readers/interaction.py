"""Google's Interactions: steps or outputs, whose texts have annotations with offsets in bytes.

Governing source: google-genai's types of Interactions and of their events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit
from .loose_json import Members, inner, member, number, objects, page_number, text, title
from .shaped_events import PlaceReader
from .source_address import describe_source
from .spanned_text import CitedRange, TextPart

_NO_ANSWER: Final = ("thought", "_call", "_result", "_input")
"""The ends of the types of steps that are no part of the answer."""


class InteractionReader(PlaceReader):
    """One answer from an interaction, or from its events. Annotations may come before their words do."""

    provider = "Gemini"

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[object, TextPart] = {}
        self._annotations: list[tuple[TextPart, Members, str]] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        for name in ("delta", "content"):
            if piece := inner(data, name):
                self.finish.note(None)
                yield from self._content(piece, ("delta", number(data, "index")), f"$.{name}")
                return
        yield from self._whole(inner(data, "interaction") or data)

    def close(self) -> Iterator[AnswerEvent]:
        """The citations. They come behind the text, because only then their words can be found."""
        yield from super().close()
        for part, annotation, path in self._annotations:
            sources = annotation_sources(annotation)
            cited = CitedRange.read(annotation, "", "start_index", "end_index", OffsetUnit.UTF_8)
            if cited.end is None:
                # A file's annotation may have no offsets: it is about all of its text.
                yield from self._answer.cite_part(part, sources, path)
            else:
                yield from self._answer.cite_words(part, cited, sources, path)

    def _whole(self, interaction: Members) -> Iterator[AnswerEvent]:
        status = text(interaction, "status")
        self.finish.note(None if status == "in_progress" else status or "stop")
        if self._answer.length:
            return
        steps = objects(member(interaction, "steps", "outputs"))
        for index, step in enumerate(steps):
            if text(step, "type").endswith(_NO_ANSWER):
                continue
            content = member(step, "content")
            for place, part in enumerate(objects(content if isinstance(content, list | tuple) else [step])):
                yield from self._content(part, (index, place), f"$.steps[{index}].content[{place}]")

    def _content(self, content: Members, key: object, path: str) -> Iterator[AnswerEvent]:
        if text(content, "type").startswith("thought") or text(content, "type").endswith(_NO_ANSWER):
            return
        if key not in self._parts:
            self._parts[key] = self._answer.begin_part()
        part = self._parts[key]
        if said := text(content, "text"):
            yield from self._answer.add(said)
        for index, annotation in enumerate(objects(member(content, "annotations"))):
            self._annotations.append((part, annotation, f"{path}.annotations[{index}]"))
            yield from self._answer.find(annotation_sources(annotation))


def annotation_sources(annotation: Members) -> tuple[Reference, ...]:
    """The page, file or place that an annotation names, if it names one."""
    address = text(annotation, "url", "document_uri", "uri").strip()
    address = address or text(inner(annotation, "custom_metadata"), "source_url", "url").strip()
    name = title(annotation, "title", "file_name", "name")
    if not (address or name):
        return ()
    return (
        describe_source(
            address or name or "",
            name,
            names=(text(annotation, "document_uri"),),
            text=title(annotation, "source", "cited_text"),
            pages=(page_number(annotation, "page_number"), None),
        ),
    )
