"""A cited answer and a channel become what that channel shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from .channels import Channel
from .citation import Citation, CitedAnswer
from .definition import LinkDefinition, define
from .describe import describe
from .describe.thumbs import thumbs
from .errors import Problem
from .label import LabelRanking, highest_label
from .neutralise import escape
from .schema_org import Graph, to_json
from .speak import speak
from .vote import check_answer_id

_DEGRADED: Final = Problem(
    "formatting-dropped",
    "$.text",
    "the answer's Markdown could not be made safe as it is, so it is shown without formatting",
)


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


def render(
    cited: CitedAnswer,
    channel: Channel,
    *,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
    answer_id: str | None = None,
) -> Rendering:
    """Render ``cited`` for ``channel``.

    With an ``answer_id``, the reader may say whether the answer was good, where the channel has a
    place for that; what the channel then sends to the bot has the id (:func:`~citations.read_vote`).
    Raises ``ValueError`` for an id with other characters than letters, digits and ``- . _ ~``.

    ``ranking`` gives references their sensitivity labels, and keeps passages above a channel's
    ceiling back. ``live_hosts`` (``example.com``,
    ``localhost:3978``) may keep the links that the answer itself has; all other links, images and
    HTML of the answer are shown as text. What is written is read again by an independent parser,
    and if a reader would not get exactly what is meant, the answer goes out without formatting.
    """
    if answer_id is not None:
        check_answer_id(answer_id)
    shown = withhold(cited, channel, ranking)
    definitions = _with_labels(define(shown), shown, channel, ranking)
    problems = list(shown.problems)
    body = channel.write(shown, definitions, live_hosts)
    if body is None:
        problems.append(_DEGRADED)
        body = channel.write_plainly(shown, definitions, live_hosts) or ""
    text = say_label(channel.finish(body, definitions), shown, channel, ranking)
    text = channel.spell(text) if channel.spell else text
    label = label_in_words(shown, channel, ranking)
    return Rendering(
        text=text,
        text_format=channel.text_format,
        entities=graph_of(shown, channel, ranking=ranking, live_hosts=live_hosts, answer_id=answer_id),
        parts=channel.split(text) if channel.split else (),
        speak=speak(shown, definitions, label) if channel.speaks else None,
        problems=tuple(problems),
    )


def graph_of(
    cited: CitedAnswer,
    channel: Channel,
    *,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
    answer_id: str | None = None,
) -> tuple[dict[str, object], ...]:
    """The entities that go along: the Schema.org ``Message``, where the channel takes it."""
    if channel.graph is None:
        return ()
    message = describe(cited, define(cited), graph=channel.graph, ranking=ranking, live_hosts=live_hosts)
    # Teams has a place of its own for that question.
    if answer_id is not None and channel.graph is Graph.WEB_CHAT:
        message = replace(message, potential_action=thumbs(answer_id))
    return (to_json(message),)


def say_label(text: str, cited: CitedAnswer, channel: Channel, ranking: LabelRanking | None) -> str:
    """``text``, below the sensitivity label in words where nothing else would show it."""
    words = label_in_words(cited, channel, ranking)
    if not words:
        return text
    return f"{escape(words) if channel.text_format == 'markdown' else words}\n\n{text}"


def label_in_words(cited: CitedAnswer, channel: Channel, ranking: LabelRanking | None) -> str:
    """The message's sensitivity label in words; empty where it is shown otherwise, or needs no words."""
    label = highest_label(cited.references, ranking)
    # Web Chat shows the message's label above the list of references, and nowhere without one.
    if label is None or channel.graph is Graph.TEAMS or (channel.graph and cited.citations):
        return ""
    if channel.graph is None and ranking and ranking.is_lowest(label):
        return ""
    return f"Sensitivity label: {label.name}"


def _with_labels(
    definitions: tuple[LinkDefinition, ...],
    cited: CitedAnswer,
    channel: Channel,
    ranking: LabelRanking | None,
) -> tuple[LinkDefinition, ...]:
    """On channels of text alone, titles with the labels of their sources, unless all have the message's."""
    if channel.graph is not None:
        return definitions
    labels = [highest_label(citation.parts or (citation.reference,), ranking) for citation in cited.citations]
    message = highest_label(cited.references, ranking)
    if all(label == message for label in labels):
        return definitions
    return tuple(
        definition
        if label is None or (ranking and ranking.is_lowest(label))
        else replace(definition, title=f"{definition.title} ({label.name})")
        for definition, label in zip(definitions, labels, strict=True)
    )


def withhold(cited: CitedAnswer, channel: Channel, ranking: LabelRanking | None) -> CitedAnswer:
    """``cited`` without the passages whose label is above the highest that may leave on ``channel``.

    What was withheld is added to its problems.
    """
    if ranking is None:
        return cited
    problems = [*cited.problems, *ranking.problems(cited.references)]
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
    query = cited.query
    highest = highest_label(cited.references, ranking)
    if query and highest and ranking.exceeds_ceiling(highest, channel.id):
        # What is asked for may say as much as what was found.
        query = None
        message = f"the answer is labelled {highest.name!r}, above what may leave on {channel.id}"
        problems.append(Problem("query-withheld", "$.query", message))
    return replace(cited, citations=tuple(citations), query=query, problems=tuple(problems))
