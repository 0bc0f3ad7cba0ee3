"""Microsoft Teams: Markdown with bare markers ``[1]`` and no definitions, which would end the badges.

Teams streaming page: "Subsequent requests must contain the previously streamed content": what has
been shown stays as it is, so everything here is written by what stands near it.
"""

from __future__ import annotations

from typing import Final

from ..citation import CitedAnswer
from ..definition import LinkDefinition
from ..neutralise import Edit, apply, escape, inert_edits
from .shape import Channel, Interim


def write(
    cited: CitedAnswer,
    definitions: tuple[LinkDefinition, ...],  # noqa: ARG001 - the shape of a writer
    live_hosts: frozenset[str],
) -> str:
    """The answer with its badges ``[1]``."""
    taken = [(use.start, use.end) for use in cited.uses]
    edits = [
        *inert_edits(cited.layout, taken, live_hosts),
        *(
            Edit(
                use.start, use.end, "".join(f"[{position}]" for position in use.positions) + escape(use.rest)
            )
            for use in cited.uses
        ),
    ]
    edits.sort(key=lambda edit: edit.start)
    return apply(cited.text, edits)


CHANNEL: Final = Channel("msteams", "markdown", True, write, write, Interim.EXTENDED)
