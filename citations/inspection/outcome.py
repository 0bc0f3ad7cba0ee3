"""What a reader gets of a text: links, definitions, images and HTML, by markdown-it-py's own rules.

This module shares no code with :mod:`.inline_reader`, so that one reading can check the other. What both
know of tables is which cells a row has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from ..markdown.table_rows import drop_excess, find_table

MAX_NESTING: Final = 60
"""Levels of tokens that are read. markdown-it-py counts a list and its items separately."""

_ADDRESS: Final = re.compile(
    # `://`, `//localhost`, an e-mail address, a word with a dot. To linkify-it all but spaces and
    # punctuation makes a word.
    r"://|//(?=[^\s!-#%-*,\-./:;?@\[-\]{}])|@|\.(?<=[Ww]{3}\.)"
    r"|\.(?<=[^\s!-#%-*,\-./:;?@\[-\]{}]\.)(?=[^\W\d_])"
)
"""The sign of a bare address, which Web Chat's two Markdown engines may turn into a link."""
_SPECIAL: Final = re.compile(r"[\\`<&\[\]!\n]")
"""The possible beginnings of inline constructs other than emphasis."""

BlockKind = Literal["text", "heading", "header", "cell", "code", "fence"]
_KINDS: Final[dict[str, BlockKind]] = {
    "heading_open": "heading",
    "th_open": "header",
    "td_open": "cell",
}
_LEVELS: Final[dict[str, int]] = {"header": 4, "cell": 4}
"""The levels of the tokens of inline text at the top level, where it isn't 1."""


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


class LeafBlock(NamedTuple):
    """A block without blocks in it: the lines from ``first`` to before ``end``, which count from 0.

    ``content`` is its inline text; of a fence it is the info string, of indented code it is empty.
    ``nested`` blocks stand in a quote or a list item.
    """

    kind: BlockKind
    content: str
    first: int
    end: int
    nested: bool


@dataclass(slots=True)
class MarkdownReading:
    """What a text shows, in the order in which it is found.

    ``images`` are the sources of images. ``html`` are the tags and blocks of HTML. ``addresses`` are
    texts with a bare address, which a client may link. ``tables`` are the lines, as ``(first, behind the
    last)``, that engines without tables read differently.
    """

    definitions: list[Definition] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    blocks: list[LeafBlock] = field(default_factory=list)
    tables: list[tuple[int, int]] = field(default_factory=list)

    def read(self, content: str, md: MarkdownIt, env: dict[str, Any]) -> None:
        """Add what the inline text ``content`` shows."""
        # Links and images have brackets, and HTML and autolinks a "<" (CommonMark § 6.3–6.6).
        if ("[" in content and "]" in content) or "<" in content or _ADDRESS.search(content):
            children: list[Token] = []
            md.inline.parse(content, md, env, children)
            self._add(children)

    def _add(self, children: Iterable[Token]) -> None:
        target: str | None = None
        shown: list[str] = []
        for child in children:
            if child.type == "link_open":
                target, shown = str(child.attrs.get("href", "")), []
            elif child.type == "link_close":
                self.links.append(Link("".join(shown), target or ""))
                target = None
            elif child.type == "image":
                self.images.append(str(child.attrs.get("src", "")))
            elif child.type == "html_inline":
                self.html.append(child.content)
            elif target is not None:
                shown.append(child.content)
            elif child.type == "text" and _ADDRESS.search(child.content):
                self.addresses.append(child.content)


def read_markdown(text: str, *, tables: bool = True, known: Iterable[Definition] = ()) -> MarkdownReading:
    """Parse ``text`` as a CommonMark reader does, with GFM's tables unless ``tables`` is False.

    URLs are percent-encoded, as a browser gets them. ``known`` definitions count as if they stood above
    ``text``.
    """
    md = _parser(tables=tables)
    env = _environment(known)
    tokens = md.parse(text, env)
    found = MarkdownReading()
    before = ""
    for token in tokens:
        match token.type:
            case "definition":
                found.definitions.append(_definition(token))
            case "html_block":
                found.html.append(token.content)
            case "fence" | "code_block":
                kind: BlockKind = "fence" if token.type == "fence" else "code"
                found.blocks.append(_block(kind, token.info, token, 0))
            case "inline":
                inside = _KINDS.get(before, "text")
                found.blocks.append(_block(inside, token.content, token, _LEVELS.get(inside, 1)))
                found.read(token.content, md, env)
        before = token.type
    found.tables.extend(_tables(text, tokens))
    return found


