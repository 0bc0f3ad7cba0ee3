"""When two references are one source: they have the same id or the same URL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from ..model.citation import Citation
from ..model.reference import Reference
from ..text.name import fold_name
from ..text.url import host_in_name, safe_url

_TRACKING: Final = re.compile(r"(?<=[?&])utm_source=[^&#]*&?")
_ENDING: Final = re.compile(r"(?<=[^\W_])\.[a-z0-9]{1,5}\Z")
"""The ending of a file's name."""
_FILE: Final = re.compile(r"[^/\\\[\]\n]{1,120}\.[A-Za-z][A-Za-z0-9]{0,7}")
"""The name of a file."""
_PAGE: Final = re.compile(r"(?:^|&)page=([1-9]\d{0,5})(?=&|:~:|\Z)", re.ASCII | re.IGNORECASE)
_NO_LETTER: Final = re.compile(r"[\W_]+")
_QUERY_END: Final = re.compile(r"[?&](?=#|\Z)")
WITH_PAGE: Final = 6
"""The most spellings of a link's target with its own page. Those without it follow."""


class SourceIndex:
    """The distinct sources of the references so far, and the spellings that find them.

    A source has a number, counted from 1 in the order of arrival. A reference belongs to the source with
    its id, else to the one with its URL. Later references never change that.
    """

    def __init__(self) -> None:
        self._parts: dict[int, list[Reference]] = {}
        self._numbers: dict[str, int] = {}
        self._names: dict[str, int] = {}
        """The sources by what they are called, too: two that share such a name stay two."""

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, reference: Reference) -> int:
        """Add a reference and return the number of its source."""
        spellings = spellings_of(reference)
        number = self.find(spellings) or len(self._parts) + 1
        self._parts.setdefault(number, []).append(reference)
        for spelling in spellings:
            self._numbers.setdefault(spelling, number)
        for name in other_names_of(reference):
            self._names.setdefault(name, number)
        return number

    def find(self, spellings: Iterable[str]) -> int | None:
        """The source of the first known spelling."""
        for spelling in spellings:
            if spelling in self._numbers:
                return self._numbers[spelling]
        return None

    def find_named(self, spellings: Iterable[str]) -> int | None:
        """The same, by an alias or the name of a file, too."""
        return next(
            (found for one in spellings if (found := self.find((one,)) or self._names.get(one))), None
        )

    def parts(self, number: int) -> tuple[Reference, ...]:
        """The references of one source, in the order of arrival."""
        return tuple(self._parts[number])

    def __iter__(self) -> Iterator[tuple[Reference, ...]]:
        return map(tuple, self._parts.values())


def distinct_sources(references: Iterable[Reference]) -> tuple[Citation, ...]:
    """The sources of ``references``, numbered in order. :func:`cite` distinguishes the same sources.

    >>> page = Reference(id="a", url="https://example.com/x")
    >>> again = Reference(id="b", url="https://example.com/x/")
    >>> [(one.position, len(one.parts)) for one in distinct_sources([page, again, Reference(id="c")])]
    [(1, 2), (2, 1)]
    """
    index = SourceIndex()
    for reference in references:
        index.add(reference)
    return tuple(Citation(number, join_references(parts), parts) for number, parts in enumerate(index, 1))


def join_references(parts: Sequence[Reference], name: str | None = None) -> Reference:
    """One source of several references: their texts together, and the first known value of each field.

    ``name`` is the name of a source that has none itself.
    """
    if len(parts) == 1:
        return parts[0] if parts[0].name or not name else replace(parts[0], name=name)

    def first(field: str) -> str | None:
        return next((value for part in parts if (value := getattr(part, field))), None)

    texts = dict.fromkeys(part.text for part in parts if part.text)
    places = {(part.page, part.last_page, part.place) for part in parts}
    return replace(
        parts[0],
        name=first("name") or name or None,
        url=next((part.url for part in parts if safe_url(part.url or "")), first("url")),
        text="\n\n".join(texts) or None,
        page=parts[0].page if len(places) == 1 else None,
        last_page=parts[0].last_page if len(places) == 1 else None,
        place=parts[0].place if len(places) == 1 else None,
        media_type=first("media_type"),
        modified=first("modified"),
        accessed=first("accessed"),
        editor=first("editor"),
        document_url=first("document_url"),
        document_name=first("document_name"),
        complete=all(part.complete for part in parts),
        aliases=tuple(dict.fromkeys(alias for part in parts for alias in part.aliases)),
        keywords=tuple(dict.fromkeys(keyword for part in parts for keyword in part.keywords)),
    )


def spellings_of(reference: Reference) -> tuple[str, ...]:
    """The names by which a marker may cite ``reference``. Two references that share one are one source."""
    if not reference.url:
        return (reference.id,)
    return (reference.id, reference.url, normal_url(reference.url))


def other_names_of(reference: Reference) -> Iterator[str]:
    """The other names by which a link or brackets may cite ``reference``: its aliases, and its file's name.

    Behind the name of a file, its page may stand. A number is none.
    """
    path = (reference.url or "").partition("#")[0].partition("?")[0].partition("://")
    folder, _, last = (path[2] or path[0]).rpartition("/")
    called = (reference.name or "", reference.id, unquote(last) if folder else "")
    files = (one for one in called if "." in one and _FILE.fullmatch(one) and host_in_name(one) is None)
    for name in dict.fromkeys((*reference.aliases, *files)):
        if not name.isdecimal():
            yield name
            if reference.page:
                yield f"{name}#page={reference.page}"


def split_page(address: str) -> tuple[str, int | None]:
    """A link's target without the page in its fragment, and that page (RFC 8118 § 3).

    >>> split_page("https://example.com/a.pdf#zoom=50&page=2"), split_page("a.pdf#top")
    (('https://example.com/a.pdf', 2), ('a.pdf#top', None))
    """
    base, _, fragment = address.partition("#")
    page = _PAGE.search(fragment)
    return (base, int(page[1])) if page else (address, None)


def is_name(words: str, parts: Iterable[Reference], name: str) -> bool:
    """Whether the references of a source are called so; ``name`` is what they are called without a name."""
    called = [part.name for part in parts if part.name] or [name]
    called += (
        other for part in parts for other in (part.id, part.url, part.document_name, *part.aliases) if other
    )
    wanted = _letters_of(words)
    return any(_letters_of(one) == wanted for one in called)


def _letters_of(name: str) -> str:
    """The letters and digits of a name, without the ending of a file."""
    return _NO_LETTER.sub("", _ENDING.sub("", fold_name(name)))


def normal_url(url: str) -> str:
    """A URL in a comparable form, without ``&amp;``, trailing slash and percent-encoding.

    A text fragment (``#:~:text=…``) is removed, too: it only says what to highlight. So is ``utm_source``,
    which providers add to a page's URL.
    """
    cleaned = safe_url(url.replace("&amp;", "&")) or unquote(url)
    if "utm_source=" in cleaned:
        cleaned = _QUERY_END.sub("", _TRACKING.sub("", cleaned))
    return cleaned.partition(":~:")[0].removesuffix("#").rstrip("/")


def target_spellings(target: str) -> tuple[str, ...]:
    """The ids and URLs that a link's target may stand for, and then those without its page."""
    base, page = split_page(target)
    if page is None:
        return _spellings(target)
    return (*_spellings(target), *(f"{one}#page={page}" for one in _spellings(base)), *_spellings(base))


def _spellings(target: str) -> tuple[str, ...]:
    return (target, unquote(target), normal_url(target))
