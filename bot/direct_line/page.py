"""The page with Web Chat on it."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from ..config.language_model import describe_variables
from ..messages import Sentence, find_language, language, say, speaking
from ..sources import AnswerSource
from .bundle import CDN, SCRIPT_INTEGRITY, VERSION, Bundle
from .service import SERVICE

_FOLDER: Final = Path(__file__).parent / "page"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}
_ASSETS: Final = {file.name: _TYPES[file.suffix] for file in _FOLDER.iterdir() if file.suffix in _TYPES}
_BUNDLE: Final = f"/page/webchat-{VERSION}.js"
_IN_HTML: Final = (
    Sentence.PAGE_PROMISE,
    Sentence.PAGE_CONVERSATION,
    Sentence.PAGE_CONVERSATIONS,
    Sentence.PAGE_RENAME,
    Sentence.PAGE_COPY,
    Sentence.PAGE_SAVE,
    Sentence.PAGE_DELETE,
    Sentence.PAGE_CANCEL,
    Sentence.PAGE_NEW_CONVERSATION,
    Sentence.PAGE_BEGIN_NEW,
    Sentence.PAGE_DARK,
    Sentence.PAGE_STOP,
    Sentence.PAGE_NO_SCRIPT,
    Sentence.PAGE_PANEL,
    Sentence.PAGE_CLOSE,
    Sentence.PAGE_FILTER,
    Sentence.PAGE_READING,
    Sentence.PAGE_SKIPPED,
    Sentence.PAGE_ADD,
    Sentence.PAGE_DROP,
    Sentence.PAGE_STORED,
    Sentence.PAGE_START,
    Sentence.PAGE_FORMATS,
    Sentence.PAGE_EMPTY,
)
_IN_SCRIPT: Final = (
    Sentence.PAGE_ASK,
    Sentence.PAGE_CONVERSATION,
    Sentence.PAGE_NEW_CONVERSATION,
    Sentence.PAGE_MORE,
    Sentence.PAGE_TITLE_OF,
    Sentence.PAGE_DELETE_WHICH,
    Sentence.PAGE_DELETED,
    Sentence.PAGE_COPY_ANSWER,
    Sentence.PAGE_SAVE_ANSWER,
    Sentence.PAGE_COPIED,
    Sentence.PAGE_NOT_COPIED,
    Sentence.PAGE_SAVED,
    Sentence.PAGE_NOT_SAVED,
    Sentence.PAGE_ENDED,
    Sentence.PAGE_UNREACHABLE,
    Sentence.PAGE_NO_WEB_CHAT,
    Sentence.MODEL_KEY_REFUSED,
    Sentence.MODEL_UNKNOWN,
    Sentence.MODEL_NOT_THERE,
    Sentence.MODEL_UNREACHABLE,
    Sentence.MODEL_SLOW,
    Sentence.MODEL_NOT_INSTALLED,
)


_IN_MODULES: Final = (
    Sentence.PAGE_EMPTY,
    Sentence.PAGE_INDEXED,
    Sentence.PAGE_NO_MATCH,
    Sentence.PAGE_READ_SO_FAR,
    Sentence.PAGE_ALL_READ,
    Sentence.PAGE_STALLED,
    Sentence.PAGE_ADDED_BY_YOU,
    Sentence.PAGE_ADDED,
    Sentence.PAGE_REPLACED,
    Sentence.PAGE_REMOVE,
    Sentence.PAGE_REMOVED,
    Sentence.PAGE_NOT_REMOVED,
    Sentence.PAGE_NOT_READ,
    Sentence.PAGE_TOO_LARGE,
    Sentence.PAGE_NOT_ADDED,
    Sentence.PAGE_NO_FOLDERS,
)
"""The sentences of the page's modules, which fill in their placeholders."""
_MODULES: Final = "".join(
    f'<script type="module" src="/page/{name}.js"></script>' for name in ("panel", "start")
)
_PLACEHOLDERS: Final = {name: f"{{{name}}}" for name in ("name", "limit", "done", "total", "when")}


def add_page(
    app: web.Application, source: AnswerSource, bundle: Bundle, *, lists_documents: bool = False
) -> None:
    """Serve the page at ``/``, about ``source``, with Web Chat from ``bundle``.

    With ``lists_documents`` it has a panel of the documents, which :mod:`.local_documents` lists.
    """
    template = Template((_FOLDER / "index.html").read_text(encoding="utf-8"))

    async def page(request: web.Request) -> web.Response:
        facts = await source.facts()
        with speaking(find_language(request.headers.get(hdrs.ACCEPT_LANGUAGE))):
            html = template.substitute(
                _html_words(source.title, facts),
                words=_json(facts, request.app[SERVICE].id),
                webchat=_script(bundle),
                panel=_MODULES if lists_documents else "",
            )
        return web.Response(text=html, content_type="text/html", headers=_headers(request, bundle))

    async def asset(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in _ASSETS:
            raise web.HTTPNotFound
        headers = {hdrs.CONTENT_TYPE: _ASSETS[name], hdrs.CACHE_CONTROL: "no-cache", **_NOSNIFF}
        return web.FileResponse(_FOLDER / name, headers=headers)

    app.router.add_get("/", page)
    if bundle.file is not None:
        app.router.add_get(_BUNDLE, _web_chat(bundle.file))
    app.router.add_get("/page/{name}", asset)


_NOSNIFF: Final = {"X-Content-Type-Options": "nosniff"}


def _web_chat(file: Path) -> Handler:
    async def web_chat(_: web.Request) -> web.StreamResponse:
        headers = {
            hdrs.CONTENT_TYPE: _TYPES[".js"],
            # The file's name contains the version, so its content never changes.
            hdrs.CACHE_CONTROL: "public, max-age=31536000, immutable",
            **_NOSNIFF,
        }
        return web.FileResponse(file, headers=headers)

    return web_chat


def _html_words(title: str, facts: dict[str, str | int]) -> dict[str, str]:
    count = facts.get("documents")
    words: dict[str, str] = {
        "language": language(),
        "source": str(facts.get("source", "")),
        "title": title,
        "documents": "" if count is None else say(Sentence.PAGE_DOCUMENTS, count=count),
        Sentence.PAGE_TITLE: say(Sentence.PAGE_TITLE, title=title),
        Sentence.PAGE_EMPTY_HINT: say(Sentence.PAGE_EMPTY_HINT, title=title),
        **{sentence: say(sentence) for sentence in _IN_HTML},
    }
    return {name: escape(value) for name, value in words.items()}


def _json(facts: dict[str, str | int], service: str) -> str:
    """The sentences of the scripts, escaped so that none can end the script element that contains them.

    The scripts write a conversation's title for ``{title}``. ``service`` is an id of the running process.
    """
    model = describe_variables(str(facts.get("model API", "openai")), str(facts.get("model", "")))
    fields = {**model, "title": "{title}"}
    words = {sentence.value: say(sentence, **fields) for sentence in _IN_SCRIPT}
    words |= {sentence.value: say(sentence, **_PLACEHOLDERS) for sentence in _IN_MODULES}
    return json.dumps({**words, "service": service}).replace("<", "\\u003c")


def _script(bundle: Bundle) -> str:
    if bundle.file is not None:
        return f'<script defer src="{_BUNDLE}"></script>'
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
