"""The only module that imports ONNX Runtime, to which it describes models by the weights of packages.

ONNX Runtime unpacks a package's own file to several times its size. In a description that is written here,
weights of four bits stay so, and the table of words stays in the file. Nothing opens a connection: ONNX
Runtime would report the machine, the program and the model to Microsoft, and is told not to.
Governing sources: onnx.proto of ONNX 1.14, and the contrib operators of ONNX Runtime.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..retrieval.meaning import Bits, EmbedderError, Vectors, WordCodes
from .file_rows import FileRows

SIZE: Final = 384
"""The numbers of a word piece's vector."""
_HEADS: Final = 12
_EPSILON: Final = 1e-12
_HEADINGS: Final = 40
"""Headings have at most this many word pieces before each part of a passage."""
_KINDS: Final = {"float32": 1, "uint8": 2}
"""How ONNX names the types of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class NibbleWeights:
    """Weights of four bits each, of which 8 is zero: a row for each number that is written.

    ``weights`` has rows of blocks of bytes, with two weights in each, and each block has a scale.
    """

    weights: NDArray[np.uint8]
    scales: NDArray[np.float32]


Weights = NibbleWeights | NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """What numbers of mean 0 and deviation 1 are multiplied with, and what is added to them."""

    factors: NDArray[np.float32]
    added: NDArray[np.float32]

    def apply(self, rows: NDArray[np.float32]) -> Vectors:
        """Bring each row to the mean and deviation, and scale it."""
        rows = rows - rows.mean(axis=1, keepdims=True)
        rows /= np.sqrt((rows**2).mean(axis=1, keepdims=True) + _EPSILON)
        return np.asarray(rows * self.factors + self.added, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """What a model reads of a word piece: its row of ``words``, made numbers by ``unpack``, and its place."""

    words: FileRows
    unpack: Callable[[Sequence[int], NDArray[np.uint8]], Vectors]
    places: NDArray[np.float32]
    scaling: Scaling

    def read(self, pieces: Sequence[int]) -> Vectors:
        """A row for each piece of a text."""
        rows = self.unpack(pieces, self.words[pieces]) + self.places[: len(pieces)]
        return self.scaling.apply(rows)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A layer of BERT: weights, and what is added to the products of each.

    ``asked`` are the weights of queries, keys and values, ``seen`` those of what attention sees.
    """

    asked: tuple[Weights, Weights, Weights]
    asked_bias: NDArray[np.float32]
    seen: Weights
    seen_bias: NDArray[np.float32]
    seen_scaling: Scaling
    inner: Weights
    inner_bias: NDArray[np.float32]
    outer: Weights
    outer_bias: NDArray[np.float32]
    outer_scaling: Scaling


