"""The renderings of an answer: of the finished one, and of its interims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..channels import Channel, InterimMode
from ..channels.plain_text import keep_words
from ..graph.feedback import check_answer_id, thumbs
from ..graph.message import MessageWriter
from ..graph.schema_org import Graph, to_json
from ..labels.ranking import NO_CATALOGUE, LabelRanking, citation_labels, message_label
from ..markdown import write_words
from ..model.answer import AnswerKind
from ..model.citation import Citation, CitedAnswer
from ..model.errors import Problem
from ..model.link_definition import LinkDefinition, define, report_dropped
from ..model.rendering import Rendering
from ..model.typed import expect
from ..model.wording import Wording
from .label_ceiling import withhold
from .size import SHOWN, fit, report_unlisted, without_passages

_HOSTS: Final = frozenset | set | list | tuple
"""Types for hosts. In a text, each piece of it would be one."""


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
    digits and ``- . _ ~``.

    ``ranking`` gives references their sensitivity labels, and withholds what is above a channel's ceiling
    (:mod:`citations.renderer.label_ceiling`). The answer's own links to ``live_hosts`` (``example.com``,
    ``localhost:3978``) stay links. All other links, images and HTML of the answer are shown as text: the
    answer is written anew (:mod:`citations.markdown.writer`). What is too large for the channel is made
    smaller (:mod:`citations.renderer.size`).
    """
    expect(cited, CitedAnswer, "render takes what cite returns: render(cite(answer), channel)")
    renderer = Renderer(channel, ranking, live_hosts, answer_id)
    return renderer.render(renderer.prepare(cited))


class Renderer:
    """Renders answers for one channel. Raises ``ValueError`` as :func:`render` does."""

    def __init__(
        self,
        channel: Channel,
        ranking: LabelRanking | None,
        live_hosts: frozenset[str],
        answer_id: str | None,
    ) -> None:
        expect(channel, Channel, 'expected a channel, such as channel("webchat")')
        expect(
            ranking, LabelRanking | None, "ranking is a LabelRanking, such as LabelRanking.from_toml(text)"
        )
        expect(live_hosts, _HOSTS, 'live_hosts is a set of hosts, such as {"example.com"}')
        if answer_id is not None:
            check_answer_id(answer_id)
        self.channel = channel
        self.live_hosts = live_hosts
        self._ranking = ranking or NO_CATALOGUE
        self._answer_id = answer_id
        self._writer = (
            MessageWriter(channel.graph, self._ranking, live_hosts, channel.wording)
            if channel.graph
            else None
        )
        self._defined: tuple[tuple[Citation, ...], tuple[LinkDefinition, ...]] = ((), ())
        """The citations that were defined last, and their definitions."""

    def prepare(self, cited: CitedAnswer) -> CitedAnswer:
        """What the channel may show of ``cited``, with the problems of its URLs and dates."""
        shown = withhold(cited, self.channel, self._ranking)
        if dropped := tuple(report_dropped(cited)):
            shown = replace(shown, problems=(*shown.problems, *dropped))
        return shown

    def render(self, shown: CitedAnswer) -> Rendering:
        """Render what :meth:`prepare` returned."""
        return fit(shown, self.channel, self.write, self.finish)

    def define(self, shown: CitedAnswer) -> tuple[LinkDefinition, ...]:
        """The definitions of the citations of ``shown``, made again only where those have changed."""
        if shown.citations != self._defined[0]:
            definitions = define(shown, self.channel.wording, pages=self.channel.opens_pages)
            self._defined = shown.citations, definitions
        return self._defined[1]

    def write(self, shown: CitedAnswer) -> str:
        """The text of the answer alone, whatever its size."""
        there = self.channel
        return there.write(shown, self.define(shown), self.live_hosts, there.wording)

    def finish(self, shown: CitedAnswer, body: str) -> Rendering:
        """The rendering of an answer whose text was written as ``body``."""
        there = self.channel
        definitions = self._with_labels(self.define(shown), shown)
        text = self.say_label(there.add_sources(body, definitions, there.wording), shown)
        text = there.spell(text, there.wording) if there.spell else text
        label = self._label_in_words(shown)
        return Rendering(
            text=text,
            text_format=there.text_format,
            entities=self.graph_of(shown, definitions),
            parts=there.split(text, there.wording, there.at_once) if there.split else (),
            speak=_speak(shown, definitions, there.wording, label) if there.speaks else None,
            channel_data=self.channel_data(shown.kind),
            problems=(*shown.problems, *report_unlisted(shown, there)),
        )

    def channel_data(self, kind: AnswerKind | None) -> Mapping[str, object]:
        """The ``channelData`` of a final message.

        It switches votes on where the channel itself asks for them, and says the answer's kind to programs.
        """
        # Teams: "feedbackLoop: {type: default}" shows thumbs, which come back as a `message/submitAction`.
        asks = self.channel.asks_for_votes and self._answer_id
        votes = {"feedbackLoop": {"type": "default"}} if asks else {}
        return {**votes, "answerKind": kind.value} if kind and self.channel.passes_channel_data else votes

    def graph_of(
        self, cited: CitedAnswer, definitions: Sequence[LinkDefinition], *, votes: bool = True
    ) -> tuple[dict[str, object], ...]:
        """The entities of the activity: the Schema.org ``Message``, if the channel takes one."""
        if self._writer is None:
            return ()
        most = self.channel.most_claims
        if len(cited.citations) > most:
            cited = replace(cited, citations=cited.citations[:most])
        message = self._writer.write(cited, definitions[:most])
        # Teams asks for votes itself, by `channel_data`.
        if votes and self._answer_id is not None and self.channel.graph is Graph.WEB_CHAT:
            message = replace(message, potential_action=thumbs(self._answer_id))
        return (to_json(message),)

    def say_label(self, text: str, cited: CitedAnswer) -> str:
        """``text`` below its sensitivity label in words, where nothing else would show the label."""
        words = self._label_in_words(cited)
        if not words:
            return text
        write = write_words if self.channel.text_format == "markdown" else keep_words
        return f"{write(words)}\n\n{text}"

    def _label_in_words(self, cited: CitedAnswer) -> str:
        """The message's label in words; empty where it is shown otherwise, or needs no mention."""
        graph = self.channel.graph
        # Web Chat shows the message's label above the list of references, and nowhere without one.
        if graph and (graph.is_of_teams or cited.citations):
            return ""
        label = message_label(cited, self._ranking)
        if label is None or (graph is None and self._ranking.is_lowest(label)):
            return ""
        return self.channel.wording.label.format(label=label.name)

    def _with_labels(
        self, definitions: tuple[LinkDefinition, ...], cited: CitedAnswer
    ) -> tuple[LinkDefinition, ...]:
        """The definitions. Titles of a text channel have their labels, unless all have the message's."""
        ranking = self._ranking
        if self.channel.graph is not None:
            return definitions
        labels = citation_labels(cited, ranking)
        message = message_label(cited, ranking)
        if all(label == message for label in labels):
            return definitions
        return tuple(
            definition
            if label is None or ranking.is_lowest(label)
            else replace(definition, title=f"{definition.title} ({label.name})")
            for definition, label in zip(definitions, labels, strict=True)
        )


