"""Plain text: URLs, names, graphemes, colours, an SMS's alphabet, paths in JSON, the words of languages."""

from __future__ import annotations

from .direction import without_turns
from .encoding import decode_text
from .gsm import Segments, sms_segments
from .name import clean_spelling, fold_loosely, fold_name
from .terminal import printable, printable_json, printable_lines

__all__ = [
    "Segments",
    "clean_spelling",
    "decode_text",
    "fold_loosely",
    "fold_name",
    "printable",
    "printable_json",
    "printable_lines",
    "sms_segments",
    "without_turns",
]
