"""The rules of a labels file, and the references that they match."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import normpath
from typing import Final
from urllib.parse import unquote, urlsplit

from ..model.reference import Reference
from ..text.url import safe_url

_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRule:
    """Gives ``label`` to the references that match its one criterion.

    ``id`` equals a reference's id, alias, name or URL. ``url_prefix`` is the beginning of its URL, or of
    an alias that is a URL. Scheme, host and dot segments are compared as a browser reads them, and a host
    only whole. ``file`` is a glob pattern such as ``*-draft.docx`` or ``hr/*``. It matches the name, and
    the path or file name in the id, the URL or an alias. Case doesn't matter.
    """

    label: str
    id: str | None = None
    url_prefix: str | None = None
    file: str | None = None

    def __str__(self) -> str:
        """The criterion as the labels file has it."""
        values = {"id": self.id, "url_prefix": self.url_prefix, "file": self.file}
        return ", ".join(f"{key} {value!r}" for key, value in values.items() if value is not None)

    def matches(self, reference: Reference) -> bool:
        """Whether the rule matches where the reference *is*: its ids and its URLs."""
        if self.id is not None:
            return not reference.ordinal and self.id in (reference.id, *reference.aliases)
        if self.url_prefix is not None:
            return any(_starts_with(place, self.url_prefix) for place in _places(reference))
        return any(self._fits(path) for place in _places(reference) for path in _paths(place))

    def matches_name(self, reference: Reference) -> bool:
        """Whether the rule matches what the reference is *called*: its name and its aliases.

        A person who uploads a document may choose these, and a model may write the name.
        """
        if self.id is not None:
            return self.id in (reference.name, reference.url, *reference.aliases)
        if self.url_prefix is not None:
            return any(_starts_with(alias, self.url_prefix) for alias in reference.aliases)
        paths = (path for alias in reference.aliases for path in _paths(alias))
        return (reference.name is not None and self._fits(reference.name)) or any(map(self._fits, paths))

    def _fits(self, path: str) -> bool:
        return self.file is not None and fnmatchcase(path.casefold(), self.file.casefold())


def _places(reference: Reference) -> Iterable[str]:
    name = None if reference.ordinal else reference.id
    return (place for place in (name, reference.url, reference.document_url) if place)


def _starts_with(place: str, prefix: str) -> bool:
    place, prefix = _canonical(place), _canonical(prefix)
    if not place.startswith(prefix):
        return False
    # `https://example.com` is no prefix of `https://example.com.evil.example`.
    whole_host = prefix.count("/") > 2
    return whole_host or place[len(prefix) : len(prefix) + 1] in ("", "/", "?", "#")


@lru_cache(maxsize=512)
def _canonical(url: str) -> str:
    """A URL as a browser reads it, so that two spellings of one address are equal."""
    try:
        parts = urlsplit((safe_url(url) or url).replace("\\", "/").strip())
    except ValueError:
        return url
    scheme = parts.scheme.lower()
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(_DEFAULT_PORTS.get(scheme, ":"))
    path = unquote(parts.path)
    if path:
        trailing = "/" if re.search(r"/\.{0,2}\Z", path) else ""
        path = normpath(path).replace("//", "/").rstrip("/") + trailing
    rest = (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return f"{scheme}://{host}{path}{rest}"


def _paths(place: str) -> Iterable[str]:
    """A path and the file name at its end, each with and without what follows ``#`` or ``?``."""
    path = unquote(place).replace("\\", "/")
    for whole in dict.fromkeys((path, re.split(r"[?#]", path, maxsplit=1)[0])):
        yield whole
        yield whole.rpartition("/")[2]
