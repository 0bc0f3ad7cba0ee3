"""The paths that more than one package has to know."""

from __future__ import annotations

from typing import Final

MESSAGES: Final = "/api/messages"
"""Where the Bot Framework posts activities."""

DOCUMENTS: Final = "/documents/"
"""Below it a folder's documents are served."""
