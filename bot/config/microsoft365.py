"""The settings of Microsoft 365 as the answer source: what is searched there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import SettingsConfigDict

from .env import Variables, Words, split_list

DataSource = Literal["sharePoint", "oneDriveBusiness", "externalItem"]
_NAMES: dict[str, str] = {name.lower(): name for name in ("sharePoint", "oneDriveBusiness", "externalItem")}


def _read_names(value: object) -> object:
    words = split_list(value)
    return [_NAMES.get(str(one).lower(), one) for one in words] if isinstance(words, list) else words


class Microsoft365Options(Variables):
    """What the Copilot Retrieval API searches."""

    model_config = SettingsConfigDict(env_prefix="MICROSOFT365_")

    search: Annotated[
        tuple[DataSource, ...],
        BeforeValidator(_read_names),
        Field(min_length=1),
        Words(
            "{name}: {value} is not known: use sharePoint, oneDriveBusiness or externalItem",
            "{name} is empty",
        ),
    ] = ("sharePoint",)
    """What is [searched](microsoft365.md): `sharePoint`, `oneDriveBusiness`, and `externalItem` for what
    Copilot connectors index, with commas between them. Each is one request for each question. Without it,
    `sharePoint`."""
    filter: str = ""
    """A filter in Microsoft's Keyword Query Language, such as `path:"https://contoso.sharepoint.com/sites/HR/"`.
    It limits all that is searched. Microsoft ignores a filter with a fault in its syntax."""
