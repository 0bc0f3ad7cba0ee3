"""Reads a labels file, whose faults name it."""

from __future__ import annotations

from pathlib import Path

from ..labels.ranking import LabelRanking
from ..model.errors import LabelFormatError
from .console import reason


def read_ranking(path: Path) -> LabelRanking:
    """The labels of a file; raises :class:`LabelFormatError` with its faults, or ``OSError``."""
    try:
        return LabelRanking.from_toml(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise LabelFormatError((f"{path}: {reason(error)}",)) from None
    except LabelFormatError as error:
        raise LabelFormatError(tuple(f"{path}: {fault}" for fault in error.faults)) from None
