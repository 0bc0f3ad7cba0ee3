"""Messages with files: the files are let go, the message stays."""

from __future__ import annotations

import json
from typing import Final

from aiohttp import BodyPartReader, hdrs, web

from ..http.body import LARGEST
from ..http.refusal import refusal, too_large
from .conversation import Activity

LARGEST_UPLOAD: Final = 32 * 1024 * 1024
"""Bytes that are read, only to be let go."""
MOST_PARTS: Final = 100
"""Of an upload: a part costs memory and time, however small its file is."""
_ACTIVITY: Final = "application/vnd.microsoft.activity"
_CHUNK: Final = 64 * 1024


async def read_upload(request: web.Request) -> Activity:
    """The activity of a multipart upload, with a nameplate for each of its files.

    Direct Line § "Send an activity": a part ``activity``, and parts with files. 400 if it isn't
    that, 413 above :data:`LARGEST_UPLOAD` and above :data:`MOST_PARTS`.
    """
    if request.content_type != "multipart/form-data":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send multipart/form-data")
    activity: Activity = {"type": "message"}
    names: list[str] = []
    left, parts = LARGEST_UPLOAD, 0
    async for part in await request.multipart():
        parts += 1
        if parts > MOST_PARTS:
            raise too_large("there are too many parts")
        if not isinstance(part, BodyPartReader):
            raise refusal(web.HTTPBadRequest, "BadSyntax", "parts within parts are not an upload")
        if part.headers.get(hdrs.CONTENT_TYPE, "").startswith(_ACTIVITY):
            activity = await _activity(part)
        else:
            names.append(part.filename or "file")
            left -= await _drop(part, left)
    # No content: where there is none, Web Chat shows the name and nothing to press.
    plates = [{"contentType": "application/octet-stream", "name": name} for name in names]
    return {**activity, "attachments": plates}


async def _activity(part: BodyPartReader) -> Activity:
    written = bytearray()
    while chunk := await part.read_chunk(_CHUNK):
        written += chunk
        if len(written) > LARGEST:
            raise too_large("the message is too large")
    try:
        activity = json.loads(written)
    except (ValueError, RecursionError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the part `activity` is not JSON") from None
    if not isinstance(activity, dict):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the part `activity` must be a JSON object")
    return activity


async def _drop(part: BodyPartReader, left: int) -> int:
    """Read a file to its end without keeping it, so that the client gets to read the answer."""
    size = 0
    while chunk := await part.read_chunk(_CHUNK):
        size += len(chunk)
        if size > left:
            raise too_large("the files are too large")
    return size
