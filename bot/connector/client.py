"""The SDK's own connector client, over a line of ours.

Its operations (``conversations.reply_to_activity`` and so on) write the request and read the answer;
in between stands msrest's pipeline, which would send it from a thread, through a client of its own.
What every turn does stands in :mod:`.conversations`, without that pipeline.
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
from .conversations import ConversationOperations, segment
from .response import ConnectorResponse
from .transport import TRIES, ConnectorTransport, TransportRequest


def connector_client(service_url: str, line: ConnectorTransport) -> ConnectorClient:
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
    return _Client(configuration, line)


class _Client(ConnectorClient):  # type: ignore[misc] # no types
    """The SDK's client, with our operations on conversations."""

    def __init__(self, configuration: _Configuration, line: ConnectorTransport) -> None:
        super().__init__(None, custom_configuration=configuration)
        self._serialize: Any = _Serializer(self._serialize.dependencies)  # type: ignore[no-untyped-call]
        self.conversations = ConversationOperations(
            self._client, self.config, self._serialize, self._deserialize, line
        )


class _Serializer(ModelSerializer):
    """Writes models into bodies, and ids into paths."""

    def url(self, name: str, data: Any, data_type: str, **options: Any) -> str:
        """``data`` as a segment of a path; raises :class:`NotSent` where it is none."""
        segment(str(data))
        return str(super().url(name, data, data_type, **options))  # type: ignore[no-untyped-call]


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

    def __init__(self, line: ConnectorTransport) -> None:
        self._line = line

    async def __aexit__(self, *exc_details: object) -> None:
        """Nothing ends: the session is everybody's."""

    async def send(self, request: Any, **config: Any) -> Response[Any, Any]:
        asked = request.http_request
        body = asked.data.encode() if isinstance(asked.data, str) else asked.data
        reply = await self._line.send(
            TransportRequest(asked.method, asked.url, dict(asked.headers), body), config.get("tries", TRIES)
        )
        answer = ConnectorResponse(asked, reply)
        return Response(request, answer, answer.context)
