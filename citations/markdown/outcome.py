"""What a reader gets of a text: links, definitions, images and HTML, by markdown-it-py's own rules.

This module shares no code with :mod:`.layout_reader`, so that one reading can check the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token

from .ambiguity import ambiguous_code, ambiguous_lists
from .hazards import ADDRESS, ATTRIBUTE, BARE, FOOTNOTE, JOINED_LINES
from .javascript import pair_backticks

MAX_NESTING: Final = 60
"""Levels of tokens that are read. markdown-it-py counts a list and its items separately."""

_SPECIAL: Final = re.compile(r"[\\`<&\[\]!\n]")
"""The possible beginnings of inline constructs other than emphasis."""

_CODE: Final = r"(?<!`)`[^`]+`(?!`)"
_LABEL: Final = r"\[([^\\`<&\[\]!\n]+)\]"
_SIMPLE: Final = re.compile(rf"(?:[^\\`<\[\]!]++|!(?!\[)|{_CODE}|{_LABEL}(?![\[(]))*+")
"""Text whose only constructs are code between single backticks, and "shortcut reference links"
(CommonMark § 6.1, 6.3)."""
_LABELS: Final = re.compile(rf"{_CODE}|{_LABEL}")


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition (CommonMark § 4.7), in the order of the source.

    ``nested`` ones stand in a quote or a list item. They resolve, but Web Chat doesn't list them.
    ``line`` counts from 0. ``label`` is as written. Escapes and entities of ``url`` and ``title`` are
    decoded.
    """

    label: str
    url: str
    title: str
    line: int
    nested: bool


class Link(NamedTuple):
    """A link as shown: its text without formatting, and its target."""

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownReading:
    """What a text shows.

    ``images`` are the sources of images. ``html`` are the tags and blocks of HTML. ``addresses`` are
    texts with a bare address, which a client may link. ``tables`` are the lines, as ``(first, behind the
    last)``, that engines without tables read differently. ``doubtful`` is text that some client reads
    differently: names in braces (``aria-label``), lines that Web Chat 4.18.1 joins, and ambiguous blocks.
    """

    definitions: tuple[Definition, ...]
    links: tuple[Link, ...]
    images: tuple[str, ...]
    html: tuple[str, ...]
    addresses: tuple[str, ...]
    doubtful: tuple[str, ...]
    tables: tuple[tuple[int, int], ...]
    complete: bool
    """False if the text is nested too deep to be read to its end."""


def read_markdown(  # noqa: PLR0913 - the ways in which readers differ
    text: str,
    *,
    tables: bool = True,
    encoded: bool = True,
    javascript: bool = False,
    addresses: bool = False,
    known: Sequence[Definition] = (),
) -> MarkdownReading:
    """Parse ``text`` as a CommonMark reader does, with GFM's tables unless ``tables`` is False.

    URLs are percent-encoded, as a browser gets them. With ``encoded`` False only their escapes and
    entities are decoded, which is cheaper. With ``javascript``, backticks pair as in markdown-it 12 to
    14, which Web Chat contains (:mod:`.javascript`). Bare addresses are only found with ``addresses``.
    ``known`` definitions count as if they stood at the end of ``text``.
    """
    md = _parser(tables, encoded, javascript)
    env: dict[str, Any] = {"references": {one.label: {"href": one.url, "title": one.title} for one in known}}
    tokens = md.parse(text, env)
    found = _Findings()
    if addresses or "[" in text:
        found.doubtful += ambiguous_lists(text, tokens)
    if addresses:
        found.doubtful += [name for name in JOINED_LINES.findall(text) if "\n" in name]
        found.doubtful += ambiguous_code(text, tokens)
    complete = True
    for token in tokens:
        match token.type:
            case "definition":
                found.definitions.append(_definition(token))
            case "html_block":
                found.html.append(token.content)
            case "fence" if ATTRIBUTE.search(token.info):
                found.doubtful.append(token.info)
            case "inline":
                if addresses and FOOTNOTE.search(token.content):
                    found.doubtful.append(token.content)
                _read_inline(token.content, md, env, found, addresses=addresses)
        complete = complete and token.level <= MAX_NESTING - 4
    return MarkdownReading(
        definitions=(*found.definitions, *known),
        links=tuple(found.links),
        images=tuple(found.images),
        html=tuple(found.html),
        addresses=tuple(found.addresses) if addresses else (),
        doubtful=tuple(found.doubtful),
        tables=_tables(tokens),
        complete=complete,
    )


def _read_inline(
    content: str, md: MarkdownIt, env: dict[str, Any], found: _Findings, *, addresses: bool
) -> None:
    # Links and images have a "[", and HTML and autolinks a "<" (CommonMark § 6.3–6.6).
    if not ("[" in content or "<" in content or (addresses and BARE.search(content))):
        return
    if _SIMPLE.fullmatch(content) and not (addresses and BARE.search(content)):
        defined = env["references"]
        for label in _LABELS.findall(content):
            if target := defined.get(normalizeReference(label)):
                found.links.append(Link(label, target["href"]))
        return
    children: list[Token] = []
    md.inline.parse(content, md, env, children)
    _read_children(children, found)


@lru_cache(maxsize=256)  # a stream asks for each of its definitions some forty times
def read_definition(line: str) -> Definition | None:
    """The definition that one line is by itself; None for any other line."""
    definitions = read_markdown(line, encoded=False).definitions
    return definitions[0] if len(definitions) == 1 else None


@dataclass(slots=True)
class _Findings:
    """The findings so far."""

    definitions: list[Definition] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)


def _tables(tokens: Sequence[Token]) -> tuple[tuple[int, int], ...]:
    """The lines of the top-level blocks with tables, each including the block behind it."""
    found: list[tuple[int, int]] = []
    last = (0, 0)
    behind = False
    for token in tokens:
        if token.level == 0 and token.map and token.nesting >= 0:
            last = (token.map[0], token.map[1])
            if behind:
                found[-1] = (found[-1][0], last[1])
            behind = False
        if token.type == "table_open" and not behind:
            found.append(last)
            behind = True
    return tuple(found)


def _definition(token: Token) -> Definition:
    meta = token.meta
    line = token.map[0] if token.map else 0
    return Definition(meta["label"], meta["url"], meta["title"], line, token.level > 0)


def _read_children(children: list[Token], found: _Findings) -> None:
    target: str | None = None
    shown: list[str] = []
    for child in children:
        if child.type == "link_open":
            target, shown = str(child.attrs.get("href", "")), []
        elif child.type == "link_close":
            found.links.append(Link("".join(shown), target or ""))
            target = None
        elif child.type == "image":
            found.images.append(str(child.attrs.get("src", "")))
        elif child.type == "html_inline":
            found.html.append(child.content)
        elif target is not None:
            shown.append(child.content)
        elif child.type == "text" and BARE.search(child.content):
            if ADDRESS.search(child.content):
                found.addresses.append(child.content)
            if ATTRIBUTE.search(child.content):
                found.doubtful.append(child.content)


@cache
def _parser(tables: bool, encoded: bool, javascript: bool) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    if tables:
        md.enable("table")
    if javascript:
        md.inline.ruler.at("backticks", pair_backticks)
    # Emphasis changes neither links nor definitions: "links bind tighter" (CommonMark § 6.3).
    md.disable(["emphasis", "inline", "text_join", "balance_pairs", "fragments_join"])
    md.inline.terminator_re = _SPECIAL
    # A definition may have any scheme, even one that a renderer rejects.
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    if not encoded:
        md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return md
