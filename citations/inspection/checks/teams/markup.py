"""The text of an activity for Teams: which numbers become badges, and what prevents it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....model.errors import Problem, at
from ..badges import foreign_markers
from ..definitions import TEXT
from ..live_content import MARKDOWN_IT, REMARK, check_encoded_addresses, check_live, check_loads, number_of
from ..message_text import ReadText
from ..roots import Root
from ..rules import teams_problem
from ..values import Node
from .graph import claims_of

# "Format agent messages" (Microsoft Teams), with the format that is in public developer preview.
EXTENDED: Final = "extendedmarkdown"
_FORMATS: Final = ("markdown", "plain", "xml", EXTENDED)
# "Format agent messages" has links, mentions are written as <at>, and the Teams SDK quotes by <quoted>.
_ALLOWED: Final = re.compile(
    r"<a\s+href=(?:\"https?://[^\"<>]*\"|'https?://[^'<>]*')\s*>|<at(?:\s+id=\"\d+\")?>|</at?>"
    r"|<quoted\s+messageId=\"[^\"<>]*\"\s*/>"
)
_LINKED: Final = re.compile(
    r"<a\s[^<>]{0,2000}href=[\"']?([^\"'\s<>]{1,1000}+)[^<>]{0,1000}+>\s*\[?(\d{1,3})\]?\s*</a>"
)
_BADGE: Final = re.compile(r"\[(\d{1,9})\]", re.ASCII)
_ESCAPED: Final = re.compile(r"(?<!\\)(?:\\\\)*(\\\[(\d{1,9})\\?\])", re.ASCII)
_BLOCKS: Final = {"heading": "heading-not-shown", "header": "table-not-shown"}
_DEAD: Final = re.compile(r"(?:javascript|vbscript|data|file|ftp):|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)
"""What no reader's Teams opens: these schemes, and addresses that are relative to a page."""
_YEAR: Final = 1000
"""A number from here on is probably a year."""


def check_text(activity: Node, message: Root | None, read: ReadText | None) -> Iterator[Problem]:
    """The faults of the text and of its badges; ``message`` is the activity's graph."""
    text, kind = activity.get("text"), activity.get("textFormat")
    claims = claims_of(message) if message else ()
    if text is not None and not isinstance(text, str):
        yield teams_problem("text-not-a-string", TEXT)
    elif claims and not text:
        yield teams_problem("text-missing", TEXT)
    if kind is not None and kind not in _FORMATS:
        yield teams_problem("text-format", "$.textFormat", formats=", ".join(_FORMATS))
    elif isinstance(text, str) and text:
        if read is not None:
            yield from _check_links(read)
            yield from _check_widgets(read) if kind == EXTENDED else _check_blocks(read)
            yield from check_loads(TEXT, read.outcome, also_harmless=_ALLOWED)
            yield from check_live(TEXT, read, MARKDOWN_IT, REMARK)
            yield from check_encoded_addresses(TEXT, read)
        # Citations may arrive after their badges: "attach citations to the final message".
        if message is not None and activity.get("type") == "message":
            yield from _check_badges(_badge_numbers(read) if read else _numbers(text), claims)
            if read is not None:
                yield from _check_markers(read, claims)


def _check_blocks(read: ReadText) -> Iterator[Problem]:
    """Headings and tables, which "Format agent messages" doesn't list for a message's text."""
    for kind, line in dict.fromkeys((block.kind, block.first) for block in read.outcome.blocks):
        if code := _BLOCKS.get(kind):
            yield teams_problem(code, TEXT, line=line + 1)


def _check_widgets(read: ReadText) -> Iterator[Problem]:
    """Code that Teams runs: "html-widget" fences of the Teams SDK, in the format that is in preview."""
    for kind, info, line in ((block.kind, block.content, block.first) for block in read.outcome.blocks):
        if kind == "fence" and info.strip().lower().startswith("html-widget"):
            yield teams_problem("live-widget", TEXT, line=line + 1)


def _check_links(read: ReadText) -> Iterator[Problem]:
    """Badges that are links: in the Playground and CommonMark, a number with a definition is one."""
    for name, definition in read.resolved.items():
        if name.isdecimal():
            yield teams_problem("badge-defined", TEXT, label=name, line=definition.line + 1)
    html = [(found[2], found[1]) for found in _LINKED.finditer(read.text if read.outcome.html else "")]
    for number, target in dict.fromkeys(
        [*((number_of(link.text) or "", link.url) for link in read.outcome.links), *html]
    ):
        if number and number not in read.resolved:
            yield teams_problem("badge-with-target", TEXT, number=number, url=target)
        elif not number and _DEAD.match(target):
            yield teams_problem("dead-link", TEXT, url=target)


def _check_badges(shown: frozenset[int], claims: tuple[Root, ...]) -> Iterator[Problem]:
    """Claims without a badge and badges without a claim: a position "must match the [1] in the text"."""
    positions = {
        position: claim for claim in claims if isinstance(position := claim.node.get("position"), int)
    }
    for number in sorted(shown - positions.keys()):
        if number < _YEAR:
            yield teams_problem("badge-without-claim", TEXT, number=number)
    for position, claim in positions.items():
        if position not in shown:
            yield teams_problem("claim-without-badge", at(claim.path, "position"), position=position)


def _check_markers(read: ReadText, claims: tuple[Root, ...]) -> Iterator[Problem]:
    """Numbers that become badges unintended, and markers that should have."""
    positions = {number for claim in claims if isinstance(number := claim.node.get("position"), int)}
    if positions - _badge_numbers(read):
        for marker in foreign_markers(read):
            yield teams_problem("foreign-marker", TEXT, marker=marker)
    for leaf in read.leaves:
        for match in _ESCAPED.finditer(leaf.without("code")):
            if int(match[2]) in positions:
                yield teams_problem("number-becomes-badge", TEXT, marker=match[1], number=match[2])


def _badge_numbers(read: ReadText) -> frozenset[int]:
    """The numbers in brackets outside code, images and HTML."""
    return frozenset(
        int(match[1])
        for leaf in read.leaves
        for match in _BADGE.finditer(leaf.without("code", "image", "tag"))
    )


def _numbers(text: str) -> frozenset[int]:
    return frozenset(int(number) for number in _BADGE.findall(text))
