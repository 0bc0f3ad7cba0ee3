"""Markdown with footnotes as two engines read it: GitHub's cmark-gfm, and markdown-it with its footnotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

_MARKDOWN_IT: Final = MarkdownIt("commonmark", {"html": True}).enable("table").use(footnote_plugin)


@dataclass(frozen=True, slots=True)
class FootnoteReading:
    """What a reader gets: the marks in the text, the footnotes below it, the links in them, and the rest.

    ``live`` are links outside the footnotes, images and HTML.
    """

    marks: frozenset[str]
    notes: frozenset[str]
    links: frozenset[str]
    live: frozenset[str]


def read_with_markdown_it(text: str) -> FootnoteReading:
    tokens = list(_flatten(_MARKDOWN_IT.parse(text)))
    marks, notes, links, live = set[str](), set[str](), set[str](), set[str]()
    inside = False
    for token in tokens:
        match token.type:
            case "footnote_ref":
                marks.add(token.meta["label"])
            case "footnote_open":
                inside = True
                notes.add(token.meta["label"])
            case "footnote_close":
                inside = False
            case "link_open":
                (links if inside else live).add(str(token.attrs["href"]))
            case "image" | "html_inline" | "html_block":
                live.add(token.content or str(token.attrs))
    return FootnoteReading(frozenset(marks), frozenset(notes), frozenset(links), frozenset(live))


def _flatten(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


_NOTE: Final = re.compile(r'<li id="fn-([^"]*)">(.*?)</li>', re.DOTALL)
_MARK: Final = re.compile(r'<a href="#fn-([^"]*)" id="fnref-')
_LINK: Final = re.compile(r'<a href="(?!#fn)([^"]*)"')
_OTHER: Final = re.compile(r"<img[^>]*>|<!-- raw HTML omitted -->")


def read_with_cmark(text: str) -> FootnoteReading:
    """GitHub reads bare addresses of the web and of e-mail as links, too."""
    html = cmarkgfm.markdown_to_html_with_extensions(
        text, Options.CMARK_OPT_FOOTNOTES, ["table", "strikethrough", "autolink"]
    )
    body, _, below = html.partition('<section class="footnotes"')
    notes = {label: _LINK.findall(note) for label, note in _NOTE.findall(below)}
    return FootnoteReading(
        frozenset(_MARK.findall(html)),
        frozenset(notes),
        frozenset(unescape(link) for note in notes.values() for link in note),
        frozenset([*map(unescape, _LINK.findall(body)), *_OTHER.findall(html)]),
    )
