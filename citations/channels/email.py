"""E-mail: Markdown with links in the text, and a list of sources with visible titles and URLs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from ..markdown import Link, MarkdownReading
from ..markdown.edit import Edit, apply
from ..markdown.sanitizer import (
    escape,
    escape_lines,
    formula_text,
    leads_only_to,
    loads_nothing,
    readings,
    sanitizing_edits,
    write_closing_fence,
)
from ..model.citation import CitedAnswer, Use
from ..model.link_definition import LinkDefinition
from ..model.wording import Wording
from ..text.url import host_of
from . import plain
from .shape import Body, Channel

_STAND_IN: Final = "https://source.invalid/"
_SEPARATOR: Final = "\u200b"
_JOINS_BEFORE: Final = ("!", "\\", "$")
"""`![(1)](…)` is an image, `\\[(1)](…)` an escape, and `$$` may end a formula as in Web Chat. `](1)` is a
link's target."""


def write(
    cited: CitedAnswer, definitions: tuple[LinkDefinition, ...], live_hosts: frozenset[str], wording: Wording
) -> Body:
    """The answer with a link ``[(1)](URL)`` for each citation, or ``(1)`` without a URL.

    The text and its list are read back as the clients' engines do. The answer becomes plain characters
    unless they contain exactly our links and nothing else that is live.
    """
    targets = {definition.label: definition.destination for definition in definitions if definition.is_url}
    body = _write_body(cited, targets, live_hosts)
    sources = list(targets.values())

    def is_sound(body: str, badges: dict[str, str]) -> bool:
        text = finish(body, definitions, wording)
        ours = live_hosts | {host_of(target) for target in badges.values()}
        return all(
            _agrees(outcome, cited.uses, badges, sources, live_hosts)
            for outcome in readings(text, body, ours)
        )

    sound = cited.layout.complete and is_sound(body, targets)
    if sound and len(targets) < len(definitions):
        # A reader finds links. So the text is also read with a link for each badge that has none.
        linked = {one.label: targets.get(one.label, f"{_STAND_IN}{one.label}") for one in definitions}
        sound = is_sound(_write_body(cited, linked, live_hosts), linked)
    if sound:
        return Body(body)
    return Body(escape_lines(plain.write(cited, definitions, live_hosts, wording).text), formatted=False)


def _write_body(cited: CitedAnswer, targets: dict[str, str], live_hosts: frozenset[str]) -> str:
    """The answer with its badges, which link their ``targets``, if there is one."""
    taken = [(use.start, use.end) for use in cited.uses]
    ends = {use.end for use in cited.uses if use.start < use.end}
    edits = [
        *sanitizing_edits(cited.layout, taken, live_hosts),
        *(
            Edit(use.start, use.end, _badges("" if use.start in ends else cited.text, use, targets))
            for use in cited.uses
        ),
    ]
    edits.sort(key=itemgetter(0, 1))
    return apply(cited.text, edits) + write_closing_fence(cited.layout)


def finish(body: str, definitions: tuple[LinkDefinition, ...], wording: Wording) -> str:
    """The list of sources: ``(1) Title: <URL>``, each in its own paragraph."""
    sources = [_source(definition) for definition in definitions]
    if not sources:
        return body
    heading = f"**{escape(wording.sources)}**"
    return "\n\n".join([*([body.rstrip()] if body.strip() else []), heading, *sources])


def _source(definition: LinkDefinition) -> str:
    where = f": <{definition.destination}>" if definition.is_url else ""
    return f"({definition.label}) {escape(definition.title)}{where}"


def _badges(text: str, use: Use, targets: dict[str, str]) -> str:
    """The badges of a marker in ``text``, which is empty for a marker directly behind another."""
    shown = "".join(_badge(str(position), targets) for position in use.positions)
    before = use.formula or text[use.start - 1 : use.start]
    said = " ".join(part for part in (shown, escape(use.rest)) if part)
    joined = shown and before.endswith(_JOINS_BEFORE if shown.startswith("[") else "]")
    return f"{formula_text(use.formula)}{_SEPARATOR if joined else ''}{said}"


def _badge(position: str, targets: dict[str, str]) -> str:
    return f"[({position})]({targets[position]})" if position in targets else f"({position})"


def _agrees(
    outcome: MarkdownReading,
    uses: Sequence[Use],
    targets: dict[str, str],
    sources: Sequence[str],
    live_hosts: frozenset[str],
) -> bool:
    """Whether a reader gets a link for each badge and each of the ``sources``, and no other."""
    ours = Counter(Link(source, source) for source in sources) + Counter(
        Link(f"({position})", targets[str(position)])
        for use in uses
        for position in use.positions
        if str(position) in targets
    )
    # Engines show the URL of an autolink in different forms, so its text isn't compared.
    links = Counter(link if link.text.startswith("(") else Link(link.url, link.url) for link in outcome.links)
    return loads_nothing(outcome) and not outcome.definitions and leads_only_to(ours, links, live_hosts)


CHANNEL: Final = Channel("email", "markdown", None, write, finish, opens_pages=True)
