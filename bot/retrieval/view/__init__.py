"""This package renders documents as sanitized HTML, in which cited words can be marked.

:func:`render_in_child` has a child process read a file as the index does, and render it with ``document``,
which the program itself does not import. :func:`mark_words` marks words.
"""

from __future__ import annotations

from .mark import Mark, mark_words
from .rendering import RenderedDocument, render_in_child

__all__ = ["Mark", "RenderedDocument", "mark_words", "render_in_child"]
