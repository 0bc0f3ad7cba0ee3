"""The models inside packages, whose numbers are compared together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..retrieval.meaning import AskedWords, TextKind, Vectors, WordCodes
from ..retrieval.words import detect
from . import e5_encoder, english_encoder, universal_encoder
from .bert import SIZE

_ENGLISH: Final = 0.55
"""The share of the English model in the likeness of two English texts."""


class LocalEmbedder:
    """The models of the packages, loaded with the first text that is embedded.

    Each text has a vector of the model for 16 languages, and behind it an English one has that of the English
    model; the others have zeros there. So two English texts are compared by both models, and any others by
    the first one. The words of English texts have codes of the English model, and those of texts in other
    languages of a third one. Loading all three takes about two seconds and 135 MB.
    """

    is_elsewhere = False

    def __init__(self) -> None:
        self._english = english_encoder.EnglishEncoder() if english_encoder.is_installed() else None
        self._others = e5_encoder.E5Encoder() if self._english and e5_encoder.is_installed() else None
        self._all = universal_encoder.UniversalEncoder()
        self.space = universal_encoder.MODEL
        if self._english:
            self.space += f"+{english_encoder.MODEL}+codes"
        if self._others:
            self.space += f"+{e5_encoder.MODEL}"

    async def open(self) -> None:
        """Do nothing; the first text loads the model."""

    async def close(self) -> None:
        """Do nothing."""

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:  # noqa: ARG002
        """A unit vector for each text. Raises :class:`EmbedderError` where the package is not ours."""
        clean = list(map(_clean, texts))
        vectors = self._all.encode(clean)
        return self._add_english(clean, vectors) if self._english else vectors

    def code_question(self, question: str) -> AskedWords | None:
        """The codes of a question's word pieces; None where its language is not known, or has no model."""
        language = detect(question)
        encoder = self._english if language == "english" else self._others if language else None
        return encoder.code_question(_clean(question)) if encoder else None

    def code_words(self, headings: str, units: Sequence[str], language: str | None) -> WordCodes | None:
        """The codes of a passage's word pieces; None where its language has no model."""
        encoder = self._english if language in {"english", None} else self._others
        return encoder.code_words(_clean(headings), list(map(_clean, units))) if encoder else None

    def knows_word(self, word: str) -> bool:
        """Whether a word has few or frequent pieces, in any language. A slip tears it into others."""
        return self._all.knows_word(word)

    def _add_english(self, texts: Sequence[str], vectors: Vectors) -> Vectors:
        known = [index for index, text in enumerate(texts) if detect(text) == "english"]
        found = np.zeros((len(texts), SIZE), np.float32)
        if known and self._english:
            found[known] = _ENGLISH**0.5 * self._english.encode([texts[index] for index in known])
            vectors[known] *= (1 - _ENGLISH) ** 0.5
        return np.concatenate((vectors, found), axis=1)


def _clean(text: str) -> str:
    """A lone surrogate has no UTF-8 form, which the packages' tokenizers need."""
    return text.encode("utf-8", "replace").decode()