def _speak(shown: CitedAnswer, definitions: Sequence[LinkDefinition], wording: Wording, label: str) -> str:
    from ..channels.speech import speak  # noqa: PLC0415 - few channels speak

    return speak(shown, definitions, wording, label)


class InterimRenderings:
    """Makes the renderings of the interims of one answer, of which only what has changed is made again."""

    def __init__(self, renderer: Renderer, ranking: LabelRanking) -> None:
        self._renderer = renderer
        self._ranking = ranking
        self._cited: CitedAnswer | None = None
        self._label = ""
        """What stands above the text."""
        self._definitions: tuple[LinkDefinition, ...] = ()
        self._entities: tuple[dict[str, object], ...] | None = ()
        """The graph; None if it is too large."""
        self._problems: tuple[Problem, ...] = ()
        self._measured, self._size = 0, 0
        """The length and the bytes of the last text that was measured."""

    def write(self, cited: CitedAnswer, body: str) -> Rendering | None:
        """The rendering of ``body``; None if the final might have to truncate it."""
        channel = self._renderer.channel
        if cited is not self._cited:
            self._note(cited)
        text = channel.add_sources(body, self._definitions, channel.wording)
        if self._entities is None or not self._fits(text):
            return None
        return Rendering(
            # Without text, the reader would see nothing but the label.
            text=self._label + text if self._label and text.strip() else text,
            text_format=channel.text_format,
            entities=self._entities,
            problems=self._problems,
        )

    def _note(self, cited: CitedAnswer) -> None:
        """Make the graph of other citations, and what else depends on them."""
        self._cited = cited
        shown = withhold(cited, self._renderer.channel, self._ranking)
        self._label = self._renderer.say_label("", shown)
        self._definitions = self._renderer.define(shown)
        graph = self._graph_of(shown)
        self._entities = self._graph_of(without_passages(shown)) if graph is None else graph
        self._problems = (*shown.problems, *report_unlisted(shown, self._renderer.channel))

    def _graph_of(self, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        channel = self._renderer.channel
        graph = self._renderer.graph_of(shown, self._renderer.define(shown), votes=False)
        if channel.interim is InterimMode.APPEND_ONLY:
            graph = tuple(_citations_only(node) for node in graph if "citation" in node)
        return graph if channel.limit.holds(graph, 1 - SHOWN) else None

    def _fits(self, text: str) -> bool:
        """Whether a message holds ``text``. It is measured where it has become much longer."""
        limit = self._renderer.channel.limit
        if not limit.holds_any(len(self._label) + len(text) - self._measured, SHOWN, self._size):
            self._measured, self._size = len(text), limit.size(self._label + text)
        return self._size <= SHOWN * limit.most


def _citations_only(node: dict[str, object]) -> dict[str, object]:
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
