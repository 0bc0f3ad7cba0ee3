"""Sensitivity labels: the catalogue, its rules, and the file that holds both.

:class:`LabelRanking` is the catalogue. It says which label a reference has and which of two is higher.
"""

from __future__ import annotations

from .ranking import LabelRanking, SensitivityLabel
from .rule import LabelRule

__all__ = ["LabelRanking", "LabelRule", "SensitivityLabel"]
