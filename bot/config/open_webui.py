"""The settings of Open WebUI: its URL, the model and the knowledge."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from .env import Listed, Variables, WebUrl, Words, url_words

EXAMPLE: Final = "http://localhost:8080"
_NEEDED: Final = "ANSWER_SOURCE=open-webui needs {name}, "
_ID: Final = Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")


class OpenWebUIOptions(Variables):
    """How to ask Open WebUI. The bot uses ``url``, and people ``public_url``."""

    model_config = SettingsConfigDict(env_prefix="OPEN_WEBUI_")

    url: Annotated[WebUrl, url_words(EXAMPLE, f"{_NEEDED}where it is, such as {EXAMPLE}")]
    """Where the bot reaches [Open WebUI](open-webui.md)."""
    api_key: Annotated[str, Words(missing=f"{_NEEDED}a key from its Settings, Account")] = Field(repr=False)
    """A key from its Settings, Account."""
    model: Annotated[str, Words(missing=f"{_NEEDED}the id of the model that answers")]
    """The id of the model that answers."""
    knowledge_ids: Annotated[
        tuple[Annotated[str, _ID], ...],
        Listed,
        Words("{value} in {name} is no id, such as the last part of the address of its page"),
    ] = ()
    """Knowledge that is searched beside the model's own."""
    public_url: Annotated[WebUrl, url_words(EXAMPLE)] = ""
    """Where people reach Open WebUI. With it, passages link to their files."""
    saved_chats: bool = False
    """`true`: each question gets a saved chat, which is deleted afterwards. Only so do pipes and tools
    return citations."""
