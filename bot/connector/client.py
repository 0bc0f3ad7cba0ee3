"""The SDK's own connector client, over a line of ours.

Its operations (``conversations.reply_to_activity`` and so on) write the request and read the answer;
in between stands msrest's pipeline, which would send it from a thread, through a client of its own.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from botframework.connector.aio import ConnectorClient
from botframework.connector.aio.operations_async import ConversationsOperations
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration
from msrest.authentication import Authentication
from msrest.pipeline import Response
from msrest.pipeline.async_abc import AsyncHTTPSender, AsyncPipeline
from msrest.pipeline.universal import RawDeserializer
from msrest.universal_http import HTTPSenderConfiguration
from msrest.universal_http.async_abc import AsyncClientResponse
from msrest.universal_http.requests import ClientRetryPolicy, RequestHTTPSenderConfiguration

from .errors import Unreadable
from .line import TRIES, Line, Reply, Request
from .written import ModelSerializer

JSON = Any


def connector_client(service_url: str, line: Line) -> ConnectorClient:
    """A client for ``service_url`` that sends through ``line``.

    Each of its operations takes ``tries=1`` to be tried once.
    """
    configuration = _Configuration(  # type: ignore[call-arg] # the SDK's own arguments
        Authentication(),  # type: ignore[arg-type] # not asked: the line has the token
        service_url,
        pipeline_type=lambda configuration: AsyncPipeline(
            [configuration.user_agent_policy, configuration.http_logger_policy], _Sender(line)
        ),
    )
    return _Client(configuration)


class _Client(ConnectorClient):  # type: ignore[misc] # no types
    """The SDK's client, whose conversations are written by our serialiser."""

    def __init__(self, configuration: _Configuration) -> None:
        super().__init__(None, custom_configuration=configuration)
        self._serialize: Any = ModelSerializer(self._serialize.dependencies)  # type: ignore[no-untyped-call]
        self.conversations = ConversationsOperations(
            self._client, self.config, self._serialize, self._deserialize
        )


class _NoRetries(ClientRetryPolicy):
    """msrest's retries, which nobody makes."""

    # There it is a list of 502, in which each of 999 numbers is looked for: more work than a whole turn.
    safe_codes = range(1000)  # type: ignore[assignment] # all that is asked of it is `in`


class _WithoutRetries(RequestHTTPSenderConfiguration):
    """msrest's configuration without its retries: they are for a client that we don't use."""

    def __init__(self, filepath: str | None = None) -> None:
        HTTPSenderConfiguration.__init__(self, filepath)  # type: ignore[no-untyped-call]
        self.retry_policy = _NoRetries()  # type: ignore[no-untyped-call]


class _Configuration(BotFrameworkConnectorConfiguration, _WithoutRetries):  # type: ignore[misc] # no types
    """The SDK's configuration: in its line of ancestors, ours stands before msrest's."""


class _Sender(AsyncHTTPSender[Any, Any]):
    """The end of a pipeline."""

    def __init__(self, line: Line) -> None:
        self._line = line

    async def __aexit__(self, *exc_details: object) -> None:
        """Nothing ends: the session is everybody's."""

    async def send(self, request: Any, **config: Any) -> Response[Any, Any]:
        asked = request.http_request
        body = asked.data.encode() if isinstance(asked.data, str) else asked.data
        reply = await self._line.send(
            Request(asked.method, asked.url, dict(asked.headers), body), config.get("tries", TRIES)
        )
        answer = ConnectorResponse(asked, reply)
        return Response(request, answer, {RawDeserializer.CONTEXT_NAME: _read(asked.method, reply)})


class ConnectorResponse(AsyncClientResponse):
    """A reply in the form that the SDK reads, and hands on with an error."""

    def __init__(self, request: Any, reply: Reply) -> None:
        super().__init__(request, internal_response=self)
        # RFC 9110 § 15: a status that isn't known is treated as x00 of its class.
        self.status_code: int = 200 if 202 < reply.status < 300 else reply.status
        self.reason = reply.reason
        self.headers = reply.headers  # type: ignore[assignment] # nobody writes there
        self.tries = reply.tries
        self._body = reply.body or b""

    def body(self) -> bytes:
        """What came of it."""
        return self._body

    def text(self, encoding: str | None = None) -> str:
        """The same as characters, whatever it is."""
        return self._body.decode(encoding or "utf-8-sig", errors="replace")

    async def stream_download(
        self,
        chunk_size: int | None = None,  # noqa: ARG002
        callback: Callable[..., None] | None = None,
    ) -> AsyncIterator[bytes]:
        """The body in one piece: it is here."""
        if callback is not None:
            callback(self._body, response=self)
        yield self._body


def _read(method: str, reply: Reply) -> JSON:
    """The JSON of a body, as far as the SDK can make something of it.

    The status says what happened; a body that says nothing more says nothing else. Raises
    :class:`Unreadable` where the body is what was asked for.
    """
    if not 200 <= reply.status < 300:
        return _error(_json(reply.body))
    if method != "GET":
        return _strings(_json(reply.body))
    if reply.body is None:
        raise Unreadable("the body broke off, or is too long")
    return _json(reply.body)


def _json(body: bytes | None) -> JSON:
    try:
        return json.loads(body or b"null")
    except (ValueError, RecursionError):
        return None


def _strings(found: JSON) -> dict[str, str]:
    """All that a connector says of what it took are ids and URLs."""
    if not isinstance(found, Mapping):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _error(found: JSON) -> dict[str, dict[str, str]] | None:
    """Bot Framework -- Activity: ``{"error": {"code": …, "message": …}}``."""
    error = _strings(found.get("error") if isinstance(found, Mapping) else None)
    return {"error": error} if error else None
