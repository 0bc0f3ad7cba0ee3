"""The certificates that the machine trusts are read once in a process: each time takes 30 ms of CPU.

Every bot, and every client of httpx, reads them when it is opened; the tests open some thousands. None of
these changes its context. Redis' client would, for ``rediss://``, which no test opens.
"""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any, Final

_WHERE: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""The environment variables that name other certificates, as some tests do."""


def read_certificates_once() -> None:
    """From now on clients that trust the same certificates have the same context."""
    create = ssl.create_default_context

    @cache
    def keep(cafile: str | None, _where: tuple[str | None, ...]) -> ssl.SSLContext:
        return create(cafile=cafile)

    def create_or_keep(*purpose: ssl.Purpose, cafile: str | None = None, **others: Any) -> ssl.SSLContext:
        if purpose or others:  # a server's, or one with certificates of its own
            return create(*purpose, cafile=cafile, **others)
        return keep(cafile, tuple(map(os.environ.get, _WHERE)))

    ssl.create_default_context = create_or_keep  # type: ignore[assignment]
