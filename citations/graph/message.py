"""A cited answer becomes a Schema.org Message with a Claim for each citation and the highest label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final

from ..labels.ranking import NO_CATALOGUE, LabelRanking
from ..model.citation import MAX_CITATIONS, CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import ENGLISH, Wording
from . import teams_message, web_chat_message
from .schema_org import DigitalDocument, Graph, Message

_KEPT: Final = 2 * MAX_CITATIONS
"""Documents in the cache: an answer too large for its channel has each with and without its passage."""


def describe(  # noqa: PLR0913 - each is an option of its own
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    *,
    graph: Graph = Graph.WEB_CHAT,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
    wording: Wording = ENGLISH,
) -> Message:
    """The Message of a cited answer; ``definitions[i]`` is the definition of ``cited.citations[i]``.

    Each claim has its definition's position, destination and title, so that text and graph agree. For
    Teams the title is shorter, and the position is the badge's number. The message has the highest label
    of all references, because the answer may say what an uncited one says. Links to ``live_hosts`` stay
    links in passages that are Markdown.
    """
    return MessageWriter(graph, ranking or NO_CATALOGUE, live_hosts, wording).write(cited, definitions)


class MessageWriter:
    """Writes the Message of an answer for each interim of its stream, and each document only once."""

    def __init__(
        self, graph: Graph, ranking: LabelRanking, live_hosts: frozenset[str], wording: Wording
    ) -> None:
        self._graph = graph
        self._ranking = ranking
        self._wording = wording
        write = (
            partial(web_chat_message.write_document, live_hosts=live_hosts, wording=wording)
            if graph is Graph.WEB_CHAT
            else partial(teams_message.write_document, wording=wording)
        )
        self._document: Callable[..., DigitalDocument] = lru_cache(_KEPT)(write)

    def write(self, cited: CitedAnswer, definitions: Sequence[LinkDefinition]) -> Message:
        """The Message, as :func:`describe` returns it."""
        if self._graph is Graph.WEB_CHAT:
            return web_chat_message.describe(cited, definitions, self._ranking, self._wording, self._document)
        return teams_message.describe(cited, definitions, self._ranking, self._graph, self._document)
