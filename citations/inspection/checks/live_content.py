"""Images and HTML, which clients load, and content that one client makes live and another shows as text.

An author's own links work in every client. What is live in some clients only came with an answer or a
document. The readings are those of :mod:`citations.markdown`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from html import unescape
from itertools import pairwise
from typing import Final

from ...model.errors import Problem
from ..outcome import LeafBlock, MarkdownReading, read_leaves, read_markdown
from .message_text import ReadText
from .rules import problem

MARKDOWN_IT: Final = "JavaScript markdown-it 12 to 14"
WEB_CHAT: Final = "Web Chat 4.18.1 (markdown-it 13)"
WEB_CHAT_MAIN: Final = "Web Chat's main build (micromark with math)"
REMARK: Final = "the Agents Playground and other remark-gfm readers"
WITHOUT_TABLES: Final = "readers without tables, such as react-markdown"
_EVERY: Final = "every client"
WITH_TABLES: Final = "Web Chat 4.18.1 (markdown-it 13) and other readers with tables"

_RUNS: Final = re.compile("`+")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>`]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE
)
# Web Chat 4.18.1, `ariaLabel.ts`, replaces the braces by ⟬…⟭ and then reads these as attributes.
_NAME: Final = re.compile(
    r"\{\s*aria-label(?:=(?:\"[^\"]{0,1000}\"|[^\s}]{0,1000}))?\s*\}|⟬[^⟬⟭]{0,200}aria-label[^⟬⟭]{0,1000}⟭",
    re.IGNORECASE,
)
_UNESCAPED: Final = re.compile(r"(?<!\\)((?:\\\\)*)\|")
"""A pipe behind an even number of backslashes."""
_INDENTED: Final = re.compile(r"(?: {0,3}>(?: {0,4}>)*+ ?)?(?: {4}|\t)")
_BROKEN: Final = re.compile(r"[ \t>]*(?:\[|&#91;)[^\[\]\n]{1,999}(?:\]|&#93;)(?:\u200b|\\|(?=&))(?::|&#58;)")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_HARMLESS: Final = re.compile(
    r"</?(?:wbr|br|b|i|em|strong|u|s|del|ins|sub|sup|small|p|hr|code|pre|kbd|ul|ol|li|table|thead|tbody|tr|td|th"
    r"|blockquote|h[1-6]|span|div)(?:\s*/)?>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"<[a-z!/?][^>]*>?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[\[\]*_~` \u200b]*(\d{1,3})[\[\]*_~` \u200b]*", re.ASCII)


def check_loads(
    path: str,
    outcome: MarkdownReading,
    sources: Collection[str] = (),
    also_harmless: re.Pattern[str] | None = None,
) -> Iterator[Problem]:
    """Images outside ``sources``, and HTML other than formatting or ``also_harmless``."""
    for image in dict.fromkeys(outcome.images):
        if image not in sources:
            yield problem("image", path, url=image)
    for html in outcome.html:
        if live := _live_tag(also_harmless.sub("", html) if also_harmless else html):
            yield problem("html", path, tag=live[:60])
            break


def check_live(path: str, read: ReadText, markdown_it: str, micromark: str) -> Iterator[Problem]:
    """Content of the text at ``path`` that isn't live everywhere.

    The other arguments name the engines' clients.
    """
    if read.marked:
        yield problem("byte-order-mark", path, micromark=micromark, markdown_it=markdown_it)
    yield from _check_backticks(path, read, markdown_it)
    yield from _check_tables(path, read, micromark)
    yield from _check_below_definitions(path, read, micromark)


def check_accessible_names(path: str, read: ReadText) -> Iterator[Problem]:
    """Accessible names that Web Chat reads from braces and gives to the content before them."""
    if "aria-label" not in read.text.lower():
        return
    texts = [leaf.without("code") for leaf in read.leaves]
    texts += (block.content for block in read.outcome.blocks if block.kind == "fence")
    names = [found[0] for text in texts for found in _NAME.finditer(text)]
    # Web Chat joins the lines of a name before it reads Markdown, in code, too.
    names += (name for name in _NAME.findall(read.text) if "\n" in name and name.startswith("{"))
    for name in dict.fromkeys(names):
        yield problem("accessible-name", path, client=WEB_CHAT, name=name[:80])


def check_encoded_addresses(path: str, read: ReadText) -> Iterator[Problem]:
    """Addresses that an entity or an escape should disarm. remark-gfm decodes these first."""
    for leaf in read.leaves:
        if "&" in leaf.content or "\\" in leaf.content:
            content = leaf.without("code", "tag", "autolink", "image", "target").replace("\0", " ")
            decoded = unescape(_ESCAPED.sub(r"\1", content))
            for address in dict.fromkeys(found[0] for found in _ADDRESS.finditer(decoded)):
                if address not in content:
                    yield problem("encoded-address", path, address=address, client=REMARK)


def more_live(one: MarkdownReading, other: MarkdownReading, *, addresses: bool = True) -> Iterator[str]:
    """What is live in ``one`` reading and not in the ``other``, in words."""
    known = _live(other, addresses=addresses)
    yield from (what for what, count in _live(one, addresses=addresses).items() if count > known[what])


def number_of(shown: str) -> str | None:
    """The number in a link's text, which looks like a badge; None for other text."""
    found = _NUMBER.fullmatch(shown)
    return found[1] if found else None


