"""This module renders HTML files, without the page's navigation, as the reader reads them."""

from __future__ import annotations

from ..files.html import decode_page
from .sanitize import NAVIGATION, has_words, sanitize


def render_page(data: bytes) -> str:
    """Render an HTML file as sanitized HTML. Navigation is left out unless there is nothing else."""
    source = decode_page(data)
    html = sanitize(source, NAVIGATION)
    return html if has_words(html) else sanitize(source)
