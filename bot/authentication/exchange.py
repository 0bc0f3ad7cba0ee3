"""One request to those who know who is who: Entra ID, the instance's metadata, the keys' publisher."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

REQUEST: Final = 5.0
"""Seconds that a whole request may take."""
LARGEST: Final = 1024 * 1024
"""Bytes of an answer; the public cloud's signing keys are some 30 KB."""


@dataclass(frozen=True, slots=True)
class ExchangeReply:
    """An HTTP response, with the names that MSAL asks of one."""

    status_code: int
    text: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)


async def ask(method: str, url: str, *, redirects: bool = False, **parts: Any) -> ExchangeReply:
    """Send ``params``, ``data`` and ``headers``, as aiohttp takes them, to ``url``.

    Without ``redirects``, a secret goes to the address that was configured and nowhere else. These
    requests are some a day, so nothing is kept between them, and a CA bundle that ``SSL_CERT_FILE``
    names is read anew. Raises ``aiohttp.ClientError``, ``TimeoutError``, ``OSError`` or, where the answer
    is above :data:`LARGEST`, no text, or came by http to a question by https, ``ValueError``.
    """
    # It reads a few hundred certificates.
    context = await asyncio.to_thread(ssl.create_default_context) if url.startswith("https:") else False
    async with (
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=context),
            timeout=aiohttp.ClientTimeout(total=REQUEST),
            trust_env=True,
        ) as session,
        session.request(method, url, allow_redirects=redirects, **parts) as response,
    ):
        if context and any(one.url.scheme != "https" for one in (*response.history, response)):
            raise ValueError("a redirect led into the open")
        body = bytearray()
        async for piece in response.content.iter_any():
            body += piece
            if len(body) > LARGEST:
                raise ValueError("the answer is too large")
        return ExchangeReply(response.status, body.decode(), dict(response.headers))
