"""Requests to Anthropic's API through ``anthropic``, its own library, which may not be installed.

The library sends the requests, but :mod:`citations` reads the bytes of a response, as it reads saved ones.
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

import anthropic
import httpx2
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

from .open_ai import explain_refusal
from .provider import SdkErrors, SdkResponse, translate_errors

_ERRORS: Final = SdkErrors(
    anthropic.APIStatusError, anthropic.APIConnectionError, anthropic.AnthropicError, httpx2.HTTPError
)
_CONNECT: Final = httpx2.Timeout(None, connect=5.0)
"""Five seconds to connect. The exchange applies all other timeouts."""


class AnthropicClient:
    """Asks for messages at ``base_url``."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self._sdk = AsyncAnthropic(
            # Without a key, the library would look for one in the user's files.
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=0,  # the exchange retries
            timeout=_CONNECT,
            # A redirect would send the question, and perhaps the key, to another server.
            http_client=DefaultAsyncHttpxClient(follow_redirects=False, timeout=_CONNECT),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def request(self, body: dict[str, Any], stack: contextlib.AsyncExitStack) -> SdkResponse:
        """The response to a request, once its status is known; ``stack`` closes it."""
        messages: Any = self._sdk.messages
        opening = messages.with_streaming_response.create(**body)
        response = await translate_errors(stack.enter_async_context(opening), _ERRORS, explain_refusal)
        return SdkResponse(response.headers, response.iter_bytes(), _ERRORS)
