"""``python -m citations``: renders an answer as an activity, or checks any bot's activity."""

from __future__ import annotations

import sys

from .cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
