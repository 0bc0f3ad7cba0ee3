"""This module renders Markdown: CommonMark with tables and strikethrough."""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt

from ..files.markdown import FRONT_MATTER

_MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def render_markdown(text: str) -> str:
    """Render Markdown as HTML that is not sanitized yet. Front matter is left out."""
    front = FRONT_MATTER.match(text)
    html: str = _MARKDOWN.render(text[front.end() :] if front else text)
    return html
