"""A connector's response in the SDK's form."""

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
    """A reply in the form that the SDK parses, and attaches to its errors.

    Raises :class:`Unreadable` where the body of a GET is incomplete or too large.
    """

    def __init__(self, request: Any, reply: TransportReply) -> None:
        super().__init__(request, internal_response=self)
        # RFC 9110 § 15: an unknown status is treated as x00 of its class.
        self.status_code: int = 200 if 202 < reply.status < 300 else reply.status
        self.reason = reply.reason
        self.headers = reply.headers  # type: ignore[assignment] # a read-only mapping is enough
        self.tries = reply.tries
        self.context = {RawDeserializer.CONTEXT_NAME: _read_body(request.method, reply)}
        self._body = reply.body or b""

    def body(self) -> bytes:
        """The body, or what was received of it."""
        return self._body

    def text(self, encoding: str | None = None) -> str:
        """The body as text, with U+FFFD for undecodable bytes."""
        return self._body.decode(encoding or "utf-8-sig", errors="replace")

    async def stream_download(
        self,
        chunk_size: int | None = None,  # noqa: ARG002
        callback: Callable[..., None] | None = None,
    ) -> AsyncIterator[bytes]:
        """The body as one chunk, since it was received before."""
        if callback is not None:
            callback(self._body, response=self)
        yield self._body


def _read_body(method: str, reply: TransportReply) -> JSON:
    """The JSON of a body, reduced to what the SDK can parse.

    Only a GET needs its body. Of anything else, the status alone decides.
    """
    if not 200 <= reply.status < 300:
        return _read_error(_read_json(reply.body))
    if method != "GET":
        return read_ids(reply.body)
    if reply.body is None:
        raise Unreadable("the body broke off, or is too long")
    return _read_json(reply.body)


def _read_json(body: bytes | None) -> JSON:
    try:
        return json.loads(body or b"null")
    except (ValueError, RecursionError):
        return None


def read_ids(body: bytes | None) -> dict[str, str]:
    """Read the ids in a connector's response to a POST, among them ``id``, the activity's."""
    return _string_fields(_read_json(body))


def _string_fields(value: JSON) -> dict[str, str]:
    """The SDK expects strings only: a ``ResourceResponse`` has ids and URLs."""
    if not isinstance(value, Mapping):
        return {}
    return {name: field for name, field in value.items() if isinstance(field, str)}


def _read_error(value: JSON) -> dict[str, dict[str, str]] | None:
    """Bot Framework -- Activity: ``{"error": {"code": …, "message": …}}``."""
    error = _string_fields(value.get("error") if isinstance(value, Mapping) else None)
    return {"error": error} if error else None
