"""Reads what an engine gives as the events of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from citations import AnswerEvent, AnswerFormatError, Cut, ReferencesFound, TextCut, TextDelta
from citations.readers import LlamaIndexLines

from ...messages import Sentence, say
from ..errors import AnswerTooLong
from ..provider import LONGEST_ANSWER
from ..reply import events_at_end
from ..trimmed_text import TrimmedText
from .engine import EngineItem, as_json

_EMPTY: Final = "Empty Response"
"""What LlamaIndex writes if it found nothing, also as the only chunk of a stream."""


class EngineReply:
    """One answer of an engine: pass each item of the engine to :meth:`feed`, then call :meth:`close`.

    The text has no thoughts of the model, no folders of the documents and no white space around it. If
    LlamaIndex found nothing, the text is the bot's own sentence for that. ``finds_first`` is the value of
    the engine.
    """

    def __init__(self, *, finds_first: bool) -> None:
        self._finds_first = finds_first
        self._lines = LlamaIndexLines()
        self._trimmed = TrimmedText()
        self._length = 0
        self._begun = False
        self._found = False
        self._held = ""
        self._cut: Cut | None = None

    def feed(self, item: EngineItem) -> Iterator[AnswerEvent]:
        """The events of one item. Raises :class:`AnswerTooLong` above :data:`LONGEST_ANSWER` characters."""
        if isinstance(item, str):
            self._length += len(item)
            if self._length > LONGEST_ANSWER:
                raise AnswerTooLong("the answer has no end")
            yield from self._add_text(self._trimmed.feed(item))
            return
        if isinstance(item, Cut):
            self._cut = item
            return
        self._found = self._found or bool(item)
        for event in self._lines.read({"source_nodes": [as_json(node) for node in item]}):
            if isinstance(event, ReferencesFound):
                yield replace(event, complete=self._finds_first)
            else:
                yield event

    def close(self) -> Iterator[AnswerEvent]:
        """The rest of the events.

        Raises :class:`AnswerFormatError` if there is no text, and what :func:`~..reply.events_at_end` raises.
        """
        yield from self._add_text(self._trimmed.close())
        if self._held == _EMPTY:
            self._begun = True
            yield TextDelta(say(Sentence.NOTHING_FOUND))
        else:
            yield from self._read(self._held)
        for event in self._lines.close():
            self._begun = True
            yield event
        if not self._begun and self._cut is None:
            raise AnswerFormatError("expected text, got none", "$.response")
        if self._cut:
            yield TextCut(self._cut)
        yield from events_at_end(self._cut)

    def _add_text(self, text: str) -> Iterator[AnswerEvent]:
        text, self._held = self._held + text, ""
        if not self._found and _EMPTY.startswith(text):
            self._held = text
        else:
            yield from self._read(text)

    def _read(self, text: str) -> Iterator[AnswerEvent]:
        for event in self._lines.read({"delta": text}) if text else ():
            self._begun = self._begun or isinstance(event, TextDelta)
            yield event
