"""Blocks of text, each with the list of its sources, as Anthropic and Bedrock send them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .shaped_events import PlaceReader
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

    def add(self, key: object, text: str, cited: Sequence[Reference]) -> Iterator[AnswerEvent]:
        """Add text and what it rests on to the block ``key``. If it is another one, the block before ends."""
        if key != self._key:
            yield from self.end()
            self._key = key
            self._part = self._answer.begin_part()
        yield from self._answer.add(text)
        if cited:
            self._cited += cited
            yield from self._answer.find(cited)

    def end(self) -> Iterator[AnswerEvent]:
        """End the block. Citations of a block without text are about the block before it."""
        cited, self._cited = self._cited, []
        self._last = self._part if self._part.length else self._last
        yield from self._answer.cite_part(self._last, cited, "$.content")
        self._key = None


class CitedBlockReader(PlaceReader):
    """Reads one answer that comes in such blocks. The citations of a block come with it."""

    spans_at_end = False

    def __init__(self) -> None:
        super().__init__()
        self._blocks = CitedBlocks(self._answer)

    def close(self) -> Iterator[AnswerEvent]:
        """The span of the last block, if the stream broke off in it."""
        yield from self._blocks.end()
        yield from super().close()
