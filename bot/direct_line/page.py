"""The page with Web Chat on it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from aiohttp import hdrs, web

from ..config.language_model import describe_variables
from ..config.routes import DOCUMENTS
from ..languages import Sentence, find_language, language, say, say_all, speaking
from ..sources import AnswerSource
from .bundle import CDN, SCRIPT_INTEGRITY, VERSION, Bundle
from .service import SERVICE

_FOLDER: Final = Path(__file__).parent / "page"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}
_BUNDLE: Final = f"webchat-{VERSION}.js"
_NOSNIFF: Final = {"X-Content-Type-Options": "nosniff"}
PANEL: Final = ("panel", "start")
"""The scripts of the documents' panel, and of what stands before the first question."""
MODELS: Final = ("models",)
"""The script that offers this machine's models."""
_PLACEHOLDERS: Final = {
    name: f"{{{name}}}" for name in ("count", "done", "limit", "name", "title", "total", "when")
}
"""What the scripts fill in."""


def add_page(
    app: web.Application,
    source: AnswerSource,
    bundle: Bundle,
    modules: Sequence[str] = (),
    *,
    counts: bool = True,
) -> None:
    """Serve the page at ``/``, about ``source``, with Web Chat from ``bundle``.

    ``modules`` are further scripts of the page: :data:`PANEL` needs :mod:`.local_documents`, and
    :data:`MODELS` needs :mod:`.local_models`. ``counts`` says whether the page may say how
    many documents there are.
    """
    template = Template((_FOLDER / "index.html").read_text(encoding="utf-8"))
    assets = {file.name: (file, "no-cache") for file in _FOLDER.iterdir() if file.suffix in _TYPES}
    if bundle.file is not None:
        # The file's name contains the version, so its content never changes.
        assets[_BUNDLE] = (bundle.file, "public, max-age=31536000, immutable")

    async def page(request: web.Request) -> web.Response:
        facts = await source.facts()
        with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
            html = template.substitute(
                _html_words(source.title, facts, facts.get("documents") if counts else None),
                words=_json(facts, request.app[SERVICE].id),
                webchat=_script(bundle),
                modules="".join(map(_write_module, modules)),
            )
        return web.Response(text=html, content_type="text/html", headers=_headers(request, bundle))

    async def asset(request: web.Request) -> web.StreamResponse:
        if request.match_info["name"] not in assets:
            raise web.HTTPNotFound
        file, caching = assets[request.match_info["name"]]
        headers = {hdrs.CONTENT_TYPE: _TYPES[file.suffix], hdrs.CACHE_CONTROL: caching, **_NOSNIFF}
        return web.FileResponse(file, headers=headers)

    app.router.add_get("/", page)
    app.router.add_get("/page/{name}", asset)


def _write_module(name: str) -> str:
    return f'<script type="module" src="/page/{name}.js"></script>'


def _html_words(title: str, facts: dict[str, str | int], count: str | int | None) -> dict[str, str]:
    words = {
        "language": language(),
        "source": str(facts.get("source", "")),
        "title": title,
        "documents": "" if count is None else say(Sentence.PAGE_DOCUMENTS, count=count),
        **say_all("page_", **_PLACEHOLDERS | {"title": title}),
    }
    return {name: escape(value) for name, value in words.items()}


def _json(facts: dict[str, str | int], service: str) -> str:
    """The sentences of the scripts, escaped so that none can end the script element that contains them.

    ``service`` is an id of the running process.
    """
    # A model may be chosen later, on the page.
    model = describe_variables(str(facts.get("model API", "openai")), str(facts.get("model", "{model}")))
    words = {
        **say_all("page_", **_PLACEHOLDERS),
        **say_all("model_", **_PLACEHOLDERS | model),
        "service": service,
    }
    return json.dumps(words).replace("<", "\\u003c")


def _script(bundle: Bundle) -> str:
    if bundle.file is not None:
        return f'<script defer src="/page/{_BUNDLE}"></script>'
    return f'<script defer src="{CDN}" integrity="{SCRIPT_INTEGRITY}" crossorigin="anonymous"></script>'


def _headers(request: web.Request, bundle: Bundle) -> dict[str, str]:
    scripts = "'self'" if bundle.file is not None else f"'self' {CDN}"
    policy = {
        "default-src": "'none'",
        "script-src": scripts,
        # Web Chat creates styles at run time.
        "style-src": "'self' 'unsafe-inline'",
        # No answer can make the browser load an image from another site.
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        # For some browsers, 'self' doesn't include WebSockets.
        "connect-src": f"'self' ws://{request.host}",
        # The view of a document, which has a stricter policy of its own, beside an answer.
        "frame-src": f"{request.scheme}://{request.host}{DOCUMENTS}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        hdrs.CACHE_CONTROL: "no-store",
        "Referrer-Policy": "no-referrer",
        **_NOSNIFF,
    }
