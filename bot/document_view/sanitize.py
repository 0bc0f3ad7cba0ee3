"""Sanitizes HTML with nh3, which parses as browsers do.

What is left has no script, style, form or frame. It requests nothing: only pictures inside the document
are shown. It has no class and no id, so it can't look like the page around it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import partial
from typing import Final
from urllib.parse import quote, unquote

import nh3

from .mark import TOKEN

_TAGS: Final = frozenset(
    """a abbr address article b bdi blockquote br caption cite code col colgroup dd del dfn div dl dt em
    figcaption figure h1 h2 h3 h4 h5 h6 header hr i img ins kbd li ol p pre q rp rt ruby s samp section small
    span strong sub sup table tbody td tfoot th thead time tr u ul var wbr""".split()
)
_SILENT: Final = frozenset(
    """audio canvas datalist embed head iframe math noembed noframes noscript object option select script
    style svg template textarea title video""".split()
)
"""Elements that are dropped with all that is in them."""
NAVIGATION: Final = frozenset({"nav", "button", "dialog"})
_ATTRIBUTES: Final = {
    "*": {"dir", "lang", "hidden", "aria-hidden", "style"},
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start", "reversed", "type"},
    "li": {"value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
_PICTURE: Final = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+")
_ELSEWHERE: Final = re.compile(r"(?:https?://|mailto:)[^\x00-\x20]+", re.IGNORECASE)
_BESIDE: Final = re.compile(r"(?P<path>[^\x00-\x20:\\?#/][^\x00-\x20:\\?#]*)(?:#.*)?")
"""A path that begins in the document's own folder."""
_TABLE: Final = re.compile("</?table>")
_IMAGE: Final = re.compile(r'<img(?P<attributes>(?:[^<>"]|"[^"]*")*)>')
_ALT: Final = re.compile(r' alt="([^"]*)"')
_WORD: Final = re.compile(r"[^\W_]")
_SCROLLED: Final = {"<table>": '<div class="scroll" tabindex="0"><table>', "</table>": "</table></div>"}
"""A wide table scrolls in a box of its own, also by keyboard."""


def sanitize(
    source: str,
    dropped: frozenset[str] = frozenset(),
    *,
    endings: tuple[str, ...],
    is_hiding: Callable[[str], bool],
) -> str:
    """The HTML ``source`` without anything active; ``dropped`` elements go with their content.

    ``endings`` are those of files that have a view, to which links nearby lead. What has a style that
    ``is_hiding`` stays hidden.
    """
    clean = nh3.clean(
        source,
        tags=set(_TAGS),
        clean_content_tags=set(_SILENT | dropped),
        attributes=_ATTRIBUTES,
        attribute_filter=partial(_filter_attribute, endings, is_hiding),
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return TOKEN.sub(_rewrite_tag, clean)


def has_words(source: str) -> bool:
    """Whether sanitized HTML has any text."""
    return any(_WORD.search(one[0]) for one in TOKEN.finditer(source) if not one[0].startswith("<"))


def _filter_attribute(
    endings: tuple[str, ...], is_hiding: Callable[[str], bool], tag: str, name: str, value: str
) -> str | None:
    """The value that an attribute may have, or None."""
    if tag == "img" and name == "src":
        return value if _PICTURE.fullmatch(value) else None
    if name == "style":
        return "" if is_hiding(value) else None
    if name == "href":
        return _filter_link(value.strip(), endings)
    return value


def _filter_link(target: str, endings: tuple[str, ...]) -> str | None:
    """Keep a link to another site, and make one to a document nearby a link to its view."""
    if _ELSEWHERE.fullmatch(target):
        return target
    beside = _BESIDE.fullmatch(target)
    path = unquote(beside["path"]) if beside else ""
    # A path that begins with two slashes is a host (RFC 3986 § 4.2), however they were written.
    is_document = not path.startswith("/") and path.lower().endswith(endings)
    return f"{quote(path)}?view=" if is_document else None


def _rewrite_tag(token: re.Match[str]) -> str:
    """Put tables into boxes that scroll, and show the description of a picture that is not shown."""
    tag = token[0]
    if tag.startswith("<"):
        tag = tag.replace(' style=""', ' hidden=""')  # the page takes no styles from a document
    if _TABLE.fullmatch(tag):
        return _SCROLLED[tag]
    image = _IMAGE.fullmatch(tag)
    if not image:
        return tag
    alt = _ALT.search(image["attributes"])
    if " src=" in image["attributes"]:
        return tag if alt else f'<img alt=""{image["attributes"]}>'
    words = html.unescape(alt[1]).strip() if alt else ""
    return f'<span class="picture">{html.escape(words)}</span>' if words else ""
