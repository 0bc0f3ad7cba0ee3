"""Snowflake's Cortex Agents: markers ``[^1]``, formerly ``【†1†】``, number the citations of their part.

Governing source: Snowflake, "Cortex Agents Run API": ``response``, ``TextContent`` and ``Annotation``. An
annotation has no offsets, so that its markers outside code are its places. The last event of a stream is the
whole response. It alone is read: in the others, only the event's name tells the answer's words from the
model's thoughts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..markdown import Marker, MarkerKind, MarkerReader, Where, clean_text, leaves, parse_blocks, read_inline
from ..markers.spans import spans_of_leaves
from ..model.answer import Answer, AnswerEvent, ReferencesFound, SpanFound
from ..model.reference import Reference
from .loose_json import Members, items, member, number, objects, text, title
from .shaped_events import PlaceReader, ShapedStream
from .source_address import describe_source
from .thoughts import VisibleText

_INSIDE: Final = re.compile(r"\^\d{1,9}|†\d{1,9}†")
_MARKER: Final = re.compile(r"\[\^(\d{1,9})\]|【†(\d{1,9})†】")


def read_cortex(data: object) -> Answer:
    """Read a response of ``:run``, or the saved events of one. Raises :class:`AnswerFormatError`."""
    return CortexStream().answer(data)


class CortexStream(ShapedStream):
    """The response to ``"stream": true``: feed it bytes and close it. Its text comes with the last event."""

    def __init__(self) -> None:
        super().__init__("cortex", lambda _: _AgentRun())


class _AgentRun(PlaceReader):
    provider = "Snowflake Cortex"

    def __init__(self) -> None:
        super().__init__()
        self.finish.note(None)

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of the whole response; none of another document."""
        parts = [one for one in objects(member(data, "content")) if text(one, "type") == "text"]
        if not parts:
            return
        self.finish.note("stop")
        if self._answer.length:
            yield from self._answer.restart()
        whole, spans = "", list[SpanFound]()
        found: list[Reference] = []
        for part in parts:
            ids = _number_sources(part, found)
            if words := _visible(text(part, "text")):
                whole += "\n\n" if whole else ""
                spans += _find_markers(words, len(whole), ids)
                whole += words
        yield ReferencesFound(tuple(found))
        yield from self._answer.add(whole)
        yield from _outside_code(whole, spans)


class _FootnoteMarkers(MarkerReader):
    """Reads the brackets of these markers, whatever they number."""

    def number(
        self,
        inside: str,
        start: int,
        end: int,
        *,
        where: Where = Where.TEXT,  # noqa: ARG002 - no two forms have the same words
    ) -> Marker | None:
        """The marker; None for other brackets."""
        return Marker(MarkerKind.SPAN, (), start, end) if _INSIDE.fullmatch(inside) else None


def _visible(written: str) -> str:
    visible = VisibleText()
    return clean_text(visible.feed(written) + visible.close())


def _number_sources(part: Members, found: list[Reference]) -> dict[int, str]:
    """The ids of a part's citations by their index. Their references go into ``found``, with those before."""
    ids: dict[int, str] = {}
    for one in objects(items(member(part, "annotations"))):
        if (index := number(one, "index")) is not None and index not in ids:
            ids[index] = str(len(found) + 1)
            found.append(_reference(one, ids[index]))
    return ids


def _find_markers(words: str, before: int, ids: dict[int, str]) -> Iterator[SpanFound]:
    """What has the form of a marker in a part with ``before`` characters in front of it, also in code."""
    for marker in _MARKER.finditer(words):
        if cited := ids.get(int(marker[1] or marker[2])):
            yield SpanFound(before + marker.start(), before + marker.end(), (cited,), replaces=True)


def _outside_code(whole: str, spans: Sequence[SpanFound]) -> Iterator[SpanFound]:
    """Those of ``spans``, which are in order, at which ``whole`` has a marker: no code, and not escaped."""
    if not spans:
        return
    read = list(leaves(parse_blocks(whole).tokens))
    moved = spans_of_leaves(read, whole, spans)
    contents = {id(leaf): leaf.content for leaf in read}
    place = iter(spans)
    # The spans of the leaves, one after the other, are in the same order.
    for leaf, own in moved.items():
        nodes = read_inline(contents[leaf], _FootnoteMarkers())
        markers = {(node.start, node.end) for node in nodes if isinstance(node, Marker)}
        for one, span in zip(own, place, strict=False):
            if one.replaces and (one.start, one.end) in markers:
                yield span


def _reference(annotation: Members, key: str) -> Reference:
    return describe_source(
        text(annotation, "doc_id").strip(),
        title(annotation, "doc_title"),
        key=key,
        names=(text(annotation, "search_result_id"),),
        text=title(annotation, "text"),
        ordinal=True,
    )
