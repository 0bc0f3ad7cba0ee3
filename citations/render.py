"""A cited answer and a channel become what that channel shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .channels import Channel
from .citation import CitedAnswer
from .definition import define
from .describe import describe
from .errors import Problem
from .label import LabelRanking
from .schema_org import to_json

_DEGRADED: Final = Problem(
    "formatting-dropped",
    "$.text",
    "the answer's Markdown could not be made safe as it is, so it is shown without formatting",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """What a channel gets: its text, the text's format and the graph.

    ``entities`` is empty or holds the one Schema.org ``Message`` as plain JSON values. ``problems``
    say what was dropped or changed on the way.
    """

    text: str
    text_format: str
    entities: tuple[dict[str, object], ...] = ()
    problems: tuple[Problem, ...] = ()

    def to_activity(self) -> dict[str, object]:
        """The fields of a Bot Framework activity, as plain JSON values."""
        return {
            "type": "message",
            "text": self.text,
            "textFormat": self.text_format,
            "entities": list(self.entities),
        }


def render(
    cited: CitedAnswer,
    channel: Channel,
    *,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
) -> Rendering:
    """Render ``cited`` for ``channel``.

    ``ranking`` gives references their sensitivity labels. ``live_hosts`` (``example.com``,
    ``localhost:3978``) may keep the links that the answer itself has; all other links, images and
    HTML of the answer are shown as text. What is written is read again by an independent parser,
    and if a reader would not get exactly what is meant, the answer goes out without formatting.
    """
    definitions = define(cited)
    problems = list(cited.problems)
    text = channel.write(cited, definitions, live_hosts)
    if text is None:
        problems.append(_DEGRADED)
        text = channel.write_plainly(cited, definitions, live_hosts) or ""
    entities: tuple[dict[str, object], ...] = ()
    if channel.graph:
        message = describe(cited, definitions, ranking=ranking, live_hosts=live_hosts)
        entities = (to_json(message),)
    return Rendering(
        text=text,
        text_format=channel.text_format,
        entities=entities,
        problems=tuple(problems),
    )
