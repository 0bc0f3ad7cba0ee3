"""The routes of the page's panel: the documents of the folder, and the files that are added to them.

They exist only where the bot serves this machine alone. The guard refuses foreign hosts and origins before
them. ``PUT`` and ``DELETE`` also need a preflight, which no other page passes (Fetch § 3.2.2).
"""

from __future__ import annotations

import asyncio
import datetime as dt
from http import HTTPStatus
from pathlib import PurePath
from typing import Final
from urllib.parse import quote

from aiohttp import hdrs, web

from citations import LabelRanking, Reference

from ..config.routes import DOCUMENTS
from ..http.body import write_json
from ..http.refusal import refusal, too_large
from ..languages import Sentence, find_language, language, say, speaking
from ..retrieval.files import FORMATS, READERS
from ..retrieval.passages import VIEW
from ..retrieval.reading import ADDED, LARGEST, Skipped
from ..sources.folder import FolderSource, ListedDocument
from ..sources.folder.added_files import AddedFiles, FormatError, SizeError, clean_name
from ..sources.permission import EVERYTHING
from ..sources.skip_reason import explain_skip
from ..telemetry.log import logger

LOCAL_DOCUMENTS: Final = "/local/documents"
"""The path of the list of documents. Below it are the files that were added."""
_TIMEOUT: Final = 120.0
"""Seconds for the body of one file, which comes from this machine."""
_CHUNK: Final = 256 * 1024
HEADERS: Final = {
    hdrs.CACHE_CONTROL: "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_FORMATS: Final = sorted(suffix[1:].upper() for suffix in FORMATS)
"""The formats that are read, each by its usual ending."""

log = logger(__name__)


class LocalDocuments:
    """The handlers of the routes, for the documents of ``source`` and the files that were ``added`` to it."""

    def __init__(self, source: FolderSource, added: AddedFiles, labels: LabelRanking | None) -> None:
        self._source = source
        self._added = added
        self._labels = labels
        self._questions: dict[str, tuple[str, ...]] = {}
        """The last suggestions, by language."""

    async def list_documents(self, request: web.Request) -> web.Response:
        """Answer ``GET /local/documents``: what can be asked, what is being read, and what is skipped.

        Titles and reasons are in the browser's language. Raises 403 where another site's page asks.
        """
        refuse_other_sites(request)
        await self._source.notice_changes()
        documents, progress = await self._source.list_documents(), self._source.progress
        with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
            body = {
                "count": say(Sentence.PAGE_DOCUMENTS, count=len(documents)),
                "documents": [self._describe(one) for one in documents],
                "reading": [PurePath(path).name for path in progress.reading],
                "read": progress.read,
                "waiting": progress.waiting,
                "stalled": progress.stalled > 0,
                "complete": self._source.is_read,
                "skipped": [_describe_skipped(file) for file in self._source.report.skipped],
                "questions": await self._find_questions(),
                "formats": [*_FORMATS, say(Sentence.PAGE_SOURCE_CODE)],
                "endings": sorted(READERS),
                "limit": LARGEST // 1_000_000,
            }
        return web.json_response(body, headers=HEADERS, dumps=write_json)

    async def add_document(self, request: web.Request) -> web.Response:
        """Answer ``PUT /local/documents/{name}``: store the body as a file; it replaces one of that name.

        Raises 400 for a name that leads elsewhere or a broken body, 408 for a slow body, and 413 for a
        large one. Raises 415 for a format that is not read, and 507 where nothing can be stored.
        """
        refuse_other_sites(request)
        name = _read_name(request)
        replaces = self._added.holds(name)
        try:
            async with asyncio.timeout(_TIMEOUT):
                with self._added.write(name) as file:
                    async for chunk in request.content.iter_chunked(_CHUNK):
                        await asyncio.to_thread(file.write, chunk)
        except TimeoutError:
            raise refusal(web.HTTPRequestTimeout, "RequestTimeout", "the file did not come in time") from None
        except SizeError:
            raise too_large(f"a file may have {LARGEST // 1_000_000} MB") from None
        except (web.RequestPayloadError, ConnectionError):
            raise refusal(web.HTTPBadRequest, "BadSyntax", "the body is not what its headers say") from None
        except OSError as error:
            log.warning("a file could not be added", cause=type(error).__name__)
            raise refusal(web.HTTPInsufficientStorage, "NotStored", "the file can't be stored") from None
        await self._source.notice_changes(now=True)
        status = HTTPStatus.OK if replaces else HTTPStatus.CREATED
        shown = {"name": name, "replaced": replaces}
        return web.json_response(shown, status=status, headers=HEADERS, dumps=write_json)

    async def remove_document(self, request: web.Request) -> web.Response:
        """Answer ``DELETE /local/documents/{name}``: delete a file that was added.

        Raises 404 if there is none, and 409 where it can't be deleted now.
        """
        refuse_other_sites(request)
        name = _read_name(request)
        try:
            was_there = await asyncio.to_thread(self._added.remove, name)
        except OSError as error:  # on Windows, while a child process reads the file
            log.warning("an added file could not be removed", cause=type(error).__name__)
            raise refusal(web.HTTPConflict, "NotRemoved", "the file can't be deleted now") from None
        if not was_there:
            raise refusal(web.HTTPNotFound, "NotFound", "no such file was added")
        await self._source.look_again()
        return web.Response(status=HTTPStatus.NO_CONTENT, headers=HEADERS)

    async def _find_questions(self) -> tuple[str, ...]:
        """Suggestions. Each costs a search, so there are no others while files are being read."""
        progress = self._source.progress
        if not (progress.reading or progress.waiting) or not self._questions.get(language()):
            self._questions[language()] = await self._source.suggestions_for(EVERYTHING)
        # Since they were found, a document may have gone, or its label risen.
        asked = await asyncio.to_thread(self._source.list_questions)
        return tuple(one for one in self._questions[language()] if one in asked)

    def _describe(self, document: ListedDocument) -> dict[str, object]:
        file, reference = document
        read = dt.datetime.fromtimestamp(file.indexed, dt.UTC) if file.indexed else None
        return {
            "path": file.path,
            "title": reference.name,
            "format": PurePath(file.path).suffix.lower().removeprefix("."),
            "size": file.size,
            "passages": say(Sentence.PAGE_PASSAGES, count=file.passages),
            "indexed": read.isoformat(timespec="seconds") if read else None,
            "label": self._describe_label(file.path, reference.label_name),
            "url": f"{DOCUMENTS}{quote(file.path)}?{VIEW}=",
            **_describe_added(file.path),
        }

    def _describe_label(self, path: str, name: str | None) -> dict[str, object] | None:
        label = self._labels.label_of(Reference(id=path, label=name)) if self._labels else None
        if label is None:
            return {"name": name, "color": None} if name else None
        return {"name": label.name, "color": label.color}


def add_local_documents(
    app: web.Application, source: FolderSource, added: AddedFiles, labels: LabelRanking | None
) -> None:
    """Add the routes to ``app``; ``labels`` has the names and colours of the documents' labels."""
    routes = LocalDocuments(source, added, labels)
    app.router.add_get(LOCAL_DOCUMENTS, routes.list_documents, allow_head=False)
    app.router.add_put(LOCAL_DOCUMENTS + "/{name}", routes.add_document)
    app.router.add_delete(LOCAL_DOCUMENTS + "/{name}", routes.remove_document)


def refuse_other_sites(request: web.Request) -> None:
    """Fetch Metadata § 2.4: a browser sends no Origin with a GET that another site's page embeds."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise refusal(web.HTTPForbidden, "ForeignOrigin", "this bot only answers its own page")


def _describe_skipped(file: Skipped) -> dict[str, object]:
    name = PurePath(file.path).name
    return {
        "path": file.path,
        "name": name,
        "reason": explain_skip(file.reason),
        **_describe_added(file.path),
    }


def _describe_added(path: str) -> dict[str, object]:
    """The name under which an added file can be removed; None for a file of the folder itself."""
    directory, _, name = path.partition("/")
    return {"added": name if directory == ADDED else None}


def _read_name(request: web.Request) -> str:
    try:
        return clean_name(request.match_info["name"])
    except FormatError:
        raise refusal(
            web.HTTPUnsupportedMediaType, "UnsupportedMediaType", "files of this format are not read"
        ) from None
    except ValueError as error:
        raise refusal(web.HTTPBadRequest, "BadArgument", str(error)) from None
