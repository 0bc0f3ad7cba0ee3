"""Chat completions with markers, read so that a changed field loses no more than itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..model.answer import AnswerEvent, Origin, OriginKnown, ReferencesFound
from ..model.dialect import Dialect
from ..model.reference import Reference
from .chat_completion import ChatText, raise_reported
from .chat_piece import ChatPiece, read_piece, texts_of
from .finish_reason import FinishReason
from .loose_json import Members, documents_of


class NumberedChat:
    """One answer from a completion or its chunks. Thoughts are left out.

    ``find`` reads the references from a document and its message. A chunk may repeat them.
    """

    def __init__(self, origin: Origin, find: Callable[[Members, ChatPiece], tuple[Reference, ...]]) -> None:
        self.dialect: Dialect | None = Dialect.NUMBERED
        self._origin: Origin | None = origin
        self._find = find
        self._text = ChatText()
        self._found: set[Reference] = set()

    @property
    def finish(self) -> FinishReason:
        """Why the answer finishes."""
        return self._text.finish

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document, or of an array of them; raises :class:`AnswerFormatError`."""
        for document in documents_of(data):
            raise_reported(document)
            if self._origin:
                yield OriginKnown(self._origin)
                self._origin = None
            yield from self._piece(document, read_piece(document))

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()

    def _piece(self, document: Members, piece: ChatPiece) -> Iterator[AnswerEvent]:
        new = tuple(one for one in self._find(document, piece) if one not in self._found)
        if new:
            self._found.update(new)
            yield ReferencesFound(new)
        if piece.chosen:
            self.finish.note(piece.finish)
        said = "".join(texts_of(piece.content))
        yield from self._text.replace(said or None) if piece.whole else self._text.add(said)
