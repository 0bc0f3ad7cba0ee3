"""What a reader gets: links, definitions, images and HTML, as markdown-it-py's own rules see them.

Nothing of :mod:`.reader` is used here, so that one reading can check the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_NESTING: Final = 60
"""Levels of tokens that are read: markdown-it-py counts a list and its items apart."""

_SPECIAL: Final = re.compile(r"[\\`<&\[\]!\n]")
"""Where an inline construct may begin, without emphasis."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition (CommonMark § 4.7), in the order of the source.

    ``nested`` ones stand in a quote or a list item: they resolve, but Web Chat doesn't list them.
    ``line`` counts from 0. ``label`` is as written; in ``url`` and ``title`` escapes and entities are
    decoded.
    """

    label: str
    url: str
    title: str
    line: int
    nested: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A link as shown: its text without formatting, and its target."""

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a text shows. ``images`` are their sources, ``html`` the tags and blocks passed through.

    ``tables`` are the lines of each, ``(first, behind the last)``, counted from 0.
    """

    definitions: tuple[Definition, ...]
    links: tuple[Link, ...]
    images: tuple[str, ...]
    html: tuple[str, ...]
    tables: tuple[tuple[int, int], ...]
    complete: bool
    """False where the text is nested too deeply to be read to its end."""


def read_outcome(text: str, *, tables: bool = True, encoded: bool = True) -> Outcome:
    """Parse ``text`` as a CommonMark reader does, with GFM's tables unless ``tables`` is False.

    URLs are as a browser gets them, percent-encoded; with ``encoded`` False they are as they were
    meant, with escapes and entities decoded only, which is cheaper.
    """
    md = _PARSERS[tables, encoded]
    env: dict[str, Any] = {}
    tokens = md.parse(text, env)
    definitions: list[Definition] = []
    links: list[Link] = []
    images: list[str] = []
    html: list[str] = []
    complete = True
    for token in tokens:
        if token.type == "definition":
            definitions.append(_definition(token))
        elif token.type == "html_block":
            html.append(token.content)
        # Links and images have a "[", and HTML and autolinks a "<" (CommonMark § 6.3–6.6).
        elif token.type == "inline" and ("[" in token.content or "<" in token.content):
            children: list[Token] = []
            md.inline.parse(token.content, md, env, children)
            _read_children(children, links, images, html)
        complete = complete and token.level <= MAX_NESTING - 4
    return Outcome(
        definitions=tuple(definitions),
        links=tuple(links),
        images=tuple(images),
        html=tuple(html),
        tables=tuple(
            (token.map[0], token.map[1]) for token in tokens if token.type == "table_open" and token.map
        ),
        complete=complete,
    )


def _definition(token: Token) -> Definition:
    meta = token.meta
    line = token.map[0] if token.map else 0
    return Definition(meta["label"], meta["url"], meta["title"], line, token.level > 0)


def _read_children(children: list[Token], links: list[Link], images: list[str], html: list[str]) -> None:
    target: str | None = None
    shown: list[str] = []
    for child in children:
        if child.type == "link_open":
            target, shown = str(child.attrs.get("href", "")), []
        elif child.type == "link_close":
            links.append(Link("".join(shown), target or ""))
            target = None
        elif child.type == "image":
            images.append(str(child.attrs.get("src", "")))
        elif child.type == "html_inline":
            html.append(child.content)
        elif target is not None:
            shown.append(child.content)


def _parser(*, tables: bool, encoded: bool) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    if tables:
        md.enable("table")
    # Emphasis changes neither links nor definitions: "links bind tighter" (CommonMark § 6.3).
    md.disable(["emphasis", "inline", "text_join", "balance_pairs", "fragments_join"])
    md.inline.terminator_re = _SPECIAL
    # A definition with any scheme is one, whether a renderer lets it pass or not.
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    if not encoded:
        md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return md


_PARSERS: Final = {
    (tables, encoded): _parser(tables=tables, encoded=encoded)
    for tables in (True, False)
    for encoded in (True, False)
}
