"""What an engine says into the events of an answer."""

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
from .engine import Told, as_json

_EMPTY: Final = "Empty Response"
"""What LlamaIndex says where it found nothing, also as the one piece of a stream."""


class EngineReply:
    """One answer of an engine: tell it what the engine tells, close it.

    Text is given without a model's thoughts, without the folders of the documents and without the white
    space around it. What LlamaIndex says instead of an answer becomes a sentence. ``finds_first`` is the
    engine's.
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

    def tell(self, told: Told) -> Iterator[AnswerEvent]:
        """The events of one thing that the engine tells."""
        if isinstance(told, str):
            self._length += len(told)
            if self._length > LONGEST_ANSWER:
                raise AnswerTooLong("the answer has no end")
            yield from self._add_text(self._trimmed.feed(told))
            return
        if isinstance(told, Cut):
            self._cut = told
            return
        self._found = self._found or bool(told)
        for event in self._lines.read({"source_nodes": [as_json(node) for node in told]}):
            if isinstance(event, ReferencesFound):
                yield replace(event, complete=self._finds_first)
            else:
                yield event

    def close(self) -> Iterator[AnswerEvent]:
        """The rest. Raises :class:`AnswerFormatError` without text, and as :func:`~..reply.events_at_end`."""
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
