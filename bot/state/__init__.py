"""The bot's state between turns. Every store implements :class:`State`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..telemetry.conversation_key import ConversationKey


class Swap(NamedTuple):
    """A compare-and-swap: ``new`` replaces a stored ``old``, for ``lifetime`` seconds from now on."""

    conversation: ConversationKey
    kind: str
    item: str
    old: bytes
    new: bytes
    lifetime: float


class State(Protocol):
    """A store of small values by conversation, kind (``answer``, ``turns``, ``vote``, ``seen``) and item.

    Values are bytes, and each expires after its lifetime in seconds. All methods raise
    :class:`StateError` where the store can't be reached; a caller must still deliver its answer.
    """

    @property
    def recently_reached(self) -> bool | None:
        """Whether there was no failure lately; None for a store that ends with this process."""

    async def open(self) -> None:
        """Connect to the store; called once, before all else."""

    async def get(self, conversation: ConversationKey, kind: str, item: str = "") -> bytes | None:
        """The stored value; None where there is none, or it has expired."""

    async def put(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> None:
        """Store ``value``, and replace a previous one."""

    async def put_new(
        self, conversation: ConversationKey, kind: str, item: str, value: bytes, *, lifetime: float
    ) -> bool:
        """Store ``value`` if none is stored, atomically; return whether it was stored.

        Of several callers, in any replica, one gets True. Each caller passes a different ``value``.
        """
        ...

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        """Do each of ``swaps`` atomically; return the values that are stored then.

        That is ``new`` where the swap was done, and None where no value is stored. In an outage,
        :class:`.outage.StateThroughOutages` returns ``old`` instead of raising.
        """
        ...

    async def drop(self, conversation: ConversationKey, kind: str, item: str) -> None:
        """Delete a value."""

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete all values of a conversation."""

    async def close(self) -> None:
        """Close the connections and files."""


class StateError(Exception):
    """A store can't be reached or used. The message names the store and the reason, without a secret."""
