"""The local models, loaded once in a process: that takes a second, and they keep nothing of what they embed."""

from __future__ import annotations

from functools import cache

from bot.sources.local_embedder import LocalEmbedder


@cache
def local_embedder() -> LocalEmbedder:
    return LocalEmbedder()
