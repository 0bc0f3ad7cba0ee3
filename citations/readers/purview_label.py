"""Sensitivity labels as services of Microsoft send them with a source.

Governing source: Microsoft Graph, ``searchSensitivityLabelInfo``, which Azure AI Search has, too.
"""

from __future__ import annotations

from ..model.sensitivity_label import SensitivityLabel
from ..text.line import clean_name
from .loose_json import member, number, text, title


def read_purview_label(data: object) -> SensitivityLabel | None:
    """The label that ``data`` describes; None where its fields are null."""
    name, known = clean_name(text(data, "display_name")), text(data, "sensitivity_label_id").strip()
    if not (name or known):
        return None
    priority = number(data, "priority")
    return SensitivityLabel(
        id=known or name,
        name=name or known,
        priority=priority if priority is not None and priority >= 0 else None,
        description=title(data, "tool_tip", "tooltip"),
        color=title(data, "color"),
        # What is neither null nor false might encrypt: a changed field must not lift a protection.
        encrypted=member(data, "is_encrypted") not in (None, False),
    )
