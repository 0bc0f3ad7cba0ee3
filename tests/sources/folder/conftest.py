"""A folder of documents for a test."""

from __future__ import annotations

from tests.retrieval.conftest import folder

__all__ = ["folder"]
