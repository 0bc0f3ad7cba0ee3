"""What a channel receives of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .errors import Problem

ANSWER_WITHHELD: Final = "answer-withheld"
"""The code of the problem of an answer whose text is withheld."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """The text for a channel, its format and the graph.

    ``entities`` is empty or holds the one Schema.org ``Message`` as plain JSON values. ``parts`` are the
    texts of several messages, where one message can't hold ``text``. ``speak`` is the text for speech.
    ``channel_data`` has further fields for the channel. ``suggestions`` are questions for buttons.
    ``problems`` say what was dropped or changed.
    """

    text: str
    text_format: str
    entities: tuple[dict[str, object], ...] = ()
    parts: tuple[str, ...] = ()
    speak: str | None = None
    channel_data: Mapping[str, object] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_withheld(self) -> bool:
        """Whether a label withholds the answer's text, so that a notice stands in its place."""
        return any(problem.code == ANSWER_WITHHELD for problem in self.problems)

    def to_activity(self) -> dict[str, object]:
        """The fields of one Bot Framework activity with the whole text, as plain JSON values."""
        spoken = {"speak": self.speak} if self.speak else {}
        data = {"channelData": dict(self.channel_data)} if self.channel_data else {}
        # Bot Framework -- Activity § "Suggested actions": an `imBack` is sent as the person's message.
        actions = [{"type": "imBack", "title": one, "value": one} for one in self.suggestions]
        suggested = {"suggestedActions": {"actions": actions}} if actions else {}
        return {
            "type": "message",
            "text": self.text,
            "textFormat": self.text_format,
            **spoken,
            **data,
            **suggested,
            "entities": list(self.entities),
        }

    def to_activities(self) -> tuple[dict[str, object], ...]:
        """One activity for each message, in the order of sending."""
        whole = self.to_activity()
        return tuple(whole | {"text": part} for part in self.parts or (self.text,))
