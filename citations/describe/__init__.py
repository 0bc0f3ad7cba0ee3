"""A cited answer becomes a Schema.org Message: a Claim for each citation, and the highest label."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..citation import CitedAnswer
from ..definition import LinkDefinition
from ..label import LabelRanking
from ..schema_org import DigitalDocument, Graph, Message
from . import teams, web_chat
from .labels import read_labels


def describe(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    *,
    graph: Graph = Graph.WEB_CHAT,
    ranking: LabelRanking | None = None,
    live_hosts: frozenset[str] = frozenset(),
    document: Callable[..., DigitalDocument] | None = None,
) -> Message:
    """The Message of a cited answer; ``definitions[i]`` is the definition of ``cited.citations[i]``.

    Each claim has its definition's position, destination and title, so that text and graph agree;
    Teams has a shorter title and the number of the badge. The message's label is the highest of all
    references, cited or not: the answer may say what an uncited one says. ``live_hosts`` may keep
    their links in the passages, where passages are Markdown. ``document`` may be a cache of
    :func:`document_writer`, where an answer is described again and again as it grows.
    """
    labels = read_labels(cited, ranking)
    write = document or document_writer(graph)
    if graph is Graph.WEB_CHAT:
        return web_chat.describe(cited, definitions, labels, live_hosts, write)
    return teams.describe(cited, definitions, labels, cards=graph is Graph.TEAMS_CARDS, document=write)


def document_writer(graph: Graph) -> Callable[..., DigitalDocument]:
    """The function that writes what one citation cites, for the readers of ``graph``."""
    return web_chat.write_document if graph is Graph.WEB_CHAT else teams.write_document
