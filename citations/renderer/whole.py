"""The rendering of a finished answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ..channels import Channel
from ..channels.plain import keep_words
from ..channels.speech import speak
from ..graph.feedback import check_answer_id, thumbs
from ..graph.message import MessageWriter
from ..graph.schema_org import Graph, to_json
from ..labels.catalogue import LabelRanking, citation_labels, message_label
from ..markdown.sanitizer import escape
from ..model.answer import AnswerKind
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.link_definition import LinkDefinition, define
from ..model.rendering import Rendering
from .label_ceiling import withhold
from .size import fit, report_unlisted

_DEGRADED: Final = Problem(
    "formatting-dropped",
    "$.text",
    "the answer's Markdown could not be made safe as it is, so it is shown without formatting",
)
_TELLS_LABELS: Final = (Graph.TEAMS, Graph.TEAMS_CARDS)
"""Graphs whose clients show the message's label even without citations."""


def render(
    cited: CitedAnswer,
    channel: Channel,
    *,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
    answer_id: str | None = None,
) -> Rendering:
    """Render ``cited`` for ``channel``.

    With an ``answer_id``, people can vote on the answer, where the channel supports it. The vote has the
    id (:func:`~citations.read_vote`). Raises ``ValueError`` for an id with other characters than letters,
    digits and ``- . _ ~``. The problems have the answer's doubts, too (:mod:`citations.doubts`).

    ``ranking`` gives references their sensitivity labels, and withholds what is above a channel's ceiling
    (:mod:`citations.renderer.label_ceiling`). The answer's own links to ``live_hosts`` (``example.com``,
    ``localhost:3978``) stay links. All other links, images and HTML of the answer are shown as text. An
    independent parser reads the result back. If a reader would get anything else, the answer goes out
    without formatting. What is too large for the channel is made smaller
    (:mod:`citations.renderer.size`).
    """
    if answer_id is not None:
        check_answer_id(answer_id)
    return render_shown(
        add_doubts(cited, withhold(cited, channel, ranking)),
        channel,
        ranking=ranking,
        live_hosts=live_hosts,
        answer_id=answer_id,
    )


def add_doubts(cited: CitedAnswer, shown: CitedAnswer) -> CitedAnswer:
    """``shown`` with the problems of its doubts. An answer whose text is withheld has none."""
    if shown.layout is not cited.layout or not any(one.reference.text for one in shown.citations):
        return shown
    from ..doubts import find_doubts  # noqa: PLC0415 - its expressions take 15 ms to compile

    doubts = find_doubts(shown)
    return replace(shown, problems=(*shown.problems, *(one.problem for one in doubts))) if doubts else shown


def render_shown(
    shown: CitedAnswer,
    channel: Channel,
    *,
    ranking: LabelRanking | None,
    live_hosts: frozenset[str],
    answer_id: str | None,
) -> Rendering:
    """Render an answer from which :func:`~.label_ceiling.withhold` has removed what is withheld."""
    write = partial(_render, channel=channel, ranking=ranking, live_hosts=live_hosts, answer_id=answer_id)
    return fit(shown, channel, write)


def _render(
    shown: CitedAnswer,
    *,
    channel: Channel,
    ranking: LabelRanking | None,
    live_hosts: frozenset[str],
    answer_id: str | None,
) -> Rendering:
    """The rendering, whatever its size."""
    definitions = define(shown, channel.wording, pages=channel.opens_pages)
    definitions = _with_labels(definitions, shown, channel, ranking)
    problems = [*shown.problems, *report_unlisted(shown, channel)]
    body, formatted = channel.write(shown, definitions, live_hosts, channel.wording)
    if not formatted:
        problems.append(_DEGRADED)
    text = say_label(channel.finish(body, definitions, channel.wording), shown, channel, ranking)
    text = channel.spell(text, channel.wording) if channel.spell else text
    label = label_in_words(shown, channel, ranking)
    return Rendering(
        text=text,
        text_format=channel.text_format,
        entities=graph_of(
            shown, definitions, channel, message_writer(channel, ranking, live_hosts), answer_id
        ),
        parts=channel.split(text, channel.wording) if channel.split else (),
        speak=speak(shown, definitions, channel.wording, label) if channel.speaks else None,
        channel_data=channel_data(channel, answer_id, shown.kind),
        problems=tuple(problems),
    )