def _check_backticks(path: str, read: ReadText, client: str) -> Iterator[Problem]:
    """Runs of several lengths, which JavaScript's markdown-it pairs otherwise."""
    leaves = [leaf.content for leaf in read.leaves if len(set(_RUNS.findall(leaf.content))) > 1]
    if not leaves:
        return
    here, there = (
        read_leaves(leaves, read.outcome.definitions, javascript=javascript) for javascript in (False, True)
    )
    for what in more_live(there, here):
        yield problem("backtick-pairs", path, what=what, live=client, code="CommonMark")
    for what in more_live(here, there):
        yield problem("backtick-pairs", path, what=what, live="CommonMark", code=client)


def _check_tables(path: str, read: ReadText, micromark: str) -> Iterator[Problem]:
    """Tables, which some engines don't know, and whose cells another one ends elsewhere."""
    for here, there in _read_tables(read) if read.outcome.tables else ():
        # A pipe may end a bare address. Engines without tables link no bare addresses anyway.
        for what in more_live(there, here, addresses=False):
            yield problem("without-tables", path, what=what, client=WITHOUT_TABLES)
        for what in more_live(here, there, addresses=False):
            yield problem("without-tables", path, what=what, client=WITH_TABLES)
    for first, end in read.outcome.tables:
        for cell in _cells_of_micromark(read.lines[first:end]):
            for what in more_live(read_markdown(cell), read.outcome):
                yield problem("escaped-pipe", path, what=what, client=micromark)


def _read_tables(read: ReadText) -> Iterator[tuple[MarkdownReading, MarkdownReading]]:
    """What engines with tables read in the lines around them, and what engines without tables read."""
    known = read.outcome.definitions
    cells: list[str] = []
    paragraphs: list[str] = []
    others: list[str] = []
    for first, end in read.outcome.tables:
        text = "\n".join(read.lines[first:end])
        start, stop = (bisect_left(read.outcome.blocks, line, key=_first_line) for line in (first, end))
        blocks = read.outcome.blocks[start:stop]
        rows = {block.first for block in blocks if block.kind in ("header", "cell") and not block.nested}
        # Without tables, a table by itself is a paragraph. Only the line below its header has no cells.
        if len(rows) == end - first - 1 and not text.startswith("["):
            cells += (block.content for block in blocks)
            paragraphs.append(text)
        else:
            others.append(text)
    yield read_leaves(cells, known), read_leaves(paragraphs, known)
    text = "\n\n".join(others)
    here, there = (read_markdown(text, tables=tables, known=known) for tables in (True, False))
    if [one.label for one in here.definitions] != [one.label for one in there.definitions]:
        here, there = read.outcome, read_markdown(read.text, tables=False)
    yield here, there


def _first_line(block: LeafBlock) -> int:
    return block.first


def _cells_of_micromark(lines: Sequence[str]) -> Iterator[str]:
    """The cells of those rows that micromark divides as others don't.

    To other engines each pipe behind a backslash is a part of its cell, also in code (GFM § "Tables"). To
    micromark two backslashes escape each other, and not the pipe.
    """
    for line in lines:
        pipes = list(_UNESCAPED.finditer(line)) if "\\\\|" in line else ()
        if any(pipe[1] for pipe in pipes):
            bounds = [0, *(pipe.end() for pipe in pipes), len(line) + 1]
            yield from (line[start : end - 1] for start, end in pairwise(bounds))


def _check_below_definitions(path: str, read: ReadText, micromark: str) -> Iterator[Problem]:
    """Indented lines below a definition. commonmark.js and micromark read a paragraph there.

    Below a definition that was made text, every client does.
    """
    whole = {one.line for one in read.outcome.definitions if not read.lines[one.line].rstrip().endswith(":")}
    found = [
        (number, below)
        for number, (line, below) in enumerate(pairwise(read.lines))
        if _INDENTED.match(below) and (number in whole or _BROKEN.match(line))
    ]
    known = _live(read.outcome, addresses=True) if found else Counter()
    for number, below in found:
        live = _live(read_markdown(below.lstrip(" \t>")), addresses=True)
        for what, count in live.items():
            if number in whole and count > known[what]:
                yield problem("code-below-definition", path, what=what, line=number + 1, client=micromark)
            elif number not in whole and what in known:
                yield problem("code-below-definition", path, what=what, line=number + 1, client=_EVERY)


def _live(outcome: MarkdownReading, *, addresses: bool) -> Counter[str]:
    found = Counter(f"the link to {link.url[:200]!r}" for link in outcome.links)
    found.update(f"the image {image[:200]!r}" for image in outcome.images)
    found.update(f"the tag {tag[:60]!r}" for tag in outcome.html)
    shown = outcome.addresses if addresses else ()
    found.update(f"the address {match[0][:200]!r}" for text in shown for match in _ADDRESS.finditer(text))
    return found


def _live_tag(html: str) -> str | None:
    """The first tag that is more than formatting."""
    return next((tag[0] for tag in _TAG.finditer(_HARMLESS.sub("", _without_comments(html)))), None)


def _without_comments(html: str) -> str:
    """``html`` without its closed comments."""
    parts: list[str] = []
    behind = 0
    while (start := html.find("<!--", behind)) >= 0 and (end := html.find("-->", start)) >= 0:
        parts.append(html[behind:start])
        behind = end + 3
    return "".join([*parts, html[behind:]])
