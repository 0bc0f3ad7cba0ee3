"""Packages of npm that the page needs, fetched from a registry, and used only if their hash is pinned."""

from __future__ import annotations

import hashlib
import ssl
import time
from base64 import b64encode
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

from ..config.loopback import is_loopback
from ..config.npm_registry import npm_registry

LONGEST: Final = 180.0
"""Seconds that a package's content may take."""
SILENCE: Final = 20.0
"""Seconds without a byte after which a registry counts as absent."""
_LARGEST: Final = 64 * 1024 * 1024
_PIECE: Final = 256 * 1024


class PackageError(Exception):
    """A package can't be had. The message is one sentence with the reason."""


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """One version of a package without a scope. ``integrity`` is that of its archive, as npm writes it."""

    name: str
    version: str
    integrity: str

    def fetch(self, longest: float = LONGEST, silence: float = SILENCE) -> bytes:
        """The archive, a gzipped tar, from the registry that ``npm_config_registry`` names, else npm's own.

        Blocks, at most for ``longest`` seconds once the registry answers. ``HTTPS_PROXY`` and ``NO_PROXY``
        count. Raises :class:`PackageError`.
        """
        try:
            url = f"{npm_registry()}{self.name}/-/{self.name}-{self.version}.tgz"
        except ValueError as error:
            raise PackageError(str(error)) from None
        host = urlsplit(url).netloc
        try:
            content = _download(url, longest, silence)
        except HTTPError as error:
            raise PackageError(f"{host} answered {error.code}") from None
        except (OSError, HTTPException, ValueError) as error:
            cause = error.reason if isinstance(error, URLError) else error
            raise PackageError(f"{host} did not answer: {cause or type(error).__name__}") from None
        if not self.is_archive(content):
            raise PackageError(f"what {host} sent is not the package {self.name} that was pinned")
        return content

    def is_archive(self, content: bytes) -> bool:
        """Whether ``content`` is the archive of this package."""
        return integrity(content, "sha512") == self.integrity


def integrity(content: bytes, algorithm: str) -> str:
    """The hash of ``content`` in the form of npm and Subresource Integrity: ``sha512-…``."""
    return f"{algorithm}-{b64encode(hashlib.new(algorithm, content).digest()).decode('ascii')}"


def _download(url: str, longest: float, silence: float) -> bytes:
    # No proxy leads to this machine. For all else the usual variables count, or the system's settings.
    proxies: dict[str, str] | None = {} if is_loopback(urlsplit(url).hostname or "") else None
    opener = build_opener(ProxyHandler(proxies), HTTPSHandler(context=ssl.create_default_context()))
    with opener.open(url, timeout=silence) as response:
        return _read(response, time.monotonic() + longest)


def _read(response: HTTPResponse, deadline: float) -> bytes:
    content = bytearray()
    while piece := response.read1(_PIECE):
        content += piece
        if len(content) > _LARGEST:
            raise PackageError("the registry sent more than a package has")
        if time.monotonic() > deadline:
            raise PackageError("the registry is too slow")
    if response.length:
        raise PackageError("the registry's connection was cut")
    return bytes(content)
