"""Words: the engine that finds them, their stems, the language of a text, and courtesy alone."""

from __future__ import annotations

from .engine import EngineError, Entry, Hit, Removal, SearchEngine
from .language import KNOWN, detect, is_stop_word, languages_with, words_by_language
from .stems import find_words, fold_stem, is_unsegmented, split_words, stem_words

__all__ = [
    "KNOWN", "EngineError", "Entry", "Hit", "Removal", "SearchEngine", "detect", "find_words",
    "fold_stem", "is_stop_word", "is_unsegmented", "languages_with", "split_words", "stem_words",
    "words_by_language",
]  # fmt: skip
