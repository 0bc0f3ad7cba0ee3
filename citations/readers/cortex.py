"""Snowflake's Cortex Agents: markers ``[^1]``, formerly ``【†1†】``, number the citations of their part.

Governing source: Snowflake, "Cortex Agents Run API": ``response``, ``TextContent`` and ``Annotation``. The
last event of a stream is the whole response. It alone is read: in the others, only the event's name tells the
answer's words from the model's thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..model.answer import Answer, AnswerEvent, ReferencesFound
from ..model.dialect import Dialect
from ..model.reference import Reference
from .answer_stream import AnswerStream
from .chat_completion import ChatText
from .event_framing import EventsOrJson
from .loose_json import Members, items, member, number, objects, text, title
from .shaped_events import ShapedEvents, ShapeReader
from .source_address import describe_source

_MARKER: Final = re.compile(r"\[\^(\d{1,9})\]|【†(\d{1,9})†】")


def read_cortex(data: object) -> Answer:
    """Read a response of ``:run``, or the saved events of one. Raises :class:`AnswerFormatError`."""
    return CortexStream().answer(data)


class CortexStream(AnswerStream):
    """The response to ``"stream": true``: feed it bytes and close it. Its text comes with the last event."""

    def __init__(self) -> None:
        super().__init__(
            EventsOrJson(), ShapedEvents("cortex", lambda _: _AgentRun(), dialect=Dialect.NUMBERED)
        )


class _AgentRun(ShapeReader):
    provider = "Snowflake Cortex"
    dialect = Dialect.NUMBERED

    def __init__(self) -> None:
        super().__init__()
        self._text = ChatText()
        self.finish.note(None)

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of the whole response; none of another document."""
        parts = [one for one in objects(member(data, "content")) if text(one, "type") == "text"]
        if not parts:
            return
        self.finish.note("stop")
        found: list[Reference] = []
        written = [_write_part(part, found) for part in parts]
        yield ReferencesFound(tuple(found))
        yield from self._text.replace("\n\n".join(filter(None, written)))

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()


def _write_part(part: Members, found: list[Reference]) -> str:
    """The text of a part, with markers that number the citations of all parts, which go into ``found``."""
    numbers: dict[int, int] = {}
    for one in objects(items(member(part, "annotations"))):
        if (index := number(one, "index")) is not None and index not in numbers:
            numbers[index] = len(found) + 1
            found.append(_reference(one, numbers[index]))

    def renumber(marker: re.Match[str]) -> str:
        position = numbers.get(int(marker[1] or marker[2]))
        return f"[{position}]" if position else marker[0]

    return _MARKER.sub(renumber, text(part, "text"))


def _reference(annotation: Members, position: int) -> Reference:
    return describe_source(
        text(annotation, "doc_id").strip(),
        title(annotation, "doc_title"),
        key=str(position),
        names=(text(annotation, "search_result_id"),),
        text=title(annotation, "text"),
        ordinal=True,
    )
