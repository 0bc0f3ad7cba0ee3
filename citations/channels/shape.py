"""The properties that every channel has."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from ..graph.schema_org import Graph
from ..markdown import MarkdownWriter
from ..model.citation import MAX_CITATIONS, CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import ENGLISH, Wording


@dataclass(frozen=True, slots=True)
class Limit:
    r"""The largest size of an activity's JSON, in bytes of an encoding.

    ``ascii`` is the JSON that Python and its SDKs write, with ``\u6f22`` for characters outside ASCII.
    Other writers need fewer bytes. ``utf-16-le`` is what Teams counts.
    """

    most: int
    encoding: str

    def size(self, value: object) -> int:
        """The size of ``value`` in bytes."""
        if self.encoding == "ascii":
            return len(json.dumps(value))
        return len(json.dumps(value, ensure_ascii=False).encode(self.encoding, "surrogatepass"))

    def holds(self, value: object, share: float = 1.0) -> bool:
        """Whether ``value`` takes at most this share of the limit."""
        return (isinstance(value, str) and self.holds_any(len(value), share)) or (
            self.size(value) <= share * self.most
        )

    def holds_any(self, length: int, share: float = 1.0, beside: int = 0) -> bool:
        """Whether any text of ``length`` characters does, beside so many bytes.

        A character takes at most two escapes of six bytes. So a short text fits without a measurement.
        """
        return _WIDEST * length + 4 + beside <= share * self.most


_WIDEST: Final = 12
"""The most bytes of a character."""
CONNECTOR_LIMIT: Final = Limit(250_000, "ascii")
"""The Bot Connector takes 262,144 bytes (413 ``MessageSizeTooBig``). The rest is for the addresses of an
activity, the metadata of a stream, and what the connector adds."""
TEAMS_LIMIT: Final = Limit(76_000, "utf-16-le")
"""Teams: "approximately 100 KB" of UTF-16, "keep the message under 80 KB"."""
PLAYGROUND_LIMIT: Final = Limit(90_000, "ascii")
"""Microsoft's Agents Playground takes a body of 100 KB."""


Writer = Callable[[CitedAnswer, tuple[LinkDefinition, ...], frozenset[str], Wording], str]


class InterimMode(Enum):
    """What a channel does with the activities of a stream before the final one."""

    REPLACING = auto()
    """Each replaces the one before it, and may differ from it."""
    APPEND_ONLY = auto()
    """Each must begin with the text of the one before it, and so must the final one."""


@dataclass(frozen=True, slots=True)
class Channel:
    """How a channel shows an answer.

    - ``id``: the ``Activity.channelId`` that it was requested for.
    - ``text_format``: the activity's ``textFormat``.
    - ``graph``: the form of the Schema.org Message; None for a channel without one.
    - ``write``: writes the answer.
    - ``add_sources``: adds the definitions or the list of sources below the whole text.
    - ``writer``: returns a writer of single blocks, for a channel that streams, from the hosts of live links.
    - ``interim``: how the channel streams; None if it doesn't.
    - ``split``: splits a text into messages; None if one message has it all.
    - ``at_once``: how many of these messages are sent before the person asks for more, as the last of them
      offers; None for all.
    - ``spell``: writes a whole text with the channel's own characters.
    - ``speaks``: whether the answer is also spoken.
    - ``limit``: the largest message; ``most_claims``: the most claims of its graph.
    - ``asks_for_votes``: whether the channel itself asks people to vote on an answer.
    - ``passes_channel_data``: whether its client gets ``channelData`` with fields that the channel does
      not know. Others read ``channelData`` as a message of their own (Slack, Telegram, e-mail).
    - ``opens_pages``: whether its client opens a PDF in a viewer, at the page that its URL names.
    - ``shows_suggestions``: whether its client shows suggested questions as buttons, and ``most_buttons`` how
      many of them; None for all.
    - ``lists_suggestions``: whether they are a list below the text.
    - ``shows_typing``: whether it shows typing activities. Others show nothing, or an empty message (SMS).
    - ``wording``: the sentences of a rendering besides the answer.
    """

    id: str
    text_format: str
    graph: Graph | None
    write: Writer
    add_sources: Callable[[str, tuple[LinkDefinition, ...], Wording], str]
    interim: InterimMode | None = None
    writer: Callable[[frozenset[str]], MarkdownWriter] | None = None
    split: Callable[[str, Wording, int | None], tuple[str, ...]] | None = None
    speaks: bool = False
    spell: Callable[[str, Wording], str] | None = None
    at_once: int | None = None
    limit: Limit = CONNECTOR_LIMIT
    most_claims: int = MAX_CITATIONS
    asks_for_votes: bool = False
    passes_channel_data: bool = False
    opens_pages: bool = False
    shows_suggestions: bool = False
    most_buttons: int | None = None
    lists_suggestions: bool = True
    shows_typing: bool = False
    wording: Wording = ENGLISH
