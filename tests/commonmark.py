"""The examples of the CommonMark specification, read from npm's ``commonmark-spec``.

They are not kept here: their licence (CC BY-SA 4.0) is not ours.
"""

from __future__ import annotations

import functools
import re

from markdown_it import MarkdownIt

from citations.inspection import read_markdown

from .npm_package import npm_package

_EXAMPLE = re.compile(r"^`{32} example\n(?P<markdown>.*?)^\.\n(?P<html>.*?)^`{32}$", re.DOTALL | re.MULTILINE)


@functools.cache
def examples() -> tuple[tuple[str, str], ...]:
    """All ``(markdown, html)`` pairs of version 0.31.2, 652 of them."""
    package = npm_package(
        "commonmark-spec",
        "0.31.2",
        "sha512-vXKxmclzJPymhOJYD26G0oBjVmIcKC8p5m2DvHIq1A1btr1m0r0dT/PzRA5/nwxUbCAPedMNPEoiQE+zvuOcOw==",
    )
    text = (package / "spec.txt").read_text(encoding="utf-8")
    found = tuple(
        (match["markdown"].replace("→", "\t"), match["html"].replace("→", "\t"))
        for match in _EXAMPLE.finditer(text)
    )
    assert len(found) == 652
    return found


def texts() -> tuple[str, ...]:
    """The Markdown of every example."""
    return tuple(markdown for markdown, _ in examples())


TABLES = (
    "| a | b |\n|---|:-:|\n| c | d `e` |\n| f \\| g | h |\n",
    "- x\n\n  | a |\n  |---|\n  | b |\n",
    "> | a | b\n> | - | -\n> | c\n",
    "1. a\n\tb\n\n\t- c\n\t\td\n\n> \t- e\n>\t\tf\n",
    "# a #\n## b ## ##\n### #\n#\tc\t#\n",
)


MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table")
MARKDOWN.validateLink = lambda url: True  # type: ignore[method-assign]


def html(text: str) -> str:
    """What a reader gets; the line end of a fence that the end of the text closes doesn't count."""
    return re.sub(r"\s+</code>", "</code>", MARKDOWN.render(text)).strip()


def is_plain(text: str) -> bool:
    """Whether there is nothing in ``text`` that has to be sanitized, and no cell that a reader would not see."""
    outcome = read_markdown(text)
    return not (outcome.links or outcome.images or outcome.html or outcome.definitions or _has_excess(text))


def _has_excess(text: str) -> bool:
    """Whether a row may have more cells than its header."""
    lines = text.split("\n")
    pipes = [
        lines[one.map[0]].strip(" >|").count("|")
        for one in MARKDOWN.parse(text)
        if one.type == "tr_open" and one.map
    ]
    return len(set(pipes)) > 1
