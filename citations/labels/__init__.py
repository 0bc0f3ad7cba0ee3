"""Sensitivity labels: the catalogue, its rules, and the file that holds both.

:class:`LabelRanking` is the catalogue. It says which label a reference has and which of two is higher.
"""

from __future__ import annotations

from ..model.sensitivity_label import SensitivityLabel
from .ranking import NO_CATALOGUE, LabelRanking
from .rule import LabelRule

__all__ = ["NO_CATALOGUE", "LabelRanking", "LabelRule", "SensitivityLabel"]
