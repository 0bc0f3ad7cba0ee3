"""What the environment says about Open WebUI: where it is, and which model and knowledge are asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .env import read_ids, switch, web_url

EXAMPLE: Final = "http://localhost:8080"
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWebUIOptions:
    """Which Open WebUI is asked, and what of it.

    ``url`` is where the bot reaches it, and ``public_url`` where people do: with it, passages link to
    their files. ``knowledge_ids`` are looked into besides what the model itself has. ``saved_chats``
    has each question asked in a chat, which is deleted afterwards: the only way to the citations that
    pipes and tools emit.
    """

    url: str
    api_key: str = field(repr=False)
    model: str
    knowledge_ids: tuple[str, ...] = ()
    public_url: str = ""
    saved_chats: bool = False


def read_options(given: Mapping[str, str], faults: list[str]) -> OpenWebUIOptions:
    """Read the ``OPEN_WEBUI_`` variables of ``given``; what is wrong with them is added to ``faults``."""
    faults.extend(
        f"ANSWER_SOURCE=open-webui needs {name}, {what}"
        for name, what in _NEEDED.items()
        if name not in given
    )
    knowledge_ids = read_ids("OPEN_WEBUI_KNOWLEDGE_IDS", given)
    faults.extend(
        f"{one} in OPEN_WEBUI_KNOWLEDGE_IDS is no id, such as the last part of the address of its page"
        for one in knowledge_ids
        if not _ID.fullmatch(one)
    )
    return OpenWebUIOptions(
        url=web_url("OPEN_WEBUI_URL", given, faults, example=EXAMPLE),
        api_key=given.get("OPEN_WEBUI_API_KEY", ""),
        model=given.get("OPEN_WEBUI_MODEL", ""),
        knowledge_ids=knowledge_ids,
        public_url=web_url("OPEN_WEBUI_PUBLIC_URL", given, faults, example=EXAMPLE),
        saved_chats=switch("OPEN_WEBUI_SAVED_CHATS", given, faults, default=False),
    )


_NEEDED: Final = {
    "OPEN_WEBUI_URL": f"where it is, such as {EXAMPLE}",
    "OPEN_WEBUI_API_KEY": "a key from its Settings, Account",
    "OPEN_WEBUI_MODEL": "the id of the model that answers",
}
