"""The SDK's operations on conversations, the two of a turn without msrest's detours.

For each activity msrest fills in a template, parses and joins URLs four times, and takes the request
and its answer through a pipeline. All that is left of it here is what is sent, and what is raised.
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
from .response import ConnectorResponse, id_of
from .transport import TRIES, ConnectorTransport, TransportRequest


class ConversationOperations(ConversationsOperations):  # type: ignore[misc] # the SDK ships no types
    """The SDK's operations; ``line`` is asked directly where an activity is sent.

    There ``tries`` may be given, and nothing else of what msrest takes.
    """

    def __init__(
        self, client: Any, config: Any, serializer: Any, deserializer: Any, line: ConnectorTransport
    ) -> None:
        super().__init__(client, config, serializer, deserializer)
        self._line = line
        self._root = f"{config.base_url.rstrip('/')}/v3/conversations"
        self._headers = {
            "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": config.user_agent_policy.user_agent,
        }

    async def send_to_conversation(
        self, conversation_id: str, activity: Activity, *, tries: int = TRIES
    ) -> ResourceResponse:
        """Send ``activity``; raises ``ErrorResponseException``, and :class:`ConnectorError`."""
        return await self._send(f"{segment(conversation_id)}/activities", activity, {}, tries)

    async def reply_to_activity(
        self, conversation_id: str, activity_id: str, activity: Activity, *, tries: int = TRIES
    ) -> ResourceResponse:
        """Send ``activity`` as the reply to another; raises the same."""
        path = f"{segment(conversation_id)}/activities/{segment(activity_id)}"
        # The SDK's own: by this a load balancer keeps a conversation's activities together.
        headers = {"x-ms-conversation-id": conversation_id}
        return await self._send(path, activity, headers, tries)

    async def _send(
        self, path: str, activity: Activity, headers: dict[str, str], tries: int
    ) -> ResourceResponse:
        body = _encode(self._serialize.body(activity, "Activity"))
        request = TransportRequest("POST", f"{self._root}/{path}", {**self._headers, **headers}, body)
        reply = await self._line.send(request, tries)
        if not 200 <= reply.status < 300:
            asked = ClientRequest(request.method, request.url)
            raise ErrorResponseException(self._deserialize, ConnectorResponse(asked, reply))
        return ResourceResponse(id=id_of(reply.body).get("id"))


def segment(written: str) -> str:
    """An id as one segment of a path.

    Raises :class:`NotSent` for one that leads to another resource of the same host: our token goes there.
    """
    if not is_path_segment(written):
        raise NotSent("an id is no segment of a path")
    return quote(written, safe="")


def _encode(body: Any) -> bytes:
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError:
        # Half a surrogate pair, which UTF-8 can't have and JSON can.
        return json.dumps(body).encode()