def channel_data(channel: Channel, answer_id: str | None, kind: AnswerKind | None) -> Mapping[str, object]:
    """The ``channelData`` of a final message.

    It switches votes on where the channel itself asks for them, and says the answer's kind to programs.
    """
    # Teams: "feedbackLoop: {type: default}" shows thumbs, which come back as a `message/submitAction`.
    votes = {"feedbackLoop": {"type": "default"}} if channel.asks_for_votes and answer_id else {}
    return {**votes, "answerKind": kind.value} if kind and channel.passes_channel_data else votes


def message_writer(
    channel: Channel, ranking: LabelRanking | None, live_hosts: frozenset[str]
) -> MessageWriter | None:
    """The writer of the graph; None for a channel without one."""
    return MessageWriter(channel.graph, ranking, live_hosts, channel.wording) if channel.graph else None


def graph_of(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    channel: Channel,
    writer: MessageWriter | None,
    answer_id: str | None = None,
) -> tuple[dict[str, object], ...]:
    """The entities of the activity: the Schema.org ``Message``, if the channel takes one."""
    if writer is None:
        return ()
    if len(cited.citations) > channel.most_claims:
        cited = replace(cited, citations=cited.citations[: channel.most_claims])
    message = writer.write(cited, definitions[: channel.most_claims])
    # Teams asks for votes itself, by `channel_data`.
    if answer_id is not None and channel.graph is Graph.WEB_CHAT:
        message = replace(message, potential_action=thumbs(answer_id))
    return (to_json(message),)


def say_label(text: str, cited: CitedAnswer, channel: Channel, ranking: LabelRanking | None) -> str:
    """``text`` below its sensitivity label in words, where nothing else would show the label."""
    words = label_in_words(cited, channel, ranking)
    if not words:
        return text
    return f"{escape(words) if channel.text_format == 'markdown' else keep_words(words)}\n\n{text}"


def label_in_words(cited: CitedAnswer, channel: Channel, ranking: LabelRanking | None) -> str:
    """The message's sensitivity label in words; empty where it is shown otherwise, or needs no mention."""
    # Web Chat shows the message's label above the list of references, and nowhere without one.
    if channel.graph in _TELLS_LABELS or (channel.graph and cited.citations):
        return ""
    label = message_label(cited, ranking)
    if label is None or (channel.graph is None and ranking and ranking.is_lowest(label)):
        return ""
    return channel.wording.label.format(label=label.name)


def _with_labels(
    definitions: tuple[LinkDefinition, ...],
    cited: CitedAnswer,
    channel: Channel,
    ranking: LabelRanking | None,
) -> tuple[LinkDefinition, ...]:
    """The definitions of a text channel. Their titles have their labels, unless all have the message's."""
    if channel.graph is not None:
        return definitions
    labels = citation_labels(cited, ranking)
    message = message_label(cited, ranking)
    if all(label == message for label in labels):
        return definitions
    return tuple(
        definition
        if label is None or (ranking and ranking.is_lowest(label))
        else replace(definition, title=f"{definition.title} ({label.name})")
        for definition, label in zip(definitions, labels, strict=True)
    )


def citations_only(node: dict[str, object]) -> dict[str, object]:
    """The graph of an interim, without the AI label and sensitivity labels.

    Teams, "Stream bot messages": only citations may stand in the messages before the final one.
    """
    kept = {name: value for name, value in node.items() if name not in _FINAL}
    claims = node.get("citation")
    if isinstance(claims, list):
        kept["citation"] = [
            {**claim, "appearance": {k: v for k, v in claim["appearance"].items() if k != "usageInfo"}}
            for claim in claims
        ]
    return kept


_FINAL: Final = frozenset({"additionalType", "keywords", "usageInfo"})
