"""Google's Interactions: steps or outputs, whose texts have annotations with offsets in bytes.

Governing source: google-genai's types of Interactions and of their events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit, TextRange, not_placed
from .conversion import others
from .finish_reason import FinishReason
from .loose_json import Members, inner, member, number, objects, page_number, text, title
from .source_address import read_address
from .spanned_text import SpannedText, TextPart, place_of
from .stop_reason import finish_reason

_NO_ANSWER: Final = ("thought", "_call", "_result", "_input")
"""The ends of the types of steps that are no part of the answer."""


class InteractionReader:
    """One answer from an interaction, or from its events. Annotations may come before their words do."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText("Gemini")
        self._parts: dict[object, TextPart] = {}
        self._annotations: list[tuple[TextPart, Members, str]] = []

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        yield from self._answer.begin()
        if delta := inner(data, "delta"):
            self._finish.note(None)
            yield from self._content(delta, ("delta", number(data, "index")), "$.delta")
        elif content := inner(data, "content"):
            yield from self._content(content, ("delta", number(data, "index")), "$.content")
        else:
            yield from self._whole(inner(data, "interaction") or data)

    def close(self) -> Iterator[AnswerEvent]:
        """The citations. They come behind the text, because only then their words can be found."""
        yield from self._answer.close()
        for part, annotation, path in self._annotations:
            source = annotation_source(annotation)
            start, end = number(annotation, "start_index"), number(annotation, "end_index")
            if end is None:
                # A file's annotation may have no offsets: it is about all of its text.
                place: TextRange | None = TextRange(0, len(part.text.rstrip()))
            else:
                place = place_of(part, "", start, end, OffsetUnit.UTF_8)
            cited = (source,) if source else ()
            yield from self._answer.cite(part, place, cited, missing=not_placed(path))

    def _whole(self, interaction: Members) -> Iterator[AnswerEvent]:
        status = text(interaction, "status")
        self._finish.note(None if status == "in_progress" else finish_reason(status or "stop"))
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
            if source := annotation_source(annotation):
                yield from self._answer.find((source,))


def annotation_source(annotation: Members) -> Reference | None:
    """The page, file or place that an annotation names."""
    address = text(annotation, "url", "document_uri", "uri").strip()
    address = address or text(inner(annotation, "custom_metadata"), "source_url", "url").strip()
    name = title(annotation, "title", "file_name", "name")
    passage = title(annotation, "source", "cited_text")
    if not (address or name):
        return None
    where = read_address(address or name or "")
    return Reference(
        id=where.id,
        url=where.url,
        name=name or where.name,
        text=passage,
        page=page_number(annotation, "page_number"),
        aliases=others((text(annotation, "document_uri"),), where.id, name, where.url),
    )
