"""The turn of one message: its place in the queue, and the way to the person who sent it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from botbuilder.core import TurnContext
from structlog.stdlib import BoundLogger

from ..config.timeouts import Timeouts
from ..connector.target import target_of
from ..resilience.clock import OneStepPerTick
from ..telemetry.conversation_key import ConversationKey
from .activity_log import LEASE_KEY
from .queue import Ticket


def conversation_of(activity: Any) -> ConversationKey:
    """The key of an activity's conversation."""
    return ConversationKey(activity.channel_id, activity.conversation.id)


def sender_of(activity: Any) -> str:
    """The id of an activity's sender on its channel; empty where it has none."""
    return (activity.from_property.id if activity.from_property else None) or ""


def memory_names(activity: Any) -> tuple[str, str]:
    """The names for what is remembered of the sender's questions: of the public and of the targeted ones.

    They differ, so that nothing of a targeted question shows in the answer to a public one.
    """
    sender = sender_of(activity)
    return sender, f"targeted {sender}"


def memory_name(activity: Any) -> str:
    """The one of :func:`memory_names` that an activity belongs to."""
    return memory_names(activity)[target_of(activity) is not None]


def is_personal(activity: Any) -> bool:
    """Whether an activity of Teams is from a chat with one person."""
    return bool(activity.conversation.conversation_type == "personal")


def is_in_group(activity: Any) -> bool:
    """Whether several people are in an activity's conversation."""
    kind = activity.conversation.conversation_type
    return bool(activity.conversation.is_group) or kind in ("groupChat", "channel")


def is_in_copilot(activity: Any) -> bool:
    """Whether an activity of Teams is from Microsoft 365 Copilot: ``COPILOT``, or ``copilot-web``."""
    return any(
        str(entity.type).lower() == "productinfo"
        and str(entity.additional_properties.get("id", "")).lower().startswith("copilot")
        for entity in activity.entities or []
    )


@dataclass(slots=True, eq=False)
class TurnOutput:
    """The way to the person. ``context`` becomes a proactive turn's when the request is over."""

    context: TurnContext

    async def send(self, activity: Any) -> str:
        """Send ``activity``, and return the id that the channel has given it, if it did."""
        response = await self.context.send_activity(activity)
        return (response.id if response else None) or ""

    async def update(self, activity: Any) -> None:
        """Replace the message that has the id of ``activity``. Raises :class:`ConnectorError`."""
        await self.context.update_activity(activity)

    async def is_valid(self) -> bool:
        """Whether no other replica has taken the activity over."""
        lease = self.context.turn_state.get(LEASE_KEY)
        return lease is None or await lease.is_valid()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuestionTurn:
    """A message, its place in the queue, and the way to the person who sent it.

    The texts of all answers are rendered one at a time, in ``ticks``.
    """

    activity: Any
    output: TurnOutput
    ticket: Ticket
    timeouts: Timeouts
    ticks: OneStepPerTick
    log: BoundLogger

    @property
    def conversation(self) -> ConversationKey:
        """The conversation of the message."""
        return conversation_of(self.activity)
