"""The rules of a labels file, and the references that they match."""

from __future__ import annotations

import glob
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import normpath
from typing import Final, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from ..model.reference import Reference
from ..text.name import fold_loosely, fold_name, spellings
from ..text.url import ascii_host, safe_url

_WEB_PORTS: Final = {"http": 80, "https": 443}
_NO_OR_WEB: Final = ("", *_WEB_PORTS)
_WIDE_SIGNS: Final = {
    ord(sign): glob.escape(unicodedata.normalize("NFKC", sign)) for sign in "＊﹡？﹖︖⁇⁈⁉［﹇"
}
"""The characters that NFKC makes a sign of a pattern. In a pattern they stand for themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRule:
    """Gives ``label`` to the references that match its one criterion.

    ``id`` equals a reference's id, alias, name or URL. ``url_prefix`` is the beginning of its URL, or of
    an alias that is a URL. Host and dot segments are compared as a browser reads them, and a host only
    whole; ``http`` and ``https`` are alike. ``file`` is a glob pattern such as ``*-draft.docx`` or
    ``hr/*``. It matches the name, and the path or file name in the id, the URL or an alias. All names are
    compared as people mean them (:func:`~citations.text.fold_name`). ``line`` is that of the rule in its
    file, counted from 1.
    """

    label: str
    id: str | None = None
    url_prefix: str | None = None
    file: str | None = None
    line: int | None = field(default=None, compare=False)
    _criterion: tuple[Criterion, str] | None = field(init=False, repr=False, compare=False)
    """The first criterion that is given, and what it wants."""

    def __post_init__(self) -> None:
        given = ((one, getattr(self, name)) for name, one in CRITERIA.items())
        first = next(((one, wanted) for one, wanted in given if wanted is not None), None)
        object.__setattr__(self, "_criterion", first)

    def __str__(self) -> str:
        """The criterion as the labels file has it."""
        given = ((name, getattr(self, name)) for name in CRITERIA)
        return ", ".join(f"{name} {wanted!r}" for name, wanted in given if wanted is not None)

    def matches(self, reference: Reference) -> bool:
        """Whether the rule matches where the reference *is*: its ids and its URLs."""
        return self._criterion is not None and self._criterion[0].matches(self._criterion[1], reference)

    def matches_name(self, reference: Reference) -> bool:
        """Whether the rule matches what the reference is *called*: its names, or its ids and URLs loosely.

        A person who uploads a document may choose names, and a model may write one. Loosely, a name is one
        with its percent-decoded form, the four i of Turkish are one, and a ``[`` of a ``file`` is a bracket.
        """
        return self._criterion is not None and self._criterion[0].matches_name(self._criterion[1], reference)


def _is_named(wanted: str, reference: Reference) -> bool:
    named = () if reference.ordinal else (reference.id, *reference.aliases)
    return any(_identity(name) == _identity(wanted) for name in named)


def _is_called(wanted: str, reference: Reference) -> bool:
    identities = set(_identities(wanted))
    named = (*_names(reference), reference.url, *_loose_places(reference))
    return any(not identities.isdisjoint(_identities(name)) for name in named if name)


def _begins(prefix: str, reference: Reference) -> bool:
    return any(_starts_with(place, prefix) for place in _places(reference))


def _begins_loosely(prefix: str, reference: Reference) -> bool:
    return any(_starts_with(place, prefix, fold_loosely) for place in _loose_places(reference))


def _fits(pattern: str, reference: Reference) -> bool:
    folded = _fold_pattern(pattern)
    return any(fnmatchcase(one, folded) for place in _places(reference) for one in _ends(place))


def _fits_loosely(pattern: str, reference: Reference) -> bool:
    called = {form for name in _names(reference) for form in spellings(name)}
    called.update(path for place in _loose_places(reference) for path in _loose_ends(place))
    return any(fnmatchcase(one, loose) for loose in _loose_patterns(pattern) for one in called)


class Criterion(NamedTuple):
    """How a criterion's wanted value is compared: with where a reference is, and with what it is called."""

    matches: Callable[[str, Reference], bool]
    matches_name: Callable[[str, Reference], bool]


CRITERIA: Final[Mapping[str, Criterion]] = {
    "id": Criterion(_is_named, _is_called),
    "url_prefix": Criterion(_begins, _begins_loosely),
    "file": Criterion(_fits, _fits_loosely),
}
"""The criteria by their keys in the labels file, which are fields of a rule, too."""


def _names(reference: Reference) -> tuple[str, ...]:
    return tuple(name for name in (reference.name, reference.document_name) if name)


def _loose_places(reference: Reference) -> Iterable[str]:
    return dict.fromkeys((*_places(reference), *reference.aliases))


def _places(reference: Reference) -> Iterable[str]:
    name = None if reference.ordinal else reference.id
    return (place for place in (name, reference.url, reference.document_url) if place)


def _starts_with(place: str, prefix: str, fold: Callable[[str], str] = str) -> bool:
    place, prefix = fold(_canonical(place)), fold(_canonical(prefix))
    if not place.startswith(prefix):
        return False
    # `https://example.com` is no prefix of `https://example.com.evil.example`.
    whole_host = prefix.count("/") > 2
    return whole_host or place[len(prefix) : len(prefix) + 1] in ("", "/", "?", "#")


def _identity(name: str) -> str:
    """A name, or a URL, so that two spellings of it are equal."""
    return _canonical(name) if "://" in name else fold_name(name)


def _identities(name: str) -> tuple[str, ...]:
    """The same loosely."""
    return (fold_loosely(_canonical(name)),) if "://" in name else spellings(name)


@lru_cache(maxsize=512)
def _canonical(url: str) -> str:
    """A URL as a browser reads it, so that two spellings of one address are equal."""
    try:
        parts = urlsplit((safe_url(url) or url).replace("\\", "/").strip())
        if parts.scheme in _NO_OR_WEB and not parts.netloc:
            # "https:/host/path" is read like "https://host/path" (WHATWG URL § 4.4, special authority).
            parts = urlsplit(f"//{parts._replace(scheme='').geturl().lstrip('/')}")
        host = _canonical_host(parts)
    except ValueError:
        return fold_name(url)
    scheme = "" if parts.scheme in _NO_OR_WEB else f"{parts.scheme}:"
    path = fold_name(unquote(parts.path))
    if path:
        trailing = "/" if re.search(r"/\.{0,2}\Z", path) else ""
        path = normpath(path).replace("//", "/").rstrip("/") + trailing
    query, fragment = (fold_name(unquote(part)) for part in (parts.query, parts.fragment))
    return f"{scheme}//{host}{path}{f'?{query}' * bool(query)}{f'#{fragment}' * bool(fragment)}"


def _canonical_host(parts: SplitResult) -> str:
    """The host without the dot of the root (RFC 3986 § 3.2.2), and its port if that is not the usual one."""
    host = parts.hostname or ""
    try:
        host = ascii_host(host) or host
    except UnicodeError:
        host = fold_name(host)
    is_usual = parts.port in (None, _WEB_PORTS.get(parts.scheme))
    return host.removesuffix(".") + ("" if is_usual else f":{parts.port}")


@lru_cache(maxsize=512)
def _fold_pattern(pattern: str) -> str:
    return fold_name(pattern.translate(_WIDE_SIGNS)).replace("\\", "/")


@lru_cache(maxsize=512)
def _loose_patterns(pattern: str) -> tuple[str, ...]:
    """``pattern`` in its spellings, each with sets of characters and with brackets that are brackets."""
    forms = (pattern.translate(_WIDE_SIGNS), pattern.replace("[", "[[]").translate(_WIDE_SIGNS))
    return tuple(dict.fromkeys(spelling for form in forms for spelling in spellings(form)))


@lru_cache(maxsize=4096)  # each rule of a file asks for them
def _ends(place: str) -> tuple[str, ...]:
    """A path and the file name at its end, each with and without what follows ``#`` or ``?``."""
    return tuple(_cut(fold_name(unquote(place)).replace("\\", "/")))


@lru_cache(maxsize=4096)
def _loose_ends(place: str) -> tuple[str, ...]:
    """The same loosely."""
    return tuple(dict.fromkeys(end for form in spellings(place) for end in _cut(form)))


def _cut(path: str) -> Iterable[str]:
    for whole in dict.fromkeys((path, re.split(r"[?#]", path, maxsplit=1)[0])):
        yield whole
        yield whole.rpartition("/")[2]
