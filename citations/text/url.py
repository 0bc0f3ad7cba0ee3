"""Which URLs may leave the library, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

import idna

from .name import fold_name

MAX_URL: Final = 4096
"""Characters. A longer URL is no usable link."""
_REFUSED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\]|%(?:00|0[aAdD])")
LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ENTITY: Final = re.compile(r"&(#?[0-9A-Za-z]{1,32});")
_UNSAFE: Final = re.compile(r"""[^A-Za-z0-9\-._~:/?#@!$&'*+,;=%]""")
_PATH: Final = re.compile(
    r"(?!https?:)[a-z][a-z0-9+.-]*:/(?:[^?#]*/)?([^/?#]+)/*(?:[?#].*)?", re.DOTALL | re.IGNORECASE
)
_ADDRESS: Final = re.compile(
    # With a scheme, with www, a host with a path, or a host that no file's name looks like.
    r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+"
    r"|(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?/\S*|(?:[\w-]+\.)+(?:com|edu|gov|net|org)"
)
_AROUND: Final = " \t<>()[]\"'“”‘’«»…"
_HOST: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_\-.]*[a-z0-9_])?\.?", re.ASCII)


def safe_url(url: str) -> str | None:
    """``url`` as it may stand in a link definition and in the graph, or None if it may not.

    Only ``http`` and ``https`` pass, without a user name. The result is pure ASCII: the host by UTS 46,
    the rest percent-encoded, blanks included. So Markdown readers and browsers return the same string, and
    Web Chat, which compares strings, finds the badge's claim. The result has nothing that an entity or an
    escape could change.
    """
    url = url.strip()
    return _safe(url) if url and len(url) <= MAX_URL else None


@lru_cache(maxsize=256)  # an answer asks for each of its URLs some eight times
def _safe(url: str) -> str | None:
    if _REFUSED.search(url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
        host = ascii_host(parts.hostname or "")
    except (ValueError, UnicodeError):
        return None
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https") or host is None or "@" in parts.netloc:
        return None
    authority = host if port is None else f"{host}:{port}"
    behind = url[url.index("://") + 3 + len(parts.netloc) :]
    encoded = _percent_encode(behind)
    return None if encoded is None else f"{scheme}://{authority}{encoded}"


def ascii_host(host: str) -> str | None:
    """A host in lower case by UTS 46; None for one that is none. Raises ``UnicodeError`` as IDNA does."""
    if not host.isascii():
        host = idna.encode(host, uts46=True).decode("ascii")
    host = host.lower()
    return host if len(host) <= 253 and _HOST.fullmatch(host) and ".." not in host else None


def _percent_encode(text: str) -> str | None:
    try:
        encoded = _UNSAFE.sub(_encode, LONE_PERCENT.sub("%25", text))
    except UnicodeEncodeError:
        return None
    # "Entity and numeric character references are recognized in … URLs" (CommonMark § 2.5).
    return _ENTITY.sub(r"&\1%3B", encoded)


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8"))


def last_part(url: str) -> str:
    """The last part of the path of a URL that is no link: ``f.pdf`` of ``s3://b/f.pdf``; else empty.

    >>> last_part("sandbox:/mnt/data/a%20b.csv"), last_part("javascript:alert(1)")
    ('a b.csv', '')
    """
    path = _PATH.fullmatch(url)
    return unquote(path[1]) if path else ""


def host_of(url: str) -> str:
    """The host and port of a safe URL: ``example.com``, ``localhost:3978``."""
    return urlsplit(url).netloc


def host_in_name(name: str) -> str | None:
    """The host of a name that looks like an address, in lower case; None where it looks like none.

    >>> host_in_name("https://Good.example/login"), host_in_name("good.example/login"), host_in_name("a.pdf")
    ('good.example', 'good.example', None)
    """
    # Each of them has a full stop or a scheme.
    if "." not in name and "://" not in name and name.isascii():
        return None
    address = fold_name(name).strip(_AROUND)
    if not _ADDRESS.fullmatch(address):
        return None
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
    except ValueError:
        return ""
    # What stands before an @ looks like the host, and is none.
    return "" if "@" in parts.netloc else parts.hostname or ""


def live_url(url: str, live_hosts: frozenset[str]) -> str | None:
    """``url`` if its host is in ``live_hosts``, so that it may stay a link; else None."""
    if not live_hosts:
        return None
    safe = safe_url(url)
    return safe if safe and host_of(safe) in live_hosts else None


def live_hosts_only(live_hosts: frozenset[str]) -> Callable[[str], str | None]:
    """:func:`live_url` for these hosts."""
    return lambda url: live_url(url, live_hosts)
