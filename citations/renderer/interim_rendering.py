"""The renderings of interims, of which only what has changed is made again."""

from __future__ import annotations

from ..channels import InterimMode
from ..labels.ranking import LabelRanking
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.link_definition import LinkDefinition
from ..model.rendering import Rendering
from .label_ceiling import withhold
from .size import SHOWN, report_unlisted, without_passages
from .whole import Renderer, citations_only


class InterimRenderings:
    """Makes the renderings of the interims of one answer."""

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
        """The length and the bytes of the text's beginning, which stays."""

    def write(self, cited: CitedAnswer, body: str, stays: int) -> Rendering | None:
        """The rendering of ``body``; None if the final might have to truncate it.

        The first ``stays`` characters of ``body`` are those of the next ones, too.
        """
        channel = self._renderer.channel
        if cited is not self._cited:
            self._note(cited)
        text = channel.finish(body, self._definitions, channel.wording)
        if self._entities is None or not self._fits(text, stays):
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
            graph = tuple(citations_only(node) for node in graph if "citation" in node)
        return graph if channel.limit.holds(graph, 1 - SHOWN) else None

    def _fits(self, text: str, stays: int) -> bool:
        """Whether a message holds ``text``, of which each character that stays is measured once."""
        limit = self._renderer.channel.limit
        if limit.holds_any(len(self._label) + len(text) - self._measured, SHOWN, self._size):
            return True
        self._size += limit.size(text[self._measured : stays]) - limit.size("")
        self._measured = stays
        return limit.size(self._label + text[stays:]) + self._size <= SHOWN * limit.most