class _Description:
    """A graph in ONNX that grows: its numbers, and its operators in their order."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def keep(self, name: str, numbers: NDArray[Any]) -> str:
        """Add numbers."""
        sizes = b"".join(_write_field(1, size) for size in numbers.shape)
        kind = _write_field(2, _KINDS[numbers.dtype.name])
        held = sizes + kind + _write_field(8, name) + _write_field(9, numbers.tobytes())
        self.parts.append(_write_field(5, held))
        return name

    def apply(self, operator: str, inputs: Sequence[str], name: str, **attributes: float) -> str:
        """Add an operator, whose result has the name."""
        fields = [*(_write_field(1, one) for one in inputs), _write_field(2, name)]
        fields += [_write_field(4, operator), _write_field(7, "com.microsoft")]
        for key, value in attributes.items():
            is_whole = isinstance(value, int)
            number = _write_field(3 if is_whole else 2, value) + _write_field(20, 2 if is_whole else 1)
            fields.append(_write_field(5, _write_field(1, key) + number))
        self.parts.append(_write_field(1, b"".join(fields)))
        return name

    def multiply(self, source: str, weights: Weights, name: str) -> str:
        """Add a product of what is read and weights."""
        if isinstance(weights, NibbleWeights):
            rows, blocks, size = weights.weights.shape
            held = [self.keep(f"{name}.w", weights.weights), self.keep(f"{name}.s", weights.scales)]
            sizes = {"K": 2 * blocks * size, "N": rows, "bits": 4, "block_size": 2 * size}
            # What is read is rounded to bytes, which halves the time of a question.
            return self.apply("MatMulNBits", [source, *held], name, accuracy_level=4, **sizes)
        return self.apply("FusedMatMul", [source, self.keep(f"{name}.w", weights)], name)

    def scale(self, source: str, other: str, scaling: Scaling, bias: NDArray[np.float32], name: str) -> str:
        """Add the scaled sum of a product, its bias and what the product was made of."""
        held = {"f": scaling.factors, "a": scaling.added, "b": bias}
        inputs = [source, other, *(self.keep(f"{name}.{key}", one) for key, one in held.items())]
        return self.apply("SkipLayerNormalization", inputs, name, epsilon=_EPSILON)


def _describe_model(layers: Iterable[Layer]) -> bytes:
    """A model in ONNX that reads ``text``: rows for word pieces, of what each is and where it stands."""
    graph = _Description()
    rows = "text"
    for number, layer in enumerate(layers):
        name = f"l{number}"
        asked = [
            graph.multiply(rows, one, f"{name}.{key}") for key, one in zip("qkv", layer.asked, strict=True)
        ]
        bias = graph.keep(f"{name}.qkv", layer.asked_bias)
        seen = graph.apply("MultiHeadAttention", [*asked, bias], f"{name}.seen", num_heads=_HEADS)
        product = graph.multiply(seen, layer.seen, f"{name}.sum")
        rows = graph.scale(product, rows, layer.seen_scaling, layer.seen_bias, f"{name}.attention")
        product = graph.multiply(rows, layer.inner, f"{name}.inner")
        bias = graph.keep(f"{name}.gelu.b", layer.inner_bias)
        product = graph.multiply(
            graph.apply("BiasGelu", [product, bias], f"{name}.gelu"), layer.outer, f"{name}.outer"
        )
        rows = graph.scale(product, rows, layer.outer_scaling, layer.outer_bias, f"{name}.output")
    sizes = (_write_field(1, 1), _write_field(2, "pieces"), _write_field(1, SIZE))
    shape = b"".join(_write_field(1, size) for size in sizes)
    kind = _write_field(2, _write_field(1, _write_field(1, 1) + _write_field(2, shape)))
    ends = (_write_field(place, _write_field(1, name) + kind) for place, name in ((11, "text"), (12, rows)))
    graph_fields = b"".join((*graph.parts, _write_field(2, "bert"), *ends))
    operators = _write_field(8, _write_field(1, "com.microsoft") + _write_field(2, 1))
    return _write_field(1, 9) + _write_field(7, graph_fields) + operators


def open_session(layers: Iterable[Layer]) -> Callable[[Vectors], Vectors]:
    """Open a model that runs in one thread: from a row for each word piece of a text to its vector there."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it reports from its import on
    import onnxruntime  # noqa: PLC0415 - it takes 40 MB, which a bot without vectors does not need

    onnxruntime.disable_telemetry_events()  # in Windows, which has another way
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps 300 MB of the longest texts
    session = onnxruntime.InferenceSession(
        _describe_model(layers), options, providers=["CPUExecutionProvider"]
    )
    session._model_bytes = None  # the package keeps them for another try, with other providers
    with suppress(AttributeError, OSError, TypeError):
        # Loading frees memory that glibc keeps; the libraries of other systems have no such call.
        ctypes.CDLL(None).malloc_trim(0)

    def run(rows: Vectors) -> Vectors:
        found: Vectors
        ((found,),) = session.run(None, {"text": rows[None]})
        return found

    return run


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
