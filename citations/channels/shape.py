"""The shape that all channels have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..citation import CitedAnswer
from ..definition import LinkDefinition

Writer = Callable[[CitedAnswer, tuple[LinkDefinition, ...], frozenset[str]], str | None]
"""Writes the text of an answer; None where what was written did not stand the check."""


@dataclass(frozen=True, slots=True)
class Channel:
    """How a channel shows an answer.

    ``id`` is the ``Activity.channelId`` that it was asked for. ``write`` is tried first;
    ``write_plainly`` is what is left when its result, read again, isn't what was meant. ``graph``
    says whether the Schema.org Message goes along.
    """

    id: str
    text_format: str
    graph: bool
    write: Writer
    write_plainly: Writer
