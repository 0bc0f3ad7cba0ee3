"""The settings of the embeddings by which a folder is searched beside its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .env import read_switch, read_url
from .language_model import OPENAI


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingOptions:
    """An OpenAI-compatible embedding model; without a ``model``, the one that is installed with the bot."""

    model: str = ""
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)


def read_embedding_options(given: Mapping[str, str], faults: list[str]) -> EmbeddingOptions | None:
    """Read ``EMBEDDINGS`` and ``OPENAI_EMBEDDING_MODEL``; None where a folder is searched by words only."""
    enabled = read_switch("EMBEDDINGS", given, faults, default=True)
    model, key = given.get("OPENAI_EMBEDDING_MODEL", ""), given.get("OPENAI_API_KEY", "")
    if model and "OPENAI_BASE_URL" not in given and not key:
        faults.append(
            "OPENAI_EMBEDDING_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys"
        )
    if not enabled or not model:
        return EmbeddingOptions() if enabled else None
    # A fault of the URL is reported once, with the language model's settings.
    base_url = read_url("OPENAI_BASE_URL", given, [] if "OPENAI_MODEL" in given else faults, example=OPENAI)
    return EmbeddingOptions(model=model, base_url=base_url or OPENAI, api_key=key)
