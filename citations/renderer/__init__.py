"""A rendering as it grows: what of an unfinished answer may be shown already, and the finished one."""

from __future__ import annotations

from .stream import MAX_HELD, RenderingStream

__all__ = ["MAX_HELD", "RenderingStream"]
