"""The values of the library: an answer, its references and citations, a rendering, problems and errors."""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
