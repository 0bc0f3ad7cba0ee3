"""Plain text: URLs, names, graphemes, an SMS's alphabet, encodings, controls, the words of languages."""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
