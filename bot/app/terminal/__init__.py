"""The commands for a terminal: ask one question, and list what a folder's index holds."""

from __future__ import annotations
