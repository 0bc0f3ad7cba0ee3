"""What a reader gets: links, definitions, images and HTML, as markdown-it-py's own rules see them.

Nothing of :mod:`.layout` is used here, so that one reading can check the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .layout import MAX_NESTING


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition (CommonMark § 4.7), in the order of the source.

    ``nested`` ones stand in a quote or a list item: they resolve, but Web Chat doesn't list them.
    ``line`` counts from 0. ``label`` is as written, ``url`` as a browser gets it.
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
    """What a text shows. ``images`` are their sources, ``html`` the tags and blocks passed through."""

    definitions: tuple[Definition, ...]
    links: tuple[Link, ...]
    images: tuple[str, ...]
    html: tuple[str, ...]
    complete: bool
    """False where the text is nested too deeply to be read to its end."""


def read_outcome(text: str, *, tables: bool = True) -> Outcome:
    """Parse ``text`` as a CommonMark reader does, with GFM's tables unless ``tables`` is False."""
    tokens = (_WITH_TABLES if tables else _PLAIN).parse(text)
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
        elif token.children:
            _read_children(token.children, links, images, html)
        complete = complete and token.level <= MAX_NESTING - 4
    return Outcome(
        definitions=tuple(definitions),
        links=tuple(links),
        images=tuple(images),
        html=tuple(html),
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


def _parser(*, tables: bool) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    if tables:
        md.enable("table")
    # Emphasis changes neither links nor definitions: "links bind tighter" (CommonMark § 6.3).
    md.disable("emphasis")
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    return md


_WITH_TABLES: Final = _parser(tables=True)
_PLAIN: Final = _parser(tables=False)
