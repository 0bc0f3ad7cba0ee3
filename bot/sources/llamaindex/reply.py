"""Reads what an engine gives as the events of an answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from citations import (
    AnswerEvent,
    AnswerKind,
    Cut,
    Reference,
    ReferencesFound,
    TextCut,
    TextDelta,
)
from citations.model import KindKnown
from citations.readers import LlamaIndexLines

from ...languages import Sentence, say
from ..permission import METADATA, name_metadata
from ..reply import events_at_end
from .engine import EngineItem, Node, Nodes, as_json

_EMPTY: Final = "Empty Response"
"""What LlamaIndex writes if it found nothing, also as the only chunk of a stream."""


class EngineReply:
    """One answer of an engine: pass each item of the engine to :meth:`feed`, then call :meth:`close`.

    The text has no thoughts of the model, and no folders of the documents. If LlamaIndex found nothing, the
    text is the bot's own sentence for that. ``finds_first`` is the value of the engine. The references have
    aliases that say what these ``fields`` of their metadata hold.
    """

    def __init__(self, *, finds_first: bool, fields: Collection[str] = ()) -> None:
        self.is_empty = False
        """Whether no model wrote anything, as where LlamaIndex found nothing; known after :meth:`close`."""
        self.has_sources = False
        """Whether the engine gave any source."""
        self._finds_first = finds_first
        self._fields = fields
        self._lines = LlamaIndexLines()
        self._has_text = False
        self._held = ""
        self._cut: Cut | None = None

    def feed(self, item: EngineItem) -> Iterator[AnswerEvent]:
        """The events of one item."""
        if isinstance(item, Cut):
            self._cut = item
        elif isinstance(item, str):
            text, self._held = self._held + item, ""
            if not (self._has_text or self.has_sources) and _EMPTY.startswith(text.strip()):
                self._held = text
            else:
                self._has_text = True
                yield from self._lines.read({"delta": text})
        else:
            self.has_sources = self.has_sources or bool(item)
            for event in self._lines.read({"source_nodes": [as_json(node) for node in item]}):
                if isinstance(event, ReferencesFound):
                    references = _add_metadata(event.references, item, self._fields)
                    yield ReferencesFound(references, complete=self._finds_first)
                else:
                    yield event

    def close(self) -> Iterator[AnswerEvent]:
        """The rest of the events. Raises what :func:`~..reply.events_at_end` raises."""
        held = self._held.strip()
        self.is_empty = not self._has_text and held in ("", _EMPTY)
        if held == _EMPTY:
            yield KindKnown(AnswerKind.NOTHING)
            yield TextDelta(say(Sentence.NOTHING_FOUND))
        elif self._held:
            yield from self._lines.read({"delta": self._held})
        yield from self._lines.close()
        if self._cut:
            yield TextCut(self._cut)
        yield from events_at_end(self._cut)


def describe_node(node: Node, fields: Collection[str]) -> Reference:
    """The reference of one passage, with the same aliases as in an answer."""
    events = LlamaIndexLines().read({"source_nodes": [as_json(node)]})
    (references,) = (event.references for event in events if isinstance(event, ReferencesFound))
    (reference,) = _add_metadata(references, (node,), fields)
    return reference


def _add_metadata(
    references: tuple[Reference, ...], nodes: Nodes, fields: Collection[str]
) -> tuple[Reference, ...]:
    return tuple(
        replace(reference, aliases=(*_drop_forged(reference.aliases), *_name_fields(node, fields)))
        for reference, node in zip(references, nodes, strict=True)
    )


def _drop_forged(aliases: tuple[str, ...]) -> Iterator[str]:
    """The aliases without those that a document's title or file name makes look like its metadata."""
    return (alias for alias in aliases if not alias.startswith(METADATA))


def _name_fields(node: Node, fields: Collection[str]) -> Iterator[str]:
    for field in fields:
        value = node.node.metadata.get(field)
        for one in value if isinstance(value, list | tuple | set) else (value,):
            if one is not None:
                yield name_metadata(field, one)
