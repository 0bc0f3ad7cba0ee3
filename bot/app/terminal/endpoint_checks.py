"""What ``doctor`` looks at from outside: the messaging endpoint, as Azure Bot Service meets it."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import aiohttp
from aiohttp import hdrs

from ...access.exchange import send
from ...config.routes import MESSAGES
from .finding import Finding, fault, good, reason
from .registration_checks import SOON

_TIMEOUT: Final = 10.0
_HTTPS: Final = 443
_DAY: Final = 24 * 3600
_PROXY: Final = "Look at the proxy in front of the bot: POST /api/messages goes to the bot, unchanged."


async def check_endpoint(url: str) -> AsyncIterator[Finding]:
    """Look at the bot whose public address is ``url``, with or without the path of its endpoint."""
    url = url.rstrip("/").removesuffix(MESSAGES)
    url = url if "://" in url else f"https://{url}"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _HTTPS
    except ValueError:
        yield fault(f"{url} is no address.", "Give the public one, such as https://bot.example.com.")
        return
    if parts.scheme == "https":
        found = await _check_certificate(host, port)
        yield found
        if found.mend:
            return
    else:
        yield fault(
            f"{url} is not an https address.",
            "Azure Bot Service calls no other: put a proxy with TLS in front.",
        )
    yield await _check_answer(f"{url}{MESSAGES}")


async def _check_certificate(host: str, port: int) -> Finding:
    context = await asyncio.to_thread(ssl.create_default_context)
    try:
        async with asyncio.timeout(_TIMEOUT):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
    except ssl.SSLCertVerificationError as error:
        mend = "Azure Bot Service accepts only those of a public authority, with all certificates between."
        return fault(f"The certificate of {host} is not valid: {error.verify_message}.", mend)
    except (OSError, TimeoutError) as error:
        mend = "Look at the name's DNS record, at the firewall and at the proxy in front of the bot."
        return fault(f"{host} port {port} can't be reached ({reason(error)}).", mend)
    certificate = writer.get_extra_info("ssl_object").getpeercert()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    days = int((ssl.cert_time_to_seconds(certificate["notAfter"]) - time.time()) / _DAY)
    if days < SOON:
        return fault(
            f"The certificate of {host} ends in {days} days.", "Look why the proxy does not renew it."
        )
    return good(f"The certificate of {host} is valid for {days} more days.")


async def _check_answer(url: str) -> Finding:
    """Send what a stranger would: a bot with credentials answers 401, and asks for a token."""
    try:
        reply = await send(hdrs.METH_POST, url, json={})
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        return fault(f"{url} gives no answer ({reason(error)}).", _PROXY)
    asks = any(name.lower() == "www-authenticate" for name in reply.headers)
    match reply.status_code:
        case HTTPStatus.UNAUTHORIZED if asks:
            return good(f"{url} answers, and asks for a channel's token.")
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            sentence, mend = (
                "refuses before the bot does",
                "Put no sign-in and no filter of addresses in front of it.",
            )
        case HTTPStatus.NOT_FOUND | HTTPStatus.METHOD_NOT_ALLOWED:
            sentence, mend = "does not lead to the bot", _PROXY
        case status if status < HTTPStatus.MULTIPLE_CHOICES or status == HTTPStatus.BAD_REQUEST:
            sentence = "takes messages without a token"
            mend = "Give the bot there its MicrosoftAppId and MicrosoftAppPassword."
        case status if status < HTTPStatus.BAD_REQUEST:
            sentence, mend = "leads elsewhere", "Register the address that answers by itself."
        case _:
            sentence, mend = "fails", "Look whether the bot runs, and into its log."
    return fault(f"{url} {sentence} (status {reply.status_code}).", mend)
