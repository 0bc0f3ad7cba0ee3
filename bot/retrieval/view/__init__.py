"""This package renders documents as sanitized HTML, in which cited words can be marked.

:func:`render_in_child` has a child process read a file as the index does, and render it.
:func:`mark_words` marks words.
"""

from __future__ import annotations

from .document import RenderedDocument, render_document
from .mark import Mark, mark_words
from .pool import render_in_child

__all__ = ["Mark", "RenderedDocument", "mark_words", "render_document", "render_in_child"]
