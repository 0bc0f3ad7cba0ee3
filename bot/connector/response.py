"""What a connector answered, for the SDK."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from msrest.pipeline.universal import RawDeserializer
from msrest.universal_http.async_abc import AsyncClientResponse

from .errors import Unreadable
from .transport import TransportReply

JSON = Any


class ConnectorResponse(AsyncClientResponse):
    """A reply in the form that the SDK reads, and hands on with an error.

    Raises :class:`Unreadable` where the body is what was asked for, and can't be read.
    """

    def __init__(self, request: Any, reply: TransportReply) -> None:
        super().__init__(request, internal_response=self)
        # RFC 9110 § 15: a status that isn't known is treated as x00 of its class.
        self.status_code: int = 200 if 202 < reply.status < 300 else reply.status
        self.reason = reply.reason
        self.headers = reply.headers  # type: ignore[assignment] # nobody writes there
        self.tries = reply.tries
        self.context = {RawDeserializer.CONTEXT_NAME: _read(request.method, reply)}
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


def _read(method: str, reply: TransportReply) -> JSON:
    """The JSON of a body, as far as the SDK can make something of it.

    The status says what happened; a body that says nothing more says nothing else.
    """
    if not 200 <= reply.status < 300:
        return _error(_json(reply.body))
    if method != "GET":
        return id_of(reply.body)
    if reply.body is None:
        raise Unreadable("the body broke off, or is too long")
    return _json(reply.body)


def _json(body: bytes | None) -> JSON:
    try:
        return json.loads(body or b"null")
    except (ValueError, RecursionError):
        return None


def id_of(body: bytes | None) -> dict[str, str]:
    """What a connector says of an activity that it took: its id, where it says that."""
    return _strings(_json(body))


def _strings(found: JSON) -> dict[str, str]:
    """All that a connector says of what it took are ids and URLs."""
    if not isinstance(found, Mapping):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _error(found: JSON) -> dict[str, dict[str, str]] | None:
    """Bot Framework -- Activity: ``{"error": {"code": …, "message": …}}``."""
    error = _strings(found.get("error") if isinstance(found, Mapping) else None)
    return {"error": error} if error else None