def read_leaves(
    contents: Iterable[str], definitions: Iterable[Definition], *, javascript: bool = False
) -> MarkdownReading:
    """What ``contents`` show, each the inline text of a block, where a text has ``definitions``.

    With ``javascript``, backticks pair as in markdown-it 12 to 14. Web Chat 4.18.1 has this rule.
    """
    md, env, found = _parser(javascript=javascript), _environment(definitions), MarkdownReading()
    for content in contents:
        found.read(content, md, env)
    return found


def label_key(label: str) -> str:
    """A label in the form that links compare.

    "Perform the Unicode case fold and collapse internal spaces" (CommonMark § 4.7).
    """
    return " ".join(label.split()).casefold()


def _environment(definitions: Iterable[Definition]) -> dict[str, Any]:
    references: dict[str, dict[str, str]] = {}
    for one in definitions:
        references.setdefault(normalizeReference(one.label), {"href": one.url, "title": one.title})
    return {"references": references}


def _definition(token: Token) -> Definition:
    meta = token.meta
    line = token.map[0] if token.map else 0
    return Definition(meta["label"], meta["url"], meta["title"], line, token.level > 0)


def _block(kind: BlockKind, content: str, token: Token, level: int) -> LeafBlock:
    first, end = token.map or (0, 0)
    return LeafBlock(kind, content, first, end, token.level > level)


def _tables(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The lines around tables, up to blocks that stand by themselves: below a blank line, at the margin.

    Other blocks may be a part of the block above where its table is text.
    """
    if not any(token.type == "table_open" for token in tokens):
        return
    lines = ["", *text.split("\n")]
    first = end = 0
    has_table = False
    for token in tokens:
        if token.level == 0 and token.map and token.nesting >= 0:
            line = token.map[0]
            if not lines[line].strip() and not lines[line + 1].startswith((" ", "\t")):
                if has_table:
                    yield first, end
                first, has_table = line, False
            end = token.map[1]
        has_table = has_table or token.type == "table_open"
    if has_table:
        yield first, end


@cache
def _parser(*, tables: bool = True, javascript: bool = False) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    if tables:
        md.enable("table")
        md.block.ruler.at("table", partial(find_table, fit=drop_excess), {"alt": ["paragraph", "reference"]})
    if javascript:
        md.inline.ruler.at("backticks", _pair_backticks)
    # Emphasis changes neither links nor definitions: "links bind tighter" (CommonMark § 6.3).
    md.disable(["emphasis", "inline", "text_join", "balance_pairs", "fragments_join"])
    md.inline.terminator_re = _SPECIAL
    # A definition may have any scheme, even one that a renderer rejects.
    md.validateLink = lambda url: True  # type: ignore[method-assign] # noqa: ARG005
    return md


def _pair_backticks(state: StateInline, silent: bool) -> bool:
    """Read the code span, or the run of backticks, at ``state.pos`` (``lib/rules_inline/backticks.js``).

    CommonMark § 6.1 pairs each run with the next one of its length. The JavaScript rule caches the places
    of runs, and later runs overwrite them. After a run without a partner it takes code for text.
    """
    source, start = state.src, state.pos
    if source[start] != "`":
        return False
    pos = _behind_run(source, start, state.posMax)
    length = pos - start
    if not (state.backticksScanned and state.backticks.get(length, 0) <= start):
        close = end = pos
        while (close := source.find("`", end)) >= 0:
            end = _behind_run(source, close, state.posMax)
            if end - close == length:
                if not silent:
                    state.push("code_inline", "code", 0).content = source[pos:close]
                state.pos = end
                return True
            state.backticks[end - close] = close
        state.backticksScanned = True
    if not silent:
        state.append_pending(source[start:pos])
    state.pos = pos
    return True


def _behind_run(source: str, start: int, end: int) -> int:
    """The end of the run of backticks at ``start``, at least one character behind it."""
    pos = start + 1
    while pos < end and source[pos] == "`":
        pos += 1
    return pos
