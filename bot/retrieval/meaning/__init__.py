"""The meaning of passages, as vectors of an embedding model, with which questions are compared."""

from __future__ import annotations

from .comparison import ComparedQuestion, Likeness, PartMeaning
from .embedder import Embedder, EmbedderError, TextKind, Vectors, normalize
from .embedding import FileTest, PassageEmbedding
from .likeness import measure_scale
from .word_codes import AskedWords, Bits, WordCodes, encode_signs

__all__ = [
    "AskedWords", "Bits", "ComparedQuestion", "Embedder", "EmbedderError", "FileTest", "Likeness",
    "PartMeaning", "PassageEmbedding", "TextKind", "Vectors", "WordCodes", "encode_signs", "measure_scale",
    "normalize",
]  # fmt: skip
