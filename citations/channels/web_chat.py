"""Web Chat, Direct Line and the Emulator: Markdown with reference-style links and the graph.

CITATION.md § "Activity text": "links for citation must format as reference style link".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..graph.schema_org import Graph
from ..markdown import MarkdownWriter
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.url import live_hosts_only
from .shape import Channel, InterimMode


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> str:
    """The answer with its badges ``[1]``."""
    there = writer(live_hosts)
    there.cites = {int(one.label) for one in definitions}.__contains__
    return there.document(cited.document)


def writer(live_hosts: frozenset[str]) -> MarkdownWriter:
    """A writer of blocks."""
    return MarkdownWriter(live_hosts_only(live_hosts))


def add_sources(body: str, definitions: Sequence[LinkDefinition], wording: Wording) -> str:
    """The definitions at the end, after one blank line.

    They "cannot interrupt a paragraph" (CommonMark § 4.7).
    """
    if not definitions:
        return body
    return body.rstrip() + "\n\n" + "\n".join(definition.write() for definition in definitions)


CHANNEL: Final = Channel(
    "webchat",
    "markdown",
    Graph.WEB_CHAT,
    write,
    add_sources,
    InterimMode.REPLACING,
    writer=writer,
    passes_channel_data=True,
    opens_pages=True,
    shows_suggestions=True,
    lists_suggestions=False,
    shows_typing=True,
)
