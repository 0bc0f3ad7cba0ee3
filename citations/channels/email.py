"""E-mail: Markdown with links in the text, and a list of sources with visible titles and URLs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..markdown import MarkdownWriter, write_words
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.url import live_hosts_only
from .shape import Channel


class EmailWriter(MarkdownWriter):
    """Writes badges as ``[(1)](URL)``, or ``(1)`` without a URL."""

    between = ""
    brackets = "]"
    keeps_first_number = True

    def __init__(self, live_url: Callable[[str], str | None], targets: Mapping[int, str]) -> None:
        super().__init__(live_url)
        self._targets = targets

    def one_badge(self, position: int) -> str:
        """The badge of one position."""
        target = self._targets.get(position)
        return f"[({position})]({target})" if target else f"({position})"


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> str:
    """The answer with a link for each citation."""
    targets = {int(one.label): one.destination for one in definitions if one.is_url}
    there = EmailWriter(live_hosts_only(live_hosts), targets)
    there.cites = {int(one.label) for one in definitions}.__contains__
    return there.document(cited.document)


def add_sources(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The list of sources: ``(1) Title: <URL>``, each in its own paragraph."""
    sources = [_source(definition) for definition in definitions]
    if not sources:
        return body
    heading = f"**{write_words(wording.sources)}**"
    return "\n\n".join([*([body.rstrip()] if body.strip() else []), heading, *sources])


def _source(definition: LinkDefinition) -> str:
    where = f": <{definition.destination}>" if definition.is_url else ""
    return f"({definition.label}) {write_words(definition.title)}{where}"


CHANNEL: Final = Channel("email", "markdown", None, write, add_sources, opens_pages=True)
