"""Vercel's AI SDK: the stream of a UI message, whose sources have no place in the text.

Governing source: ``packages/ai/src/ui-message-stream/ui-message-chunks.ts`` of vercel/ai, and ``UIMessage``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .loose_json import Members, member, objects, text, title
from .shaped_events import PlaceReader, ShapedEvents
from .source_address import describe_source

_ENDS = {"finish": "stop", "abort": "cancelled"}
_SOURCES = ("source-url", "source-document")


class AiSdkEvents(ShapedEvents):
    """Reads a ``UIMessage``: its parts of type ``text``, ``source-url`` and ``source-document``.

    ``[1]`` cites the first source. Where a text has no markers, the sources are listed below it.
    """

    def __init__(self) -> None:
        super().__init__("ai-sdk", lambda _: _UiMessage(), dialect=Dialect.NUMBERED)


class _UiMessage(PlaceReader):
    dialect = Dialect.NUMBERED

    def __init__(self) -> None:
        super().__init__()
        self._known: set[str] = set()
        self._block = ""
        """The id of the text that is being told; another one is a paragraph of its own."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one chunk, or of a whole message."""
        kind = text(data, "type")
        if kind == "text-delta":
            yield from self._tell(text(data, "id"), text(data, "delta"))
        elif kind in _SOURCES:
            yield from self._find(data)
        self.finish.note(text(data, "finish_reason") or _ENDS.get(kind))
        for number, part in enumerate(objects(member(data, "parts"))):
            if text(part, "type") == "text":
                yield from self._tell(f"part {number}", text(part, "text"))
            elif text(part, "type") in _SOURCES:
                yield from self._find(part)
        if "parts" in data:
            self.finish.note("stop")

    def _tell(self, block: str, told: str) -> Iterator[AnswerEvent]:
        if block != self._block:
            self._block = block
            self._answer.begin_part()
            self._answer.set_apart()
        yield from self._answer.add(told)

    def _find(self, source: Members) -> Iterator[AnswerEvent]:
        """A source, which a later step of the message may repeat. The markers count them."""
        identifier = text(source, "source_id") or text(source, "url", "title")
        if identifier in self._known:
            return
        self._known.add(identifier)
        yield from self._answer.find([_reference(str(len(self._known)), identifier, source)])


def _reference(number: str, identifier: str, source: Members) -> Reference:
    return describe_source(
        text(source, "url").strip(),
        title(source, "title", "filename"),
        key=number,
        ordinal=True,
        names=(identifier, text(source, "filename")),
        media_type=title(source, "media_type"),
    )
