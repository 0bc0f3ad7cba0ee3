"""Microsoft Teams: Markdown with bare badges ``[1]`` and no definitions, which would end them.

"Each chunk must extend the last" (Teams, "Stream bot messages"): what has been shown stays as it is.
So everything here is written by the characters beside it, and a part of an answer as the whole is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..citation import CitedAnswer, Use
from ..definition import LinkDefinition
from ..markdown import Inline, Kind
from ..neutralise import Edit, apply
from ..schema_org import Graph
from .shape import Channel, Interim

_RISKY: Final = re.compile(
    # A tag, a comment, an autolink; a link's target; a definition; what a client links by itself.
    r"<(?=[A-Za-z/!?])|\](?=[(:])|:(?=/)"
    # Teams makes a badge of every number in brackets that it shows, an escaped one too.
    r"|(?:\[|&(?:\#91|\#[xX]0*5[bB]|lsqb|lbrack);)(?=[0-9])"
)
_INVISIBLE: Final = "\u200b"
_ENTITIES: Final = {"<": "&lt;", ":": "&#58;"}


def write(
    cited: CitedAnswer,
    definitions: tuple[LinkDefinition, ...],  # noqa: ARG001 - the shape of a writer
    live_hosts: frozenset[str],  # noqa: ARG001 - the shape of a writer
) -> str:
    """The answer with its badges ``[1]``."""
    layout = cited.layout
    raws = sorted(line for raw in layout.raws for line in raw.lines)
    return apply(cited.text, edits(cited.text, 0, layout.inlines, raws, cited.uses))


def edits(
    text: str,
    offset: int,
    inlines: Sequence[Inline],
    raws: Iterable[tuple[int, int]],
    uses: Sequence[Use],
) -> list[Edit]:
    """What to write otherwise of ``text``, which stands at ``offset`` of the answer; in order.

    ``inlines`` are its inline texts, ``raws`` the places of HTML and definitions, ``uses`` its
    citations. Code stays as it is.
    """
    found = [Edit(use.start, use.end, _badges(use)) for use in uses]
    for inline in inlines:
        found.extend(_inert(inline, uses))
    for start, end in raws:
        found.extend(
            Edit(start + match.start(), start + match.end(), _written(match))
            for match in _RISKY.finditer(text[start - offset : end - offset])
        )
    return sorted(found)


def _badges(use: Use) -> str:
    shown = "".join(f"[{position}]" for position in use.positions)
    return " ".join(part for part in (shown, _RISKY.sub(_written, use.rest)) if part)


def _inert(inline: Inline, uses: Sequence[Use]) -> Iterator[Edit]:
    """The edits outside code and outside what is a citation."""
    kept = [
        (inline.place(start), inline.place_end(end)) for kind, start, end in inline.spans if kind is Kind.CODE
    ]
    for match in _RISKY.finditer(inline.content):
        start, end = inline.place(match.start()), inline.place_end(match.end())
        code = bisect_right(kept, start, key=lambda span: span[0]) - 1
        use = bisect_right(uses, start, key=lambda use: use.start) - 1
        if (code < 0 or start >= kept[code][1]) and (use < 0 or start >= uses[use].end):
            yield Edit(start, end, _written(match))


def _written(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0]) or f"{match[0]}{_INVISIBLE}"


def finish(body: str, definitions: tuple[LinkDefinition, ...]) -> str:  # noqa: ARG001 - the shape of all
    """The sources stand in the graph."""
    return body


CHANNEL: Final = Channel("msteams", "markdown", Graph.TEAMS, write, write, finish, Interim.EXTENDED)
