"""The documents of one folder, served read-only."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Awaitable, Callable, Container, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter

from ..config.routes import DOCUMENTS
from ..languages import Sentence, find_language, say, speaking

_TEXT: Final = "text/plain; charset=utf-8"
_PAGE: Final = "text/html; charset=utf-8"
_OPENED: Final = frozenset({"application/pdf", _TEXT, _PAGE})
"""The types that a browser opens. A document of any other type is downloaded."""
_CHUNK: Final = 65_536
_CHUNKS: Final = 1024
"""The chunks of a text that are looked at: a larger file is served at once, too."""
_SANDBOX: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""An HTML document is untrusted and has the page's origin: it gets no script, requests or origin."""

GUARDED: Final = {
    hdrs.CACHE_CONTROL: "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""The headers of every response, 404 included: another origin's page can't read it or detect a document."""


class _UncompressedFile(web.FileResponse):
    """Sends the file itself, and never a ``.gz`` or ``.br`` file beside it, which aiohttp would prefer."""

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        headers = request.headers.copy()
        headers.popall(hdrs.ACCEPT_ENCODING, None)
        return await super().prepare(request.clone(headers=headers))


def find_document(folder: Path, path: str, types: Container[str]) -> Path | None:
    """Find the file at ``path`` (``reports/2024.pdf``, percent-decoded) in ``folder``.

    Returns None where there is no such file, and for endings that are not among ``types``. Returns None for
    hidden files and folders, and for links that lead out of ``folder``.
    """
    parts = path.split("/")
    if any(not part or part.startswith(".") or set(part) & set("\\:\0") for part in parts):
        return None
    try:
        root = folder.resolve(strict=True)
        file = root.joinpath(*parts).resolve(strict=True)
        inside = file.relative_to(root)
    except (OSError, ValueError, RuntimeError):
        return None
    hidden = any(part.startswith(".") for part in inside.parts)
    return file if not hidden and file.suffix.lower() in types and file.is_file() else None


ShowDocument = Callable[[web.Request, Path, str], Awaitable[web.StreamResponse | None]]
"""Answers a request for the view of a file at a path; None where the file itself is asked for."""
CheckDocument = Callable[[str], Awaitable[str | None]]
"""Why the document at a path is not served, as a sentence for people; None where it is."""


def add_documents(  # noqa: PLR0913 - the last three are optional, given by name
    app: web.Application,
    folder: Path,
    types: Mapping[str, str],
    *,
    show: ShowDocument | None = None,
    added: Path | None = None,
    check: CheckDocument | None = None,
) -> None:
    """Serve ``folder`` under :data:`DOCUMENTS`, to GET and HEAD; files in ``added`` below its own name.

    ``types`` has the media type of each ending that is served. ``show`` may answer in the place of the file.
    What ``check`` refuses is answered with 403.
    """

    async def document(request: web.Request) -> web.StreamResponse:
        foreign = _is_embedded_elsewhere(request)
        root, path = _split_root(folder, added, request.match_info["path"])
        file = None if foreign else find_document(root, path, types)
        if file is None:
            with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
                raise web.HTTPNotFound(text=say(Sentence.NO_SUCH_DOCUMENT), headers=GUARDED)
        # A link has its target's label.
        path = f"{request.match_info['path'].removesuffix(path)}{file.relative_to(root.resolve()).as_posix()}"
        with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
            refused = await check(path) if check else None
        if refused:
            raise web.HTTPForbidden(text=refused, headers=GUARDED)
        if show and (shown := await show(request, file, path)):
            return shown
        return _UncompressedFile(file, headers=await asyncio.to_thread(_headers, file, types))

    app.router.add_get(DOCUMENTS + "{path:.+}", document)


def _split_root(folder: Path, added: Path | None, path: str) -> tuple[Path, str]:
    """The directory in which a path of the index lies, and its path there."""
    directory, _, name = path.partition("/")
    return (added, name) if added and directory == added.name else (folder, path)


def _is_embedded_elsewhere(request: web.Request) -> bool:
    """Whether another origin's page embeds the document, instead of opening it in a window.

    Fetch Metadata § 2.4: browsers set these headers, and pages can't. With ``<object>`` a page could
    detect a document in spite of ``Cross-Origin-Resource-Policy``.
    """
    foreign = request.headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}
    return foreign and request.headers.get("Sec-Fetch-Dest") != "document"


def _headers(file: Path, types: Mapping[str, str]) -> dict[str, str]:
    media_type = _find_type(types[file.suffix.lower()])
    is_other = media_type in (_TEXT, _PAGE) and not _is_utf8(file)
    headers = {hdrs.CONTENT_TYPE: media_type.partition(";")[0] if is_other else media_type, **GUARDED}
    if media_type == _PAGE:
        headers["Content-Security-Policy"] = _SANDBOX
    if media_type not in _OPENED:
        headers[hdrs.CONTENT_DISPOSITION] = f"attachment; filename*=UTF-8''{quote(file.name, safe='')}"
    return headers


def _is_utf8(file: Path) -> bool:
    """Whether a text is UTF-8. Of any other the browser finds the encoding, by a mark or a declaration."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with file.open("rb") as stream:
            for _ in range(_CHUNKS):
                received = stream.read(_CHUNK)
                decoder.decode(received, final=not received)
                if not received:
                    break
    except UnicodeDecodeError:
        return False
    except OSError:
        return True  # it is gone, and nothing of it is sent
    return True


def _find_type(media_type: str) -> str:
    """The type of a served file: markup and code, which browsers don't render, are plain text."""
    if media_type == "text/html":
        return _PAGE
    return _TEXT if media_type.startswith("text/") else media_type
