"""HTTP requests to Entra ID, to Azure's instance metadata and to the publisher of the signing keys."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

from ..config.proxy import proxy_for

REQUEST_TIMEOUT: Final = 5.0
"""Seconds for a whole request."""
LARGEST: Final = 1024 * 1024
"""Bytes of a response; the public cloud's signing keys take about 30 KB."""


@dataclass(frozen=True, slots=True)
class ExchangeReply:
    """An HTTP response, with the attributes that MSAL reads."""

    status_code: int
    text: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)


async def send(method: str, url: str, *, redirects: bool = False, **parts: Any) -> ExchangeReply:
    """Send ``params``, ``data`` and ``headers``, in aiohttp's form, to ``url``.

    Without ``redirects``, a secret reaches the configured address only. There are a few requests a
    day, so each opens its own connection and reads the CA bundle (``SSL_CERT_FILE``) again.

    Raises ``aiohttp.ClientError``, ``TimeoutError`` and ``OSError``. Raises ``ValueError`` for a response
    above :data:`LARGEST`, for one that is not text, and for a redirect away from https.
    """
    # This reads a few hundred certificates, so it runs in a thread.
    context = await asyncio.to_thread(ssl.create_default_context) if url.startswith("https:") else False
    async with (
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=context),
            timeout=aiohttp.ClientTimeout(total=REQUEST_TIMEOUT),
        ) as session,
        session.request(method, url, allow_redirects=redirects, proxy=proxy_for(url), **parts) as response,
    ):
        if context and any(hop.url.scheme != "https" for hop in (*response.history, response)):
            raise ValueError("a redirect led away from https")
        body = bytearray()
        async for chunk in response.content.iter_any():
            body += chunk
            if len(body) > LARGEST:
                raise ValueError("the response is too large")
        return ExchangeReply(response.status, body.decode(), dict(response.headers))
