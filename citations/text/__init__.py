"""Plain text: URLs, graphemes, colours, the alphabet of an SMS, paths in JSON, text on a terminal."""

from __future__ import annotations

from .gsm import Segments, sms_segments
from .terminal import printable

__all__ = ["Segments", "printable", "sms_segments"]
