"""What a channel gets of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """What a channel gets: its text, the text's format and the graph.

    ``entities`` is empty or holds the one Schema.org ``Message`` as plain JSON values. ``parts`` are
    the texts of the messages that ``text`` is sent in, where one can't hold it. ``speak`` is what is
    said aloud. ``channel_data`` is what the channel wants to be told besides. ``problems`` say what
    was dropped or changed on the way.
    """

    text: str
    text_format: str
    entities: tuple[dict[str, object], ...] = ()
    parts: tuple[str, ...] = ()
    speak: str | None = None
    channel_data: Mapping[str, object] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def to_activity(self) -> dict[str, object]:
        """The fields of one Bot Framework activity with the whole text, as plain JSON values."""
        spoken = {"speak": self.speak} if self.speak else {}
        data = {"channelData": dict(self.channel_data)} if self.channel_data else {}
        return {
            "type": "message",
            "text": self.text,
            "textFormat": self.text_format,
            **spoken,
            **data,
            "entities": list(self.entities),
        }

    def to_activities(self) -> tuple[dict[str, object], ...]:
        """An activity for each message, in the order in which they are to be sent."""
        whole = self.to_activity()
        return tuple(whole | {"text": part} for part in self.parts or (self.text,))
