"""The settings of Perplexity: the key, the model and the URL."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from .env import Variables, WebUrl, Words, url_words

BASE_URL: Final = "https://api.perplexity.ai"


class PerplexityOptions(Variables):
    """How to ask Perplexity."""

    model_config = SettingsConfigDict(env_prefix="PERPLEXITY_")

    api_key: Annotated[str, Words(missing="ANSWER_SOURCE=perplexity needs {name}")] = Field(repr=False)
    """A key of your account at [Perplexity](perplexity.md)."""
    model: str = "sonar"
    """The model that searches and answers."""
    base_url: Annotated[WebUrl, url_words(BASE_URL)] = BASE_URL
    """Where the API is, or your gateway to it."""
