"""Any other channel: the answer in plain text, and the sources in a list below it."""

from __future__ import annotations

from typing import Final

from ..citation import CitedAnswer, Use
from ..definition import LinkDefinition
from ..neutralise import Edit, apply
from .shape import Channel


def write(
    cited: CitedAnswer,
    definitions: tuple[LinkDefinition, ...],  # noqa: ARG001 - the shape of a writer
    live_hosts: frozenset[str],  # noqa: ARG001 - the shape of a writer
) -> str:
    """The answer with ``(1)`` for each citation."""
    return apply(cited.text, (Edit(use.start, use.end, _numbers(use)) for use in cited.uses)).strip()


def finish(body: str, definitions: tuple[LinkDefinition, ...]) -> str:
    """``(1) Title: URL`` for each source, in a paragraph of its own."""
    sources = [_source(definition) for definition in definitions]
    return "\n\n".join([body, *sources] if body else sources)


def _numbers(use: Use) -> str:
    shown = "".join(f"({position})" for position in use.positions)
    return " ".join(part for part in (shown, use.rest) if part)


def _source(definition: LinkDefinition) -> str:
    where = f": {definition.destination}" if definition.is_url else ""
    return f"({definition.label}) {definition.title}{where}"


CHANNEL: Final = Channel("plain", "plain", None, write, write, finish)
