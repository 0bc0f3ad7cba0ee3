"""The paths of HTTP routes that several packages use."""

from __future__ import annotations

from typing import Final

MESSAGES: Final = "/api/messages"
"""The messaging endpoint, to which the Bot Framework posts activities."""

DOCUMENTS: Final = "/documents/"
"""The path above a folder's documents."""
