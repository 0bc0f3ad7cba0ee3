"""Markdown: a text is read once, and written anew in a small dialect that all clients' engines read alike.

:func:`read_document` makes a tree of a text (:mod:`.tree`), and :class:`MarkdownWriter` writes a tree. The
structure comes from the writer alone, so that nothing in a text can come alive. :func:`sanitize` does both,
and :func:`escape_text` writes plain text as Markdown.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
