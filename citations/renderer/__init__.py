"""A cited answer becomes what its channel shows, whole or while it is still being written.

:func:`render` writes a finished answer. :class:`RenderingStream` writes an unfinished one as far as it can no
longer change. :func:`quote` and :func:`list_sources` answer a person who asks for one source, or for all.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
