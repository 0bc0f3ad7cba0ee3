"""Answers requests for the view of a document: a page with the document on it.

The document is untrusted and has the page's origin. So it is sanitized, and the page's policy lets only the
page's own files run and lets nothing be loaded from elsewhere.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from aiohttp import hdrs, web

from citations import LabelRanking, Reference
from citations.text import without_turns

from ..config.routes import DOCUMENTS
from ..direct_line.conversation import CHANNEL
from ..http.body import write_json
from ..http.documents import GUARDED
from ..languages import Sentence, find_language, language, language_named, say, say_all, speaking
from ..retrieval.files import MEDIA_TYPES
from ..retrieval.passages import VIEW, Anchor, read_anchor
from ..retrieval.reading import LARGEST
from ..sources import AnswerSource
from .mark import MarkStyle, mark_words
from .pdf_library import VERSION, PdfLibrary
from .rendered_document import RenderedDocument, render_in_child

_FOLDER: Final = Path(__file__).parent / "page"
_ASSETS: Final = "/view/"
"""The path above the files of the page."""
_PDF_LIBRARY: Final = f"{_ASSETS}pdfjs-{VERSION}/"
_WORDS: Final = "words"
"""The parameter that asks for the words of an anchor alone, as JSON."""
_MOST: Final = 24_000_000
"""Characters of all renderings that are kept."""
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
}


class DocumentView:
    """Shows documents that ``source`` knows. ``labels`` has the names and colours of their labels."""

    media_types: Final = MEDIA_TYPES
    """The media type of each ending that is read."""

    def __init__(self, source: AnswerSource, labels: LabelRanking | None, pdf: PdfLibrary | None) -> None:
        self._source = source
        self._labels = labels
        self.pdf = pdf or PdfLibrary()
        self._renderings = Renderings()
        self._template = Template((_FOLDER / "view.html").read_text(encoding="utf-8"))

    async def show(self, request: web.Request, file: Path, path: str) -> web.StreamResponse | None:
        """Answer with the page of the document at ``path``; redirect to the file where it can't be shown.

        None where the request has no parameter :data:`VIEW`: it asks for the file.
        """
        if VIEW not in request.query:
            return None
        anchor = read_anchor(request.query.get(VIEW, ""))
        is_pdf = file.suffix.lower() == ".pdf"
        if _WORDS in request.query:
            words = await self._find_words(file, anchor)
            return web.json_response({"words": words}, headers=_headers(), dumps=write_json)
        rendered = None if is_pdf else await self._renderings.render(file)
        if rendered is None and not (is_pdf and self.pdf.files):
            # A browser keeps the fragment, such as #page=3 (Fetch § 4.4, step 3).
            raise web.HTTPFound(request.rel_url.with_query(None), headers=_headers())
        described = await self._describe(path)
        with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
            html = await asyncio.to_thread(self._write, request, described, rendered, anchor)
        return web.Response(text=html, content_type="text/html", headers=_headers(request, is_pdf=is_pdf))

    async def _find_words(self, file: Path, anchor: Anchor) -> list[str]:
        rendered = await self._renderings.render(file) if anchor.words else None
        found = (one.find_in(rendered.text) for one in anchor.words) if rendered else ()
        return [words for words in found if words]

    async def explain_withheld(self, path: str) -> str | None:
        """Say that a document's label is above the ceiling of the page's channel; None where it is not.

        A label that encrypts forbids to copy, and not to open the document.
        """
        if self._labels is None:
            return None
        unread = Reference(id=path, label=self._source.unread_label)
        label = self._labels.label_of(await self._source.describe_document(path) or unread)
        if label is None or not self._labels.exceeds_ceiling(label, CHANNEL):
            return None
        return say(Sentence.DOCUMENT_WITHHELD, label=label.name, path=without_turns(path))

    async def _describe(self, path: str) -> Reference:
        return await self._source.describe_document(path) or Reference(id=path)

    def _write(
        self, request: web.Request, described: Reference, rendered: RenderedDocument | None, anchor: Anchor
    ) -> str:
        name = described.id.rpartition("/")[2]
        title = described.name or (rendered.title if rendered else None) or name
        kind = Sentence.VIEW_PASSAGE if anchor.is_passage else Sentence.VIEW_CITED
        mark = MarkStyle(say(kind), "passage" if anchor.is_passage else "cited")
        values: dict[str, str] = {
            "language": language(),
            "title": title,
            "name": "" if name == title else name,
            "original": DOCUMENTS + request.rel_url.raw_path.removeprefix(DOCUMENTS),
            "view_pages": "" if rendered is None else "hidden",
            "opening": "" if rendered else say(_say_opening(anchor)),
            **say_all("page_dark"),
            **say_all("view_", page="", count="", label=""),
        }
        written = self._template.substitute(
            {key: escape(value) for key, value in values.items()},
            label=self._write_label(described),
            document=_write_document(rendered, anchor, mark) if rendered else "",
            settings=_write_json(_describe_pdf(request, mark)) if rendered is None else "{}",
            script="pdf.js" if rendered is None else "text.js",
        )
        return without_turns(written)

    def _write_label(self, described: Reference) -> str:
        """Write the sensitivity label of a document, if it has one."""
        label = self._labels.label_of(described) if self._labels else None
        name = label.name if label else described.label_name
        if not name:
            return ""
        color = label.color if label and label.color and _COLOR.fullmatch(label.color) else "currentColor"
        shield = (
            f'<svg viewBox="0 0 16 16" aria-hidden="true"><path fill="{escape(color)}" d="{_SHIELD}"/></svg>'
        )
        with_name = escape(say(Sentence.VIEW_LABEL, label=name))
        return f'<span class="label" title="{with_name}">{shield}{escape(name)}</span>'


def _say_opening(anchor: Anchor) -> Sentence:
    """What is said until the pages of a PDF are there, and its cited words are marked."""
    return Sentence.VIEW_FINDING if anchor.words else Sentence.VIEW_OPENING


_COLOR: Final = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]+")
_SHIELD: Final = "M8 1.500 13.500 3.500v4c0 3.400-2.300 5.800-5.500 7-3.200-1.200-5.500-3.600-5.500-7v-4z"


class Renderings:
    """The last renderings of files, by the hash of the file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], RenderedDocument] = OrderedDict()
        # Each one takes a thread while a child works, and answers need threads, too.
        self._few_at_a_time = asyncio.Semaphore(2)

    async def render(self, file: Path) -> RenderedDocument | None:
        """The rendering of a file; None where it can't be read within the limits."""
        async with self._few_at_a_time:
            try:
                digest = await asyncio.to_thread(_compute_digest, file)
                if digest is None:
                    return None
                key = (digest, file.suffix.lower())
                if key not in self._kept:
                    rendered = await asyncio.to_thread(render_in_child, file)
                    if rendered is None:
                        return None
                    self._keep(key, rendered)
            except OSError:
                return None
            self._kept.move_to_end(key)
            return self._kept[key]

    def _keep(self, key: tuple[str, str], rendered: RenderedDocument) -> None:
        self._kept[key] = rendered
        while len(self._kept) > 1 and sum(map(_measure, self._kept.values())) > _MOST:
            self._kept.popitem(last=False)


