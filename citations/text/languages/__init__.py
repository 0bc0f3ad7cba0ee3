"""What the library understands of each language: numbers, dates, units, abbreviations, the words of markers.

Each language is one TOML file beside this module, named by its BCP 47 tag. The files are read once, where a
word of theirs is needed first. No language has to be known: few words of one are words of another.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

__all__ = ["LANGUAGES", "LanguageFiles", "either", "split_words"]


class LanguageFiles:
    """The files of the languages in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """What each file says, by its language's tag. Raises ``ValueError``, which names the file."""
        names = sorted(one.name for one in self.folder.iterdir() if one.name.endswith(".toml"))
        return {name.removesuffix(".toml"): _read(self.folder / name) for name in names}

    def words_of(self, table: str, name: str) -> tuple[str, ...]:
        """The words that all languages have under ``name`` in ``table``, each once."""
        found = (split_words(one.get(table, {}).get(name, "")) for one in self.tables.values())
        return tuple(dict.fromkeys(word for words in found for word in words))

    def entries_of(self, table: str, name: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
        """The keys of ``table`` in each language, or of the table ``name`` in it, with their words."""
        for language in self.tables.values():
            found = language.get(table, {})
            for key, words in (found.get(name, {}) if name else found).items():
                yield key, split_words(words)


LANGUAGES: Final = LanguageFiles(Path(__file__).parent)


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def split_words(words: str | Iterable[str]) -> tuple[str, ...]:
    """The words of a string, or the phrases of an array."""
    return tuple(words.split() if isinstance(words, str) else words)


def either(words: Iterable[str]) -> str:
    r"""A regular expression for one of ``words``, the longest first; never, without any.

    A space stands for any white space, and ``'`` for any apostrophe. A last full stop may be missing.

    >>> either(["ca.", "up to"])
    '(?:up\\sto|ca\\.?)'
    """
    longest = sorted(map(_write_pattern, set(words)), key=lambda pattern: (-len(pattern), pattern))
    return f"(?:{'|'.join(longest)})" if longest else "(?!)"


def _write_pattern(phrase: str) -> str:
    pattern = re.escape(phrase.removesuffix(".")).replace(r"\ ", r"\s").replace("'", "['’]")
    return f"{pattern}\\.?" if phrase.endswith(".") else pattern
