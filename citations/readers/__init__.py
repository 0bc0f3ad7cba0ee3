"""A provider's response becomes an :class:`~citations.Answer`, and its stream becomes events.

There is one module for each provider. :data:`READERS` read whole responses, :data:`STREAM_READERS`
streams. A module is loaded with the first of its names that is used.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
