"""Messages with files, whose content is discarded."""

from __future__ import annotations

import json
from typing import Final

from aiohttp import BodyPartReader, MultipartReader, hdrs, web
from aiohttp.http_exceptions import HttpProcessingError

from ..http.body import LARGEST
from ..http.refusal import refusal, too_large
from .conversation import Activity

LARGEST_UPLOAD: Final = 32 * 1024 * 1024
"""Bytes of all files of an upload."""
MOST_PARTS: Final = 100
"""Parts of an upload. Each costs memory and time, even if its file is small."""
_ACTIVITY: Final = "application/vnd.microsoft.activity"
_CHUNK: Final = 64 * 1024


async def read_upload(request: web.Request) -> Activity:
    """Read the activity of a multipart upload, with the name of each file as an attachment.

    Direct Line § "Send an activity": a part ``activity``, and parts with files. Raises 400 for anything
    else, and 413 above :data:`LARGEST_UPLOAD` and :data:`MOST_PARTS`.
    """
    if request.content_type != "multipart/form-data":
        raise refusal(web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "send multipart/form-data")
    try:
        return await _read_parts(await request.multipart())
    except (ValueError, HttpProcessingError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not multipart/form-data") from None


async def _read_parts(parts: MultipartReader) -> Activity:
    activity: Activity = {"type": "message"}
    names: list[str] = []
    left, count = LARGEST_UPLOAD, 0
    async for part in parts:
        count += 1
        if count > MOST_PARTS:
            raise too_large("there are too many parts")
        if not isinstance(part, BodyPartReader):
            raise refusal(web.HTTPBadRequest, "BadSyntax", "parts within parts are not an upload")
        if part.headers.get(hdrs.CONTENT_TYPE, "").startswith(_ACTIVITY):
            activity = await _read_activity(part)
        else:
            names.append(part.filename or "file")
            left -= await _discard(part, left)
    # For an attachment without content, Web Chat shows the name without a link.
    attachments = [{"contentType": "application/octet-stream", "name": name} for name in names]
    return {**activity, "attachments": attachments}


async def _read_activity(part: BodyPartReader) -> Activity:
    body = bytearray()
    while chunk := await part.read_chunk(_CHUNK):
        body += chunk
        if len(body) > LARGEST:
            raise too_large("the message is too large")
    try:
        activity = json.loads(body)
    except (ValueError, RecursionError):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the part `activity` is not JSON") from None
    if not isinstance(activity, dict):
        raise refusal(web.HTTPBadRequest, "BadSyntax", "the part `activity` must be a JSON object")
    return activity


async def _discard(part: BodyPartReader, left: int) -> int:
    """Read a file to its end, so that the client gets the response, and return its size in bytes."""
    size = 0
    while chunk := await part.read_chunk(_CHUNK):
        size += len(chunk)
        if size > left:
            raise too_large("the files are too large")
    return size
