"""The settings of the embeddings by which a folder is searched beside its words."""

from __future__ import annotations

from dataclasses import dataclass, field

from .env import Environment
from .language_model import OPENAI


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingOptions:
    """An OpenAI-compatible embedding model; without a ``model``, the one that is installed with the bot."""

    model: str = ""
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)


def read_embedding_options(env: Environment) -> EmbeddingOptions | None:
    """Read ``EMBEDDINGS`` and ``OPENAI_EMBEDDING_MODEL``; None where a folder is searched by words only."""
    enabled = env.read_switch("EMBEDDINGS", default=True)
    model, key = env.get("OPENAI_EMBEDDING_MODEL"), env.get("OPENAI_API_KEY")
    if model and "OPENAI_BASE_URL" not in env and not key:
        env.faults.append(
            "OPENAI_EMBEDDING_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys"
        )
    if not enabled or not model:
        return EmbeddingOptions() if enabled else None
    base_url = env.read_url("OPENAI_BASE_URL", example=OPENAI)
    return EmbeddingOptions(model=model, base_url=base_url or OPENAI, api_key=key)
