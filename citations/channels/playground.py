"""Microsoft's Agents Playground: Teams and Web Chat for a developer, with a schema of its own.

It sends the id of the channel that it imitates, and refuses (400) what its schema doesn't allow. Examples
are eleven citations, a label without a name, and a claim without an abstract. So each of its modes gets
the graph for Teams, which has all of these in full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from ..graph.schema_org import Graph
from . import teams, web_chat
from .shape import PLAYGROUND_LIMIT, Channel, InterimMode

_PATH: Final = "/_connector"

_TEAMS: Final = replace(teams.CHANNEL, limit=PLAYGROUND_LIMIT, most_claims=10)
_WEB_CHAT: Final = replace(web_chat.CHANNEL, graph=Graph.TEAMS, limit=PLAYGROUND_LIMIT, most_claims=10)
MODES: Final[Mapping[str, Channel]] = {
    "msteams": _TEAMS,
    # This mode looks like Teams, too. But none of its conversations is marked as personal.
    "emulator": replace(_TEAMS, interim=InterimMode.REPLACING),
    "webchat": _WEB_CHAT,
    "directline": _WEB_CHAT,
}
"""The channels that the Playground imitates, by their channel ids."""


def is_playground(service_url: str) -> bool:
    """Whether a ``serviceUrl`` is the Playground's, such as ``http://localhost:56150/_connector``."""
    try:
        path = urlsplit(service_url).path
    except ValueError:
        return False
    return path.rstrip("/") == _PATH
