"""The SDK's connector client over the bot's own transport.

The SDK's operations (``conversations.get_conversation_members`` and so on) serialize the request and
parse the response. Between the two, msrest's pipeline would send it from a thread. :class:`_Sender`
replaces that. The operations of every turn are in :mod:`.conversations`, without the pipeline.
"""

from __future__ import annotations

from typing import Any

from botframework.connector.aio import ConnectorClient
from botframework.connector.bot_framework_sdk_client_async import BotFrameworkConnectorConfiguration
from msrest.authentication import Authentication
from msrest.pipeline import Response
from msrest.pipeline.async_abc import AsyncHTTPSender, AsyncPipeline
from msrest.universal_http import HTTPSenderConfiguration
from msrest.universal_http.requests import ClientRetryPolicy, RequestHTTPSenderConfiguration

from .activity_writer import ModelSerializer
from .conversations import ConversationOperations, quote_segment
from .response import ConnectorResponse
from .transport import TRIES, ConnectorTransport, TransportRequest


def connector_client(service_url: str, transport: ConnectorTransport) -> ConnectorClient:
    """Create a client for ``service_url`` that sends through ``transport``.

    With ``tries=1``, an operation is not retried.
    """
    configuration = _Configuration(  # type: ignore[call-arg] # the SDK's own arguments
        Authentication(),  # type: ignore[arg-type] # unused: the transport adds the token
        service_url,
        pipeline_type=lambda configuration: AsyncPipeline(
            [configuration.user_agent_policy, configuration.http_logger_policy], _Sender(transport)
        ),
    )
    return _Client(configuration, transport)


class _Client(ConnectorClient):  # type: ignore[misc] # no types
    """The SDK's client, with :class:`ConversationOperations`."""

    def __init__(self, configuration: _Configuration, transport: ConnectorTransport) -> None:
        super().__init__(None, custom_configuration=configuration)
        self._serialize: Any = _Serializer(self._serialize.dependencies)  # type: ignore[no-untyped-call]
        self.conversations = ConversationOperations(
            self._client, self.config, self._serialize, self._deserialize, transport
        )


class _Serializer(ModelSerializer):
    """Serializes the bodies of requests, and the ids in their paths."""

    def url(self, name: str, data: Any, data_type: str, **options: Any) -> str:
        """Serialize a path's segment. Raises :class:`NotSent` where ``data`` is not a valid one."""
        quote_segment(str(data))
        return str(super().url(name, data, data_type, **options))  # type: ignore[no-untyped-call]


class _NoRetries(ClientRetryPolicy):
    """msrest's retry policy, which the transport makes unnecessary."""

    # msrest searches a list of 502 codes for each of 999 numbers, which takes longer than a whole turn.
    safe_codes = range(1000)  # type: ignore[assignment] # msrest uses only its `in`


class _WithoutRetries(RequestHTTPSenderConfiguration):
    """msrest's configuration without a retry policy, which is for msrest's own HTTP client."""

    def __init__(self, filepath: str | None = None) -> None:
        HTTPSenderConfiguration.__init__(self, filepath)  # type: ignore[no-untyped-call]
        self.retry_policy = _NoRetries()  # type: ignore[no-untyped-call]


class _Configuration(BotFrameworkConnectorConfiguration, _WithoutRetries):  # type: ignore[misc] # no types
    """The SDK's configuration: :class:`_WithoutRetries` precedes msrest's in its method resolution order."""


class _Sender(AsyncHTTPSender[Any, Any]):
    """The last step of msrest's pipeline."""

    def __init__(self, transport: ConnectorTransport) -> None:
        self._transport = transport

    async def __aexit__(self, *exc_details: object) -> None:
        """All clients share the session, so it stays open."""

    async def send(self, request: Any, **config: Any) -> Response[Any, Any]:
        http = request.http_request
        body = http.data.encode() if isinstance(http.data, str) else http.data
        reply = await self._transport.send(
            TransportRequest(http.method, http.url, dict(http.headers), body), config.get("tries", TRIES)
        )
        response = ConnectorResponse(http, reply)
        return Response(request, response, response.context)
