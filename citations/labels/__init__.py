"""Sensitivity labels: the catalogue, its rules, and the file that holds both.

:class:`LabelRanking` is the catalogue. It says which label a reference has and which of two is higher.
"""

from __future__ import annotations

from ..stub import load_on_use

__getattr__, __dir__, __all__ = load_on_use(__name__)
