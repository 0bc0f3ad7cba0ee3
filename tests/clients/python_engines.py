"""The engines of Python's packages: GitHub's cmark-gfm, Rust's pulldown-cmark, and four more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final

import commonmark
import markdown
import mistletoe
import mistune
import pyromark
from cmarkgfm import cmark

from .reading import Collected, Reading

CMARK: Final = "cmark-gfm"
PULLDOWN: Final = "pulldown-cmark"


def python_readings(text: str, *, shown: bool) -> dict[str, Reading]:
    """What each of them finds; with ``shown``, the badges in the text too."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return {
        CMARK: _read_html(_write_cmark(readable), shown=shown),
        PULLDOWN: _read_pulldown(readable, shown=shown),
    }


def other_readings(text: str, *, shown: bool) -> dict[str, Reading]:
    """What engines find that no client of ours has, and for which nothing was written."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return {name: _read_html(write(readable), shown=shown) for name, write in OTHERS.items()}


_EXTENSIONS: Final = ["table", "autolink", "strikethrough", "tasklist"]
_TAG: Final = re.compile(r'<(/?)([A-Za-z!?]\w*)(?: (?:href|src)="([^"]*)")?[^>]*>')
_WRITTEN: Final = frozenset(
    "a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img input label li ol p pre s strong table tbody td "
    "th thead tr ul".split()
)
"""The tags that engines write for Markdown."""


def _write_cmark(text: str) -> str:
    """The HTML, in which the tags of the text are left out."""
    return str(cmark.markdown_to_html_with_extensions(text.replace("\0", "\ufffd"), 0, _EXTENSIONS))


_MISTUNE: Final = mistune.create_markdown(escape=False, plugins=["strikethrough", "table", "url"])
OTHERS: Final[dict[str, Callable[[str], str]]] = {
    "mistune": lambda text: str(_MISTUNE(text)),
    "Python-Markdown": lambda text: markdown.markdown(text, extensions=["fenced_code", "tables"]),
    "mistletoe": mistletoe.markdown,
    "commonmark.py": commonmark.commonmark,
}


def _read_html(html: str, *, shown: bool) -> Reading:
    """From the HTML that an engine writes."""
    found = Collected()
    code = False
    behind = 0
    for tag in _TAG.finditer(html):
        found.add(unescape(html[behind : tag.start()]), code=code)
        behind = tag.end()
        closes, name, target = tag.groups(default="")
        if name not in _WRITTEN:
            found.html.append(tag[0][:100])
        elif name == "a":
            found.close_link() if closes else found.open_link(unescape(target))
        elif name == "img":
            found.images.append(unescape(target))
        elif name == "code":
            code = not closes
        elif name not in {"em", "strong", "del"}:
            found.end()
    found.add(unescape(html[behind:]), code=code)
    return found.reading(shown=shown)


_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
)


def _read_pulldown(text: str, *, shown: bool) -> Reading:
    """From its events."""
    found = Collected()
    code = False
    for kind, value in _events(text):
        match kind, value:
            case "Text", _:
                found.add(value, code=code)
            case "Code", _:
                found.add(value, code=True)
            case (("Html" | "InlineHtml"), _):
                found.html.append(value[:100])
            case "Start", {"Link": link}:
                mail = "mailto:" if link["link_type"] == "Email" else ""
                found.open_link(mail + link["dest_url"])
            case "End", "Link":
                found.close_link()
            case "Start", {"Image": image}:
                found.images.append(image["dest_url"])
            case "Start", {"CodeBlock": _}:
                code = True
            case (("End" | "SoftBreak" | "HardBreak"), _) if value not in (
                "Emphasis",
                "Strong",
                "Strikethrough",
            ):
                code = False
                found.end()
    return found.reading(shown=shown)


def _events(text: str) -> Iterator[tuple[str, Any]]:
    for event in pyromark.events(text, options=_OPTIONS):
        yield from ((event, None),) if isinstance(event, str) else event.items()
