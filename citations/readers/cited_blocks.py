"""Blocks of text, each with the list of its sources, as Anthropic, Bedrock and LangChain send them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model.answer import AnswerEvent
from ..model.reference import Reference
from .anchor import TextRange, not_placed
from .spanned_text import SpannedText


class CitedBlocks:
    """The blocks of one answer, as they arrive. Each method returns the events to pass on.

    The citations of a block may come before its text. They are one span, over all of the block.
    """

    def __init__(self, answer: SpannedText) -> None:
        self._answer = answer
        self._part = self._last = answer.part
        self._key: object = None
        self._cited: list[Reference] = []

    def begin(self, key: object, *, apart: bool = False) -> Iterator[AnswerEvent]:
        """Go on with the block ``key``. If it is another one, the block before it ends."""
        if key == self._key:
            return
        yield from self.end()
        self._key = key
        if apart:
            self._answer.set_apart()
        self._part = self._answer.begin_part()

    def add(self, text: str) -> Iterator[AnswerEvent]:
        """Add text to the block."""
        yield from self._answer.add(text)

    def cite(self, references: Iterable[Reference]) -> Iterator[AnswerEvent]:
        """Note what the block rests on."""
        found = tuple(references)
        self._cited += found
        yield from self._answer.find(found)

    def end(self) -> Iterator[AnswerEvent]:
        """End the block. Citations of a block without text are about the block before it."""
        cited, self._cited = tuple(self._cited), []
        part = self._last = self._part if self._part.length else self._last
        text = part.text.rstrip()
        yield from self._answer.cite(
            part, TextRange(0, len(text)) if text else None, cited, missing=not_placed("$.content")
        )
        self._key = None
