"""A cited answer becomes what its channel shows.

:func:`render` writes a finished answer; :mod:`citations.streaming` one that is still being written.
:func:`quote` and :func:`list_sources` answer a person who asks for one source, or for all.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