def _measure(rendered: RenderedDocument) -> int:
    return len(rendered.html) + len(rendered.text)


def _compute_digest(file: Path) -> str | None:
    """The digest of a file; None where it is too large to be read."""
    with file.open("rb") as opened:
        if os.fstat(opened.fileno()).st_size > LARGEST:
            return None
        return hashlib.file_digest(opened, "sha256").hexdigest()


def add_document_view(app: web.Application, view: DocumentView) -> None:
    """Serve the files of the page, and those of pdf.js once they are there."""

    async def asset(request: web.Request) -> web.StreamResponse:
        file = _FOLDER / request.match_info["name"]
        if file.suffix not in _TYPES or not file.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(file, headers={**_headers(), hdrs.CONTENT_TYPE: _TYPES[file.suffix]})

    async def pdf_library(request: web.Request) -> web.Response:
        path = request.match_info["path"]
        content = view.pdf.files.get(path)
        if content is None:
            raise web.HTTPNotFound
        media_type = _TYPES.get(Path(path).suffix, "application/octet-stream")
        headers = {
            **_headers(),
            hdrs.CONTENT_TYPE: media_type,
            # The path contains the version, so the content never changes.
            hdrs.CACHE_CONTROL: "public, max-age=31536000, immutable",
        }
        return web.Response(body=content, headers=headers)

    app.router.add_get(_PDF_LIBRARY + "{path:.+}", pdf_library)
    app.router.add_get(_ASSETS + "{name:[a-z-]+\\.(?:css|js)}", asset)


def _write_document(rendered: RenderedDocument, anchor: Anchor, mark: MarkStyle) -> str:
    html = mark_words(rendered.html, rendered.text, rendered.find(anchor.words), mark)
    tag = language_named(rendered.language)
    lang = f' lang="{tag}"' if tag else ""
    return f'<article dir="auto"{lang}>{html}</article>'


def _describe_pdf(request: web.Request, mark: MarkStyle) -> Mapping[str, str]:
    """What the script needs that draws a PDF."""
    path = request.rel_url.raw_path
    query = request.rel_url.update_query({_WORDS: ""}).raw_query_string
    return {
        "file": path,
        "words": f"{path}?{query}",
        "pdfjs": _PDF_LIBRARY,
        "mark": mark.name,
        "kind": mark.kind,
        "page": say(Sentence.VIEW_PAGE_OF, page="{page}", count="{count}"),
        "failed": say(Sentence.VIEW_FAILED),
    }


def _write_json(values: Mapping[str, str]) -> str:
    """Write JSON that can't end the script element that contains it."""
    return json.dumps(values).replace("<", "\\u003c")


def _headers(request: web.Request | None = None, *, is_pdf: bool = False) -> dict[str, str]:
    """The headers of an answer; those of the page itself with ``request``."""
    if request is None:
        return dict(GUARDED)
    own = f"{request.scheme}://{request.host}"
    policy = {
        "default-src": "'none'",
        # Not 'self': documents and uploads have this origin, too.
        "script-src": f"{own}{_ASSETS} {own}/page/",
        "style-src": f"{own}{_ASSETS} {own}/page/",
        "img-src": f"data: {own}/page/",
        "connect-src": f"{own}{DOCUMENTS} {own}{_PDF_LIBRARY}" if is_pdf else "'none'",
        "worker-src": f"{own}{_PDF_LIBRARY}" if is_pdf else "'none'",
        "font-src": f"{own}{_PDF_LIBRARY}" if is_pdf else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        # The page has it beside an answer. No document can: what is served of one has no origin.
        "frame-ancestors": own,
    }
    content = "; ".join(f"{name} {value}" for name, value in policy.items())
    return {**GUARDED, "Content-Security-Policy": content}
