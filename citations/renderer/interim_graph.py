"""The graph of interims, made again only where it has changed."""

from __future__ import annotations

from ..channels import InterimMode
from ..model.citation import CitedAnswer
from .size import SHOWN, without_passages
from .whole import Renderer, citations_only


class InterimGraph:
    """Makes the graphs of the interims of one answer."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._known: tuple[object, ...] = ()
        self._entities: tuple[dict[str, object], ...] | None = ()

    def write(self, cited: CitedAnswer, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        """The graph of ``shown``, which is what ``cited`` may show; None if it is too large."""
        known = (cited.citations, cited.references, cited.origin)
        if known != self._known:
            self._known = known
            graph = self._fit(shown)
            self._entities = self._fit(without_passages(shown)) if graph is None else graph
        return self._entities

    def _fit(self, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        channel = self._renderer.channel
        graph = self._renderer.graph_of(shown, self._renderer.define(shown), votes=False)
        if channel.interim is InterimMode.APPEND_ONLY:
            graph = tuple(citations_only(node) for node in graph if "citation" in node)
        return graph if channel.limit.holds(graph, 1 - SHOWN) else None
