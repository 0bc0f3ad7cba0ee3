"""The settings of Open WebUI: its URL, the model and the knowledge."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .env import read_ids, read_switch, read_url

EXAMPLE: Final = "http://localhost:8080"
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWebUIOptions:
    """How to ask Open WebUI.

    The bot uses ``url``, and people ``public_url``; with the latter, passages link to their files.
    ``knowledge_ids`` are searched in addition to the model's own knowledge. With ``saved_chats`` each
    question gets a saved chat, which is deleted afterwards: only so do pipes and tools return citations.
    """

    url: str
    api_key: str = field(repr=False)
    model: str
    knowledge_ids: tuple[str, ...] = ()
    public_url: str = ""
    saved_chats: bool = False


def read_options(given: Mapping[str, str], faults: list[str]) -> OpenWebUIOptions:
    """Read the ``OPEN_WEBUI_`` variables of ``given``, and add their faults to ``faults``."""
    faults.extend(
        f"ANSWER_SOURCE=open-webui needs {name}, {meaning}"
        for name, meaning in _REQUIRED.items()
        if name not in given
    )
    fault = "{} in OPEN_WEBUI_KNOWLEDGE_IDS is no id, such as the last part of the address of its page"
    knowledge_ids = read_ids("OPEN_WEBUI_KNOWLEDGE_IDS", given, faults, _ID, fault)
    return OpenWebUIOptions(
        url=read_url("OPEN_WEBUI_URL", given, faults, example=EXAMPLE),
        api_key=given.get("OPEN_WEBUI_API_KEY", ""),
        model=given.get("OPEN_WEBUI_MODEL", ""),
        knowledge_ids=knowledge_ids,
        public_url=read_url("OPEN_WEBUI_PUBLIC_URL", given, faults, example=EXAMPLE),
        saved_chats=read_switch("OPEN_WEBUI_SAVED_CHATS", given, faults, default=False),
    )


_REQUIRED: Final = {
    "OPEN_WEBUI_URL": f"where it is, such as {EXAMPLE}",
    "OPEN_WEBUI_API_KEY": "a key from its Settings, Account",
    "OPEN_WEBUI_MODEL": "the id of the model that answers",
}
