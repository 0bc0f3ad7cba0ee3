"""The settings of the embeddings by which a folder is searched beside its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from .env import Variables, WebUrl, url_words
from .language_model import OPENAI


class EmbeddingOptions(Variables):
    """An OpenAI-compatible embedding model; without a ``model``, the one that is installed with the bot."""

    enabled: bool = Field(default=True, validation_alias="EMBEDDINGS")
    """`false`: a [folder](folder.md#words-and-meaning) is searched by its words only."""
    model: str = Field(default="", validation_alias="OPENAI_EMBEDDING_MODEL")
    """An OpenAI-compatible model in place of the one that is installed with the bot."""
    base_url: Annotated[WebUrl, url_words(OPENAI)] = Field(default=OPENAI, validation_alias="OPENAI_BASE_URL")
    """Where its server is."""
    api_key: str = Field(default="", validation_alias="OPENAI_API_KEY", repr=False)
    """The key for it; a server without keys needs none."""

    @classmethod
    def find_contradictions(cls, given: Mapping[str, str]) -> Iterator[str]:
        """A model of OpenAI's own server without a key."""
        if "OPENAI_EMBEDDING_MODEL" in given and given.keys().isdisjoint(
            {"OPENAI_BASE_URL", "OPENAI_API_KEY"}
        ):
            yield (
                "OPENAI_EMBEDDING_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys"
            )


def read_embedding_options(given: Mapping[str, str], faults: list[str]) -> EmbeddingOptions | None:
    """Read the variables of the embeddings; None where a folder is searched by words only."""
    options = EmbeddingOptions.read(given, faults)
    return options if options.enabled else None
