"""The shape that all channels have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from ..graph.schema_org import Graph
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition
from ..model.wording import ENGLISH, Wording
from .limit import CONNECTOR, Limit

Writer = Callable[[CitedAnswer, tuple[LinkDefinition, ...], frozenset[str], Wording], str | None]
"""Writes the text of an answer; None where what was written did not stand the check."""


class InterimMode(Enum):
    """What a channel does with the activities of a stream before the final one."""

    REPLACED = auto()
    """Each takes the place of the last, and may say it differently."""
    EXTENDED = auto()
    """Each must begin with all that the last one said, and so must the final one."""


@dataclass(frozen=True, slots=True)
class Channel:
    """How a channel shows an answer.

    ``id`` is the ``Activity.channelId`` that it was asked for. ``write`` writes the answer, or a part
    of it that top-level blocks make up; ``write_plainly`` is what is left when the result, read again,
    isn't what was meant. ``finish`` adds what stands below the whole: definitions, sources. ``graph``
    says for which reader the Schema.org Message is written (None: it has none), ``interim`` how the
    channel streams (None: not at all). ``split`` cuts a text into the messages that it is sent in
    (None: one), of which so many are sent ``at_once`` (None: all); the others are for when they are asked
    for. ``spell`` writes a whole text with the characters that the channel has. ``speaks``: whether the
    answer is also said aloud. ``limit`` is the most that a message may be, ``most_claims`` that of its
    graph. ``asks``: whether the channel itself asks the reader for a vote. ``shows_typing``: whether a typing
    activity is shown as such; elsewhere it is shown as nothing, or sent as an empty message (SMS).
    ``wording`` has the sentences that a rendering says besides the answer.
    """

    id: str
    text_format: str
    graph: Graph | None
    write: Writer
    write_plainly: Writer
    finish: Callable[[str, tuple[LinkDefinition, ...], Wording], str]
    interim: InterimMode | None = None
    split: Callable[[str, Wording], tuple[str, ...]] | None = None
    speaks: bool = False
    spell: Callable[[str, Wording], str] | None = None
    at_once: int | None = None
    limit: Limit = CONNECTOR
    most_claims: int = 20
    asks: bool = False
    shows_typing: bool = False
    wording: Wording = ENGLISH
