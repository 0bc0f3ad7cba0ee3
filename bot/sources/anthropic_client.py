"""Requests to Anthropic's API through ``anthropic``, its own library, which may not be installed."""

from __future__ import annotations

import contextlib
from typing import Any, Final

import anthropic
import httpx2
from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

from .provider import ProviderResponse, SdkErrors, open_response, sdk_settings

_ERRORS: Final = SdkErrors(
    anthropic.APIStatusError, anthropic.APIConnectionError, anthropic.AnthropicError, httpx2.HTTPError
)


class AnthropicClient:
    """Asks for messages at ``base_url``."""

    def __init__(self, base_url: str, api_key: str) -> None:
        settings = sdk_settings(httpx2, DefaultAsyncHttpxClient)
        # Without a key, the library would look for one in the user's files.
        self._sdk = AsyncAnthropic(api_key=api_key or "none", base_url=base_url, **settings)

    async def close(self) -> None:
        """Close the connections."""
        await self._sdk.close()

    async def request(self, body: dict[str, Any], stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a request, once its status is known; ``stack`` closes it."""
        messages: Any = self._sdk.messages
        return await open_response(messages.with_streaming_response.create(**body), stack, _ERRORS)
