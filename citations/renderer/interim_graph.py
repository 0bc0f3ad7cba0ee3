"""The link definitions and the graph of interims, made again only where they have changed."""

from __future__ import annotations

from ..channels import Channel, InterimMode
from ..graph.message import MessageWriter
from ..model.citation import Citation, CitedAnswer
from ..model.link_definition import LinkDefinition, define
from .size import SHOWN, without_passages
from .whole import citations_only, graph_of


class InterimGraph:
    """Makes the graphs of the interims of one answer."""

    def __init__(self, channel: Channel, writer: MessageWriter | None) -> None:
        self._channel = channel
        self._writer = writer
        self._defined: tuple[tuple[Citation, ...], tuple[LinkDefinition, ...]] = ((), ())
        """The citations of the last interim, and their definitions."""
        self._known: tuple[object, ...] = ()
        self._entities: tuple[dict[str, object], ...] | None = ()

    def define(self, shown: CitedAnswer) -> tuple[LinkDefinition, ...]:
        """The definitions of the citations of ``shown``."""
        if shown.citations != self._defined[0]:
            there = self._channel
            self._defined = shown.citations, define(shown, there.wording, pages=there.opens_pages)
        return self._defined[1]

    def write(self, cited: CitedAnswer, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        """The graph of ``shown``, which is what ``cited`` may show; None if it is too large."""
        known = (cited.citations, cited.references, cited.origin)
        if known != self._known:
            self._known = known
            graph = self._fit(shown)
            self._entities = self._fit(without_passages(shown)) if graph is None else graph
        return self._entities

    def _fit(self, shown: CitedAnswer) -> tuple[dict[str, object], ...] | None:
        graph = graph_of(shown, self.define(shown), self._channel, self._writer)
        if self._channel.interim is InterimMode.APPEND_ONLY:
            graph = tuple(citations_only(node) for node in graph if "citation" in node)
        return graph if self._channel.limit.holds(graph, 1 - SHOWN) else None
