"""The address of a source as a provider sends it: what is a URL, what is one source, and what names it.

Whether a URL becomes a link is decided where it is shown (:func:`citations.text.url.safe_url`). One that
does not, such as ``s3://bucket/report.pdf``, names its source by its last part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from ..markers.source_identity import normal_url
from ..model.reference import Reference
from ..text.url import safe_url
from .conversion import others

_URL: Final = re.compile(r"https?://.*|[A-Za-z][A-Za-z0-9+.\-]+:\S+|//\S+", re.IGNORECASE | re.DOTALL)
"""A URL of any scheme, and no file's path, id or title. Google's links to its own search have blanks."""
_SCHEME: Final = re.compile(r"(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]*+:(?://)?")
_PART: Final = re.compile(r"[^/\\?#]+")


class SourceAddress(NamedTuple):
    """What an address becomes in a reference."""

    id: str
    """The same for two addresses of one source."""
    url: str | None
    """The URL, as the provider sent it; None for a path, an id or a title."""
    name: str | None
    """The name of a source without a title. A page of the web has none: a rendering shows its host."""


def read_address(address: str) -> SourceAddress:
    """What ``address``, a URI, path or name, becomes.

    OpenAI appends ``utm_source=openai``. The page with such parameters and the one without are one source.

    >>> read_address("https://e.com/a?utm_source=openai")
    SourceAddress(id='https://e.com/a', url='https://e.com/a?utm_source=openai', name=None)
    >>> read_address("s3://bucket/2024/Travel%20guide.pdf")
    SourceAddress(id='s3://bucket/2024/Travel%20guide.pdf', url='s3://bucket/2024/Travel%20guide.pdf', \
name='Travel guide.pdf')
    """
    address = address.strip()
    if safe_url(address):
        return SourceAddress(normal_url(address), address, None)
    return SourceAddress(address, address if _URL.fullmatch(address) else None, _last_part(address))


def describe_source(  # noqa: PLR0913 - the names are its documentation
    address: str,
    name: str | None,
    *,
    key: str = "",
    otherwise: str = "",
    names: Iterable[object] = (),
    pages: tuple[int | None, int | None] = (None, None),
    **about: Any,
) -> Reference:
    """The reference of a source, of which ``address`` and ``name`` may be empty.

    Its id is ``key``, else what identifies its address, else ``otherwise``. ``names`` are its other ids and
    names. ``pages`` are the first and the last of the passage. ``about`` are further fields.
    """
    where = read_address(address)
    if name and name.strip().isdecimal() and where.url and not where.name:
        # xAI's title of a page is its number.
        name = None
    identifier, shown = key or where.id or otherwise, name or where.name
    first, last = pages
    return Reference(
        id=identifier,
        url=where.url,
        name=shown,
        page=first,
        last_page=last if first and last and last > first else None,
        aliases=others((*names, address), identifier, name, shown, where.url),
        **about,
    )


def _last_part(address: str) -> str | None:
    parts = _PART.findall(_SCHEME.sub("", address, count=1).partition("?")[0].partition("#")[0])
    return unquote(parts[-1]).strip() or None if parts else None
