"""The titles of documents, by which a reader can tell them apart, and their headings that ask."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from ...languages import LANGUAGES
from ..document import SourceDocument

_LONGEST: Final = 60
"""A title is truncated to this many characters, since Teams shows 80 of a title and a heading."""
_BESIDE: Final = 40
"""The same where the file's name or its folder follows, because others have it, too."""
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
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def name_documents(titles: Mapping[str, str | None]) -> dict[str, str]:
    """The name of each document, by its path; ``titles`` has the title of each path, or None.

    A name is the title, or else the file's name. The latter stands for a title that says nothing, or that
    many files have. Where several names are equal, the file's name or its folder follows in parentheses. The
    file's name stands alone where both are too long.

    >>> name_documents({"a/index.md": "Leave", "b/index.md": "Leave", "pay.md": "Pay", "x.txt": None})
    {'a/index.md': 'Leave (a)', 'b/index.md': 'Leave (b)', 'pay.md': 'Pay', 'x.txt': 'x.txt'}
    """
    counts = Counter(_find_shape(title) for title in titles.values() if title)
    titles = {
        path: title if title and _names(title, PurePosixPath(path), counts[_find_shape(title)]) else None
        for path, title in titles.items()
    }
    equals: dict[str, list[str]] = defaultdict(list)
    for path, title in titles.items():
        equals[_normalize(title or PurePosixPath(path).name)].append(path)
    names: dict[str, str] = {}
    for title, paths in equals.items():
        for path, place in zip(paths, _find_places(title, paths), strict=True):
            file = PurePosixPath(path).name
            names[path] = _write_name(titles[path] or file, place, is_file=place.endswith(file))
    return {path: names[path] for path in titles}


def _names(title: str, file: PurePosixPath, count: int) -> bool:
    """Whether a title names the document of a file, where ``count`` documents have one of its shape."""
    stem = file.stem.casefold()
    if _DATE.fullmatch(title):
        return False
    if stem in _EMPTY or not _WORD.search(stem):
        return True
    if _normalize(title) in _EMPTY or count >= _MANY:
        return False
    is_alike = not set(_WORD.findall(title.casefold())).isdisjoint(_WORD.findall(stem))
    return is_alike or not _NUMBERED.match(title)


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
    name = f"{_truncate(title, _BESIDE)} ({place})"
    return place if is_file and len(name) > _LONGEST else name


def _truncate(title: str, room: int = _LONGEST) -> str:
    """Truncate a title at a word, on one line."""
    title = " ".join(title.split())
    if len(title) <= room:
        return title
    cut = title.rfind(" ", room // 2, room)
    return title[: cut if cut > 0 else room - 1].rstrip(" ,;:–-") + "…"


def _find_places(title: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield for each of the paths with one title what tells it apart, which may be empty for a single one."""
    files = [PurePosixPath(path) for path in paths]
    names = {file.name.casefold() for file in files}
    folders = {file.parent for file in files}
    for file in files:
        folder = "" if file.parent == PurePosixPath() else str(file.parent)
        folder = folder if len(folder) <= _LONGEST_FOLDER else f"…{folder[-_LONGEST_FOLDER:]}"
        is_empty = title in _EMPTY or title == file.name.casefold()
        if len(files) == 1 and title not in _EMPTY:
            yield ""
        elif len(names) == len(files) and not (is_empty and file.stem.casefold() in _EMPTY and folder):
            yield "" if title == file.name.casefold() else file.name
        elif len(folders) == len(files):
            yield folder or ("" if title == file.name.casefold() else file.name)
        else:
            yield str(file)


ASKING: Final = 0
"""The rank of headings that ask. Indexes of earlier versions have others, of instructions and statements."""
_MOST: Final = 8
"""The most questions of one document."""
_LONGEST_QUESTION: Final = 90
"""The most characters of a question."""
_NUMBER: Final = re.compile(r"^[\d.]+\s+(?=\D)")


def find_questions(document: SourceDocument) -> tuple[tuple[int, str], ...]:
    """Pairs of rank and question for a document."""
    headings = dict.fromkeys(section.headings[-1] for section in document.sections if section.headings)
    asking = dict.fromkeys(_list_asking(headings))
    return tuple((ASKING, question) for question in islice(asking, _MOST))


def _list_asking(headings: Iterable[str]) -> Iterator[str]:
    for heading in (_NUMBER.sub("", one) for one in headings):
        if heading.endswith(("?", "？")) and len(heading) <= _LONGEST_QUESTION:
            yield heading
