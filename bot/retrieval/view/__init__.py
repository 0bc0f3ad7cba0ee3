"""This package renders documents as sanitized HTML, in which cited words can be marked.

:func:`render_document` reads a file as the index does and renders it. :func:`mark_words` marks words.
"""

from __future__ import annotations

from .document import RenderedDocument, render_document
from .mark import Mark, mark_words

__all__ = ["Mark", "RenderedDocument", "mark_words", "render_document"]
