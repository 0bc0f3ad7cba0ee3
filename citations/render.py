"""A cited answer and a channel become what that channel shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from .channels import Channel
from .citation import Citation, CitedAnswer
from .definition import LinkDefinition, define
from .describe import describe
from .errors import Problem
from .label import LabelRanking, highest_label
from .neutralise import escape
from .schema_org import Graph, to_json

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

    ``ranking`` gives references their sensitivity labels, and keeps passages above a channel's
    ceiling back. ``live_hosts`` (``example.com``,
    ``localhost:3978``) may keep the links that the answer itself has; all other links, images and
    HTML of the answer are shown as text. What is written is read again by an independent parser,
    and if a reader would not get exactly what is meant, the answer goes out without formatting.
    """
    degraded: list[Problem] = []

    def write(cited: CitedAnswer, definitions: tuple[LinkDefinition, ...]) -> str:
        body = channel.write(cited, definitions, live_hosts)
        if body is not None:
            return body
        degraded.append(_DEGRADED)
        return channel.write_plainly(cited, definitions, live_hosts) or ""

    rendering = compose(cited, channel, write, ranking, live_hosts)
    return replace(rendering, problems=(*rendering.problems, *degraded)) if degraded else rendering


def compose(
    cited: CitedAnswer,
    channel: Channel,
    write: Callable[[CitedAnswer, tuple[LinkDefinition, ...]], str],
    ranking: LabelRanking | None,
    live_hosts: frozenset[str],
) -> Rendering:
    """What ``channel`` gets of ``cited``, whose text ``write`` writes from what may be shown of it."""
    problems = list(cited.problems)
    if ranking:
        problems.extend(ranking.problems(cited.references))
        cited = _below_ceiling(cited, channel, ranking, problems)
    definitions = define(cited)
    text = channel.finish(write(cited, definitions), definitions)
    label = highest_label(cited.references, ranking)
    # Web Chat shows the message's label above the list of references, and nowhere without one.
    if label and (channel.graph is None or (channel.graph is Graph.WEB_CHAT and not definitions)):
        words = f"Sensitivity label: {label.name}"
        text = f"{escape(words) if channel.graph else words}\n\n{text}"
    entities: tuple[dict[str, object], ...] = ()
    if channel.graph:
        message = describe(cited, definitions, graph=channel.graph, ranking=ranking, live_hosts=live_hosts)
        entities = (to_json(message),)
    return Rendering(
        text=text,
        text_format=channel.text_format,
        entities=entities,
        problems=tuple(problems),
    )


def _below_ceiling(
    cited: CitedAnswer, channel: Channel, ranking: LabelRanking, problems: list[Problem]
) -> CitedAnswer:
    """``cited`` without the passages whose label is above the highest that may leave on ``channel``."""
    citations: list[Citation] = []
    for citation in cited.citations:
        label = highest_label(citation.parts or (citation.reference,), ranking)
        if label is None or not ranking.exceeds_ceiling(label, channel.id):
            citations.append(citation)
            continue
        notice = f"This passage is not shown here, because its sensitivity label is {escape(label.name)}."
        citations.append(replace(citation, reference=replace(citation.reference, text=notice)))
        message = f"[{citation.position}] is labelled {label.name!r}, above what may leave on {channel.id}"
        problems.append(Problem("passage-withheld", "$.references", message))
    return replace(cited, citations=tuple(citations))
