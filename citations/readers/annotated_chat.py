"""Chat completions whose messages have annotations, as OpenAI's search models and OpenRouter send them.

Governing source: OpenAI API reference, "Chat Completions". OpenRouter's annotations come with the first
chunk, and have no place.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer import AnswerEvent, DialectKnown
from ..model.dialect import Dialect
from .chat_piece import ChatPiece, read_piece, texts_of
from .finish_reason import FinishReason
from .loose_json import Members, items, member, objects
from .output_text import OutputText
from .spanned_text import SpannedText
from .thoughts import VisibleText


class ChatReader:
    """One answer from a completion or its chunks. A model's thoughts are left out."""

    def __init__(self, finish: FinishReason) -> None:
        self._finish = finish
        self._answer = SpannedText()
        self._part: OutputText | None = None
        self._visible = VisibleText()
        self._received: list[str] = []
        self._shown = 0

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one completion or chunk."""
        if self._part is None:
            self._part = OutputText(self._answer)
            yield DialectKnown(Dialect.NONE, spans_at_end=True)
        piece = read_piece(data)
        if piece.chosen:
            self._finish.note(piece.finish)
        said = "".join(texts_of(piece.content))
        if piece.whole:
            so_far = "".join(self._received)
            said = said.removeprefix(so_far) if said.startswith(so_far) else ""
        self._received.append(said)
        yield from self._show(self._visible.feed(said))
        if piece.whole and piece.finish:
            yield from self._show(self._visible.close())
        yield from self._annotate(piece)
        # xAI's search has URLs beside the choices, without a place.
        for url in items(member(data, "citations")):
            yield from self._part.annotate({"type": "url_citation", "url": url}, {}, "$.citations")

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from self._show(self._visible.close())
        if self._part:
            yield from self._part.close()
        yield from self._answer.close()

    def _show(self, visible: str) -> Iterator[AnswerEvent]:
        if self._part and visible:
            self._shown += len(visible)
            yield from self._part.add(visible)

    def _annotate(self, piece: ChatPiece) -> Iterator[AnswerEvent]:
        """Read the annotations. Their offsets count thoughts in the content, too."""
        hidden = sum(map(len, self._received)) - self._shown
        for index, one in enumerate(objects(member(piece.message, "annotations"))):
            if self._part:
                path = f"{piece.path}.annotations[{index}]"
                yield from self._part.annotate(one, {}, path, hidden=hidden)
