"""Images and HTML, which clients load, and content that one client makes live and another shows as text.

An author's own links work in every client. What is live in some clients only came with an answer or a
document. The readings are those of :mod:`citations.markdown`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from html import unescape
from itertools import pairwise
from typing import Final

from ..markdown import MarkdownReading, read_markdown
from ..markdown.table_row import divided_cells
from ..model.errors import Problem
from .rules import problem
from .text import ReadText, without

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
_INDENTED: Final = re.compile(r"(?: {0,3}> ?)*(?: {4}|\t)")
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
    runs = {len(run) for run in _RUNS.findall(read.text)}
    if len(runs) > 1:
        yield from _check_backticks(path, read, markdown_it)
    if read.outcome.tables:
        plain = read_markdown(read.text, tables=False, addresses=True)
        # A pipe may end a bare address. Engines without tables link no bare addresses anyway.
        for what in more_live(plain, read.outcome, addresses=False):
            yield problem("without-tables", path, what=what, client=WITHOUT_TABLES)
        for what in more_live(read.outcome, plain, addresses=False):
            yield problem("without-tables", path, what=what, client=WITH_TABLES)
        for cell in divided_cells(read.text, read.outcome.tables):
            for what in more_live(read_markdown(cell, addresses=True), read.outcome):
                yield problem("escaped-pipe", path, what=what, client=micromark)
    yield from _check_below_definitions(path, read, micromark)


def check_accessible_names(path: str, read: ReadText) -> Iterator[Problem]:
    """Accessible names that Web Chat reads from braces and gives to the content before them."""
    texts = (without(inline, "code") for inline in read.layout.inlines)
    names = (found[0] for text in (*texts, *read.outcome.doubtful) for found in _NAME.finditer(text))
    for name in dict.fromkeys(names):
        yield problem("accessible-name", path, client=WEB_CHAT, name=name[:80])


def check_encoded_addresses(path: str, read: ReadText) -> Iterator[Problem]:
    """Addresses that an entity or an escape should disarm. remark-gfm decodes these first."""
    for inline in read.layout.inlines:
        content = without(inline, "code", "html", "autolink", "image", "target")
        decoded = unescape(_ESCAPED.sub(r"\1", content)) if "&" in content or "\\" in content else content
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
    other = read_markdown(read.text, javascript=True, addresses=True)
    for what in more_live(other, read.outcome):
        yield problem("backtick-pairs", path, what=what, live=client, code="CommonMark")
    for what in more_live(read.outcome, other):
        yield problem("backtick-pairs", path, what=what, live="CommonMark", code=client)


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
        live = _live(read_markdown(below.lstrip(" \t>"), addresses=True), addresses=True)
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
