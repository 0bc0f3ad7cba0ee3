"""Images and HTML in a text: what a client loads, draws or hides because of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from ..markdown import MarkdownReading
from ..model.errors import Problem
from .rules import problem

_HARMLESS: Final = re.compile(
    r"</?(?:wbr|br|b|i|em|strong|u|s|del|ins|sub|sup|small|p|hr|code|pre|kbd|ul|ol|li|table|thead|tbody|tr|td|th"
    r"|blockquote|h[1-6]|span|div)(?:\s*/)?>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"<[a-z!/?][^>]*>?", re.IGNORECASE)


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
        if live := live_tag(also_harmless.sub("", html) if also_harmless else html):
            yield problem("html", path, tag=live[:60])
            break


def live_tag(html: str) -> str | None:
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
