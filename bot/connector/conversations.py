"""The SDK's operations on conversations, with a fast path for the two that every turn uses.

For each activity msrest fills in a URL template, parses and joins URLs four times, and runs a pipeline.
The fast path sends the same request and raises the same errors.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import msgspec
from botbuilder.schema import Activity, ErrorResponseException, ResourceResponse
from botframework.connector.aio.operations_async import ConversationsOperations
from msrest.universal_http import ClientRequest

from ..http.path_segment import is_path_segment
from .errors import NotSent
from .response import ConnectorResponse, read_ids
from .transport import TRIES, ConnectorTransport, TransportRequest


class ConversationOperations(ConversationsOperations):  # type: ignore[misc] # the SDK ships no types
    """The SDK's operations. The two that send an activity call ``transport`` directly.

    Of msrest's options, these two take ``tries`` only.
    """

    def __init__(
        self, client: Any, config: Any, serializer: Any, deserializer: Any, transport: ConnectorTransport
    ) -> None:
        super().__init__(client, config, serializer, deserializer)
        self._transport = transport
        self._root = f"{config.base_url.rstrip('/')}/v3/conversations"
        self._headers = {
            "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": config.user_agent_policy.user_agent,
        }

    async def send_to_conversation(
        self, conversation_id: str, activity: Activity, *, tries: int = TRIES
    ) -> ResourceResponse:
        """Send ``activity``. Raises ``ErrorResponseException`` and :class:`ConnectorError`."""
        return await self._send(f"{quote_segment(conversation_id)}/activities", activity, {}, tries)

    async def reply_to_activity(
        self, conversation_id: str, activity_id: str, activity: Activity, *, tries: int = TRIES
    ) -> ResourceResponse:
        """Send ``activity`` as a reply. Raises ``ErrorResponseException`` and :class:`ConnectorError`."""
        path = f"{quote_segment(conversation_id)}/activities/{quote_segment(activity_id)}"
        # The SDK sends this header, by which a load balancer routes a conversation to one server.
        headers = {"x-ms-conversation-id": conversation_id}
        return await self._send(path, activity, headers, tries)

    async def _send(
        self, path: str, activity: Activity, headers: dict[str, str], tries: int
    ) -> ResourceResponse:
        body = _encode(self._serialize.body(activity, "Activity"))
        request = TransportRequest("POST", f"{self._root}/{path}", {**self._headers, **headers}, body)
        reply = await self._transport.send(request, tries)
        if not 200 <= reply.status < 300:
            sent = ClientRequest(request.method, request.url)
            raise ErrorResponseException(self._deserialize, ConnectorResponse(sent, reply))
        return ResourceResponse(id=read_ids(reply.body).get("id"))


def quote_segment(identifier: str) -> str:
    """Quote an id as one segment of a path.

    Raises :class:`NotSent` for an id such as ``..``, which would send the token to another resource.
    """
    if not is_path_segment(identifier):
        raise NotSent("an id is no segment of a path")
    return quote(identifier, safe="")


def _encode(body: Any) -> bytes:
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        # UTF-8 can't encode a lone surrogate. JSON can escape it (RFC 8259 § 8.2).
        return json.dumps(body).encode()
