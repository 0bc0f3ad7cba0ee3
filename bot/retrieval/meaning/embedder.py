"""The port of embedding models: texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .word_codes import AskedWords, WordCodes

Vectors = NDArray[np.float32]
"""One vector in each row, of length 1. So the inner product of two rows is their cosine."""


class EmbedderError(Exception):
    """The embedder can't embed now. The error's text is the reason, without any text that was embedded."""


class TextKind(StrEnum):
    """What a text is to a search: some models embed a question otherwise than the passages."""

    QUESTION = "question"
    PASSAGE = "passage"


class Embedder(Protocol):
    """An embedding model. Texts of like meaning get vectors of a high cosine, also across languages."""

    @property
    def space(self) -> str:
        """The name of the space of its vectors: the model, and how it gets its texts.

        Vectors of two spaces are never compared.
        """

    @property
    def is_elsewhere(self) -> bool:
        """Whether it runs on another machine, so that what it embeds leaves this one."""

    async def open(self) -> None:
        """Connect, if that is needed."""

    async def close(self) -> None:
        """Release all resources; there are no further texts."""

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:
        """A unit vector for each text. It blocks, and may be called from several threads.

        Raises :class:`EmbedderError`.
        """
        ...

    def code_question(self, question: str) -> AskedWords | None:
        """The codes of a question's words; None where the model compares whole texts of its language only.

        It blocks, and may be called from several threads. Raises :class:`EmbedderError`.
        """
        ...

    def code_words(self, headings: str, units: Sequence[str], language: str | None) -> WordCodes | None:
        """The codes of the words of a passage, each as it is meant between the others; else as above.

        ``language`` is None where none was detected.
        """
        ...

    def knows_word(self, word: str) -> bool:
        """Whether a word in lower case is one as it is written, and none that was mistyped.

        False where the model can't tell. It may be called from several threads.
        Raises :class:`EmbedderError`.
        """
        ...


def normalize(vectors: Vectors) -> Vectors:
    """The vectors at length 1; a zero vector stays one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
