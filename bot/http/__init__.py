"""Whether this process works: what an orchestrator asks, and how late the event loop is."""

from __future__ import annotations

from .health import HEALTH, Health, add_health

__all__ = ["HEALTH", "Health", "add_health"]
