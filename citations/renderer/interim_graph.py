"""The graph of interims, made again only where it has changed."""

from __future__ import annotations

from ..channels import InterimMode
from ..labels.ranking import LabelRanking
from ..model.citation import CitedAnswer
from .label_ceiling import withhold
from .size import SHOWN, without_passages
from .whole import Renderer, citations_only


class InterimGraph:
    """Makes the graphs of the interims of one answer."""

    def __init__(self, renderer: Renderer, ranking: LabelRanking) -> None:
        self._renderer = renderer
        self._ranking = ranking
        self._cited: CitedAnswer | None = None
        self._shown: CitedAnswer | None = None
        self._entities: tuple[dict[str, object], ...] | None = ()

    def write(self, cited: CitedAnswer) -> tuple[CitedAnswer, tuple[dict[str, object], ...] | None]:
        """What the channel may show of ``cited``, and its graph; None if it is too large."""
        if self._shown is None or cited != self._cited:
            self._cited = cited
            self._shown = withhold(cited, self._renderer.channel, self._ranking)
            graph = self._fit(self._shown)
            self._entities = self._fit(without_passages(self._shown)) if graph is None else graph
        return self._shown, self._entities

    def _fit(self, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        channel = self._renderer.channel
        graph = self._renderer.graph_of(shown, self._renderer.define(shown), votes=False)
        if channel.interim is InterimMode.APPEND_ONLY:
            graph = tuple(citations_only(node) for node in graph if "citation" in node)
        return graph if channel.limit.holds(graph, 1 - SHOWN) else None
