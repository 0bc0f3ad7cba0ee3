"""The clients of the channels' connectors: an activity becomes a request, and a refusal an exception."""

from __future__ import annotations

from codecs import BOM_UTF8
from copy import copy
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import msgspec
from aiohttp import hdrs

from ..http.path_segment import is_path_segment
from ..resilience.breaker import retry_after
from .activity_writer import to_json
from .errors import ChannelRefusal, NotSent
from .target import QUERY, Target, address
from .transport import TRIES, ConnectorTransport, TransportRequest

_HEADERS: Final = {
    "Accept": "application/json",
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Microsoft-BotFramework/3.1 (BotBuilder Python)",
}


class _ResourceResponse(msgspec.Struct):
    id: str = ""


@dataclass(frozen=True, slots=True)
class ConnectorClient:
    """The client for the connector at one service URL."""

    service_url: str
    transport: ConnectorTransport

    async def send(self, activity: Any, tries: int = TRIES, target: Target | None = None) -> str:
        """Send ``activity`` to its conversation, as a reply if it is one; return the id that it was given.

        With a ``target``, the one person sees it that its ``recipient`` names. The id is empty where the
        response has none. Raises :class:`.errors.ConnectorError`.
        """
        conversation = activity.conversation.id
        path, headers = f"{_quote_segment(conversation)}/activities", _HEADERS
        if activity.reply_to_id:
            # The SDK sends this header, by which a load balancer routes a conversation to one server.
            headers = {**headers, "x-ms-conversation-id": conversation}
        if target:
            # The Teams SDK: "the service uses replyToId in the body".
            path, activity = f"{path}{QUERY}", address(activity, target)
        elif activity.reply_to_id:
            path = f"{path}/{_quote_segment(activity.reply_to_id)}"
        return await self._send(TransportRequest(self._url(path), headers, to_json(activity)), tries)

    async def update(self, activity: Any, target: Target | None = None) -> str:
        """Replace the activity that has the id of ``activity``; return its id.

        Not every channel can. With a ``target``, it is one that one person sees. Raises
        :class:`.errors.ConnectorError`.
        """
        path = f"{_quote_segment(activity.conversation.id)}/activities/{_quote_segment(activity.id)}"
        if target:
            # Teams: 400 for "a recipient on update". Who sees a message can't be changed.
            path, activity = f"{path}{QUERY}", copy(activity)
            activity.recipient = None
        request = TransportRequest(self._url(path), _HEADERS, to_json(activity), method=hdrs.METH_PUT)
        return await self._send(request, TRIES)

    def _url(self, path: str) -> str:
        return f"{self.service_url.rstrip('/')}/v3/conversations/{path}"

    async def _send(self, request: TransportRequest, tries: int) -> str:
        reply = await self.transport.send(request, tries)
        if not 200 <= reply.status < 300:
            explanation = (reply.body or b"").decode("utf-8", errors="replace").lower()
            wait = retry_after(reply.headers.get("Retry-After"))
            raise ChannelRefusal(reply.status, explanation, retry_after=wait, tries=reply.tries)
        return _read_id(reply.body)


def _quote_segment(identifier: str) -> str:
    """Quote an id as one segment of a path.

    Raises :class:`NotSent` for an id such as ``..``, which would send the token to another resource.
    """
    if not is_path_segment(identifier):
        raise NotSent("an id is no segment of a path")
    return quote(identifier, safe="")


def _read_id(body: bytes | None) -> str:
    """Read the activity's id in a connector's response. The status alone says whether it was accepted."""
    # RFC 8259 § 8.1: a parser may ignore a byte order mark, which some servers send.
    text = (body or b"").removeprefix(BOM_UTF8)
    try:
        return msgspec.json.decode(text, type=_ResourceResponse).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
