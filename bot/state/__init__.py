"""What the bot keeps between turns: every store has the shape of :class:`State`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..telemetry.conversation_key import ConversationKey


class Swap(NamedTuple):
    """``new`` in the place of ``old``, where that is kept, for ``lifetime`` seconds from now on."""

    conversation: ConversationKey
    kind: str
    item: str
    old: bytes
    new: bytes
    lifetime: float


class State(Protocol):
    """Small values by conversation, kind (``answer``, ``vote``, ``seen``) and item, each for its lifetime.

    Values are bytes, lifetimes seconds. A store raises :class:`StateError` where it can't be reached;
    no caller may lose an answer over that.
    """

    async def open(self) -> None:
        """Reach the store; called once, before all else."""

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """What is kept; None where there is nothing, or it is too old."""

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Keep ``value`` in the place of what was there."""

    async def claim(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Keep ``value`` where nothing is kept, and whether that was so, in one step.

        Of several callers, replicas too, one gets True. No two of them give the same ``value``.
        """
        ...

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Make each of ``swaps`` in one step, and what is kept in its place then: ``new`` if it was made.

        Where nothing is kept, nothing is. A store that goes on through outages says ``old`` in one: it
        has changed nothing.
        """
        ...

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Keep it no longer."""

    async def forget(self, conversation: ConversationKey) -> None:
        """Keep nothing of a conversation any longer."""

    async def close(self) -> None:
        """Give everything back."""


class StateError(Exception):
    """A store can't be reached or used; its words name the place and the reason, and no secret."""
