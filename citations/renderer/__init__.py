"""A cited answer becomes what its channel shows, whole or while it is still being written.

:func:`render` writes a finished answer. :class:`RenderingStream` writes an unfinished one as far as it can no
longer change. :func:`quote` and :func:`list_sources` answer a person who asks for one source, or for all.
"""

from __future__ import annotations

from .growing_text import MAX_HELD
from .label_ceiling import withholds_any
from .quotation import Quotation, list_sources, quote
from .remarks import Remark
from .stream import RenderingStream
from .whole import render

__all__ = [
    "MAX_HELD",
    "Quotation",
    "Remark",
    "RenderingStream",
    "list_sources",
    "quote",
    "render",
    "withholds_any",
]
