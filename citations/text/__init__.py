"""Plain text: URLs, names, graphemes, an SMS's alphabet, encodings, controls, the words of languages."""

from __future__ import annotations

from .controls import printable, printable_json, printable_lines, without_turns
from .encoding import SURROGATE, decode_text
from .gsm import Segments, sms_segments
from .name import clean_spelling, did_you_mean, fold_loosely, fold_name, nearest

__all__ = [
    "SURROGATE",
    "Segments",
    "clean_spelling",
    "decode_text",
    "did_you_mean",
    "fold_loosely",
    "fold_name",
    "nearest",
    "printable",
    "printable_json",
    "printable_lines",
    "sms_segments",
    "without_turns",
]
