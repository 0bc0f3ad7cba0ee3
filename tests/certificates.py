"""The certificates that the machine trusts are read once in a process: each time takes 30 ms of CPU.

Every bot, and every client of httpx, reads them when it is opened; the tests open some thousands.
"""

from __future__ import annotations

import os
import ssl
from functools import cache

_WHERE = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""The environment variables that name other certificates, as some tests do."""


def read_certificates_once() -> None:
    """From now on clients that trust the same certificates have the same context."""
    create = ssl.create_default_context

    @cache
    def keep(cafile: str | None, capath: str | None, _where: tuple[str | None, ...]) -> ssl.SSLContext:
        return create(cafile=cafile, capath=capath)

    def create_default_context(
        purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH,
        *,
        cafile: str | None = None,
        capath: str | None = None,
        cadata: str | bytes | None = None,
    ) -> ssl.SSLContext:
        if purpose is not ssl.Purpose.SERVER_AUTH or cadata is not None:
            return create(purpose, cafile=cafile, capath=capath, cadata=cadata)
        return keep(cafile, capath, tuple(map(os.environ.get, _WHERE)))

    ssl.create_default_context = create_default_context
