"""The engines of Python's packages: GitHub's cmark-gfm, and Rust's pulldown-cmark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, Final

import pyromark
from cmarkgfm import cmark

from .reading import Collected, Reading

CMARK: Final = "cmark-gfm"
PULLDOWN: Final = "pulldown-cmark"


def python_readings(text: str, *, shown: bool) -> dict[str, Reading]:
    """What each of them finds; with ``shown``, the badges in the text too."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return {CMARK: _read_cmark(readable, shown=shown), PULLDOWN: _read_pulldown(readable, shown=shown)}


_EXTENSIONS: Final = ["table", "autolink", "strikethrough", "tasklist"]
_OMITTED: Final = "<!-- raw HTML omitted -->"
_TAG: Final = re.compile(r'<(/?)(\w+)(?: (?:href|src)="([^"]*)")?[^>]*>')


def _read_cmark(text: str, *, shown: bool) -> Reading:
    """From the HTML that it writes, where it leaves out the tags of the text."""
    html = cmark.markdown_to_html_with_extensions(text.replace("\0", "\ufffd"), 0, _EXTENSIONS)
    found = Collected()
    if _OMITTED in html:
        found.html.append(_OMITTED)
    code = False
    behind = 0
    for tag in _TAG.finditer(html):
        found.add(unescape(html[behind : tag.start()]), code=code)
        behind = tag.end()
        closes, name, target = tag.groups(default="")
        if name == "a":
            found.close_link() if closes else found.open_link(unescape(target))
        elif name == "img":
            found.images.append(unescape(target))
        elif name == "code":
            code = not closes
        elif name not in {"em", "strong", "del"}:
            found.end()
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
