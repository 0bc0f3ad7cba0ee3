"""The bot's HTTP server: connections, the guard, request bodies, documents and health checks."""

from __future__ import annotations

from .health import HEALTH, Health, add_health

__all__ = ["HEALTH", "Health", "add_health"]
