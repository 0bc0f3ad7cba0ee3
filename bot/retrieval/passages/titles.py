"""The titles of documents, by which a reader can tell them apart, and their headings that ask."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from ...languages import LANGUAGES
from ..document import SourceDocument, find_shared

_LONGEST: Final = 60
"""A name has at most so many characters, since Teams shows 80 of a name and a heading."""
_BESIDE: Final = 40
"""The most characters of a title before a folder, which follows whole."""
_LEAST: Final = 24
"""Of a longer title at least so many stand before the file's name, which stands alone else."""
_LONGEST_FOLDER: Final = 40
_EMPTY: Final = frozenset(LANGUAGES.words_of("text", "empty"))
"""Titles that say nothing about a document."""
_DATE: Final = re.compile(
    rf"(?:\b(?:{'|'.join(LANGUAGES.words_of('answers', 'dates'))})\b|[\W\d_])*+", re.IGNORECASE
)
"""The heading of the first day in a document of several."""
_NUMBERED: Final = re.compile(
    rf"""(?:§+\s*\d+|\d+(?:\.\d+)*[.)]|\d+(?:\.\d+)+
    |{"|".join(LANGUAGES.words_of("answers", "references"))})\s""",
    re.VERBOSE | re.IGNORECASE,
)
"""The heading of a document's first section."""
_MANY: Final = 3
"""A title that so many files have, but for its numbers, is that of none of them."""
_DIGITS: Final = re.compile(r"\d+")


def name_documents(titles: Mapping[str, str | None]) -> dict[str, str]:
    """The name of each document, by its path; ``titles`` has the title of each path, or None.

    What a file says first may be its author, its first section or the title of a form. So a title stands
    alone only where the file's name confirms it, or says nothing. Else the file's name follows.
    It stands for a title that says nothing or that many files have, and where both are too long. What tells
    equal names apart follows, too: the file's name or its folder.

    >>> name_documents({"a/index.md": "Leave", "b/index.md": "Leave", "pay.md": "Pay", "x.txt": None})
    {'a/index.md': 'Leave (a)', 'b/index.md': 'Leave (b)', 'pay.md': 'Pay', 'x.txt': 'x.txt'}
    >>> name_documents({"by-laws.pdf": "Penguin College"})
    {'by-laws.pdf': 'Penguin College (by-laws.pdf)'}
    """
    counts = Counter(_find_shape(title) for title in titles.values() if title)
    files = Counter(PurePosixPath(path).name.casefold() for path in titles)
    silent = {path for path in titles if files[PurePosixPath(path).name.casefold()] > 1 or _is_silent(path)}
    confirmed = silent | {path for path, title in titles.items() if title and _confirms(path, title)}
    titles = {
        path: title if title and _names(title, counts, path in silent, path in confirmed) else None
        for path, title in titles.items()
    }
    equals: dict[str, list[str]] = defaultdict(list)
    for path, title in titles.items():
        equals[_normalize(title or PurePosixPath(path).name)].append(path)
    names: dict[str, str] = {}
    for title, paths in equals.items():
        for path, place in zip(paths, _find_places(title, paths), strict=True):
            file = PurePosixPath(path).name
            beside = place or ("" if path in confirmed or not titles[path] else file)
            names[path] = _write_name(titles[path] or file, beside, is_file=beside.endswith(file))
    return {path: names[path] for path in titles}


def _names(title: str, counts: Mapping[str, int], is_silent: bool, is_confirmed: bool) -> bool:
    """Whether a title says which document it is."""
    if _DATE.fullmatch(title):
        return False
    if _normalize(title) in _EMPTY:
        return is_silent
    return is_confirmed or not (counts[_find_shape(title)] >= _MANY or _NUMBERED.match(title))


@lru_cache(maxsize=20_000)  # an index names all of its documents whenever one changes
def _is_silent(path: str) -> bool:
    """Whether a file's name says nothing."""
    stem = PurePosixPath(path).stem.casefold().strip("_")
    return stem in _EMPTY or not find_shared(stem, "")


@lru_cache(maxsize=20_000)
def _confirms(path: str, title: str) -> bool:
    """Whether the file's name has a word of the title as it is shown, or the title one of that."""
    stem, title = PurePosixPath(path).stem, _truncate(title)
    return any(find_shared(stem, title)) or any(find_shared(title, stem))


def _find_shape(title: str) -> str:
    """The title without its numbers: ``Policy 12`` and ``Policy 13`` are alike."""
    return _DIGITS.sub("0", _normalize(title))


def is_same_title(one: str, other: str) -> bool:
    """Whether two titles differ in case and white space at most."""
    return _normalize(one) == _normalize(other)


def _normalize(title: str) -> str:
    return _truncate(title).casefold()


def _write_name(title: str, place: str, *, is_file: bool) -> str:
    if not place:
        return _truncate(title)
    room = _LONGEST - len(f" ({place})") if is_file else _BESIDE
    return place if len(title) > room < _LEAST else f"{_truncate(title, room)} ({place})"


def _truncate(title: str, room: int = _LONGEST) -> str:
    """Truncate a title at a word, on one line."""
    title = " ".join(title.split())
    if len(title) <= room:
        return title
    cut = title.rfind(" ", room // 2, room)
    return title[: cut if cut > 0 else room - 1].rstrip(" ,;:–-") + "…"


def _find_places(title: str, paths: Sequence[str]) -> Sequence[str]:
    """For each of the paths with one title what tells it apart: nothing, its file's name, folder, or path."""
    files = [PurePosixPath(path) for path in paths]
    is_file = title == files[0].name.casefold()
    names = ["" if is_file else file.name for file in files]
    folders = [_write_folder(file) or name for file, name in zip(files, names, strict=True)]
    ways = [[""] * len(files), names, folders]
    says_nothing = (is_file or title in _EMPTY) and _is_silent(paths[0])
    distinct = (way for way in ways[2 * says_nothing :] if len(set(map(str.casefold, way))) == len(files))
    return next(distinct, paths)


def _write_folder(file: PurePosixPath) -> str:
    folder = "" if file.parent == PurePosixPath() else str(file.parent)
    return folder if len(folder) <= _LONGEST_FOLDER else f"…{folder[-_LONGEST_FOLDER:]}"


ASKING: Final = 0
"""The rank of headings that ask. Indexes of earlier versions have others, of instructions and statements."""
_MOST: Final = 8
"""The most questions of one document."""
_LONGEST_QUESTION: Final = 90
"""The most characters of a question."""
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")


def find_questions(document: SourceDocument) -> tuple[tuple[int, str], ...]:
    """Pairs of rank and question for a document."""
    headings = (_NUMBER.sub("", section.headings[-1]) for section in document.sections if section.headings)
    asking = (one for one in headings if one.endswith(("?", "？")) and len(one) <= _LONGEST_QUESTION)
    return tuple((ASKING, question) for question in islice(dict.fromkeys(asking), _MOST))
