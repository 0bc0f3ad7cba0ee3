"""The settings of a knowledge base of Azure AI Search: its service, its name and a key."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field
from pydantic_settings import SettingsConfigDict

from .env import Variables, WebUrl, Words

EXAMPLE: Final = "https://contoso.search.windows.net"


def _check_name(name: str) -> str:
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError("no name")
    return name


class AzureSearchOptions(Variables):
    """How to ask a knowledge base."""

    model_config = SettingsConfigDict(env_prefix="AZURE_SEARCH_")

    endpoint: Annotated[
        WebUrl,
        Words(
            f"{{name}}: {{value}} is not the URL of a search service, such as {EXAMPLE}",
            missing="ANSWER_SOURCE=azure-search needs {name}",
        ),
    ]
    """The URL of your search service, such as `https://contoso.search.windows.net`."""
    knowledge_base: Annotated[
        str,
        AfterValidator(_check_name),
        Words(
            "{name}: {value} is not the name of a knowledge base",
            missing="ANSWER_SOURCE=azure-search needs {name}",
        ),
    ]
    """The name of the knowledge base that [answers](azure-search.md)."""
    api_key: Annotated[str, Words(missing="ANSWER_SOURCE=azure-search needs {name}")] = Field(repr=False)
    """A query key of the service, or an admin key."""
    api_version: str = "2026-08-01-preview"
    """The version of the REST API."""
