"""Stores an answer that could not be delivered after its request, until the person writes again.

The request had its response before, so that no channel sends the question again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from structlog.stdlib import BoundLogger

from ..connector import MaybeSent, activities
from ..languages import Sentence, say
from ..state import State, Swap
from ..telemetry.conversation_key import ConversationKey
from ..telemetry.log import cause

LIFETIME: Final = 12 * 3600.0
"""Seconds that the answer is stored, which is as long as a delivered answer is remembered."""
LARGEST: Final = 256 * 1024
"""The most bytes of a stored answer. Of a larger one only the fact that it was lost is stored."""

_KIND: Final = "undelivered"
_SENT: Final = b""
"""The stored value once a replica sends the answer."""
_FIELDS: Final = ("text", "text_format", "speak", "channel_data")


class Outbox:
    """Stores in ``state`` the last undelivered answer of each conversation, as the channel would get it.

    So it has its sensitivity label, and no withheld text. With the id of a ``person``, it stores what this
    person alone may read there.
    """

    def __init__(self, state: State, person: str = "") -> None:
        self._state = state
        self._person = person

    def of(self, person: str) -> Outbox:
        """The outbox of the answers that ``person`` alone may see."""
        return Outbox(self._state, person)

    async def forget(self, conversation: ConversationKey) -> None:
        """Delete what is stored."""
        await self._state.drop(conversation, _KIND, self._person)

    async def store(self, conversation: ConversationKey, messages: Sequence[Any], *, unsure: bool) -> None:
        """Store ``messages``, or only a sentence if it is ``unsure`` whether they arrived."""
        notice = activities.sentence(say(Sentence.UNSURE if unsure else Sentence.LATE))
        await self._put(conversation, [notice], [] if unsure else messages)

    async def add(self, conversation: ConversationKey, messages: Sequence[Any]) -> None:
        """Store ``messages`` for the next turn, behind what is stored already."""
        record = await self._state.get(conversation, _KIND, self._person)
        notice, stored = _read(record) if record else ([], [])
        await self._put(conversation, notice, [*stored, *messages])

    async def deliver(
        self, conversation: ConversationKey, send: Callable[[Any], Awaitable[object]], log: BoundLogger
    ) -> None:
        """Send the stored messages before the next answer, once of all replicas, and only log a failure.

        What did not arrive stays stored for the next turn. What may have arrived is not sent again.
        """
        try:
            notice, stored = await self._withdraw(conversation)
            messages = [*notice, *stored]
            for number, message in enumerate(messages):
                try:
                    await send(message)
                except BaseException as error:
                    may_have_arrived = isinstance(error, MaybeSent | asyncio.CancelledError)
                    next_one = number + 1 if may_have_arrived else number
                    if next_one < len(messages):
                        # A notice comes before whatever is left.
                        await self._put(conversation, notice, messages[max(len(notice), next_one) :])
                    raise
        except Exception as error:  # noqa: BLE001 - the new question still needs its answer
            log.warning("undelivered answer not delivered", cause=cause(error))
        else:
            if messages:
                log.info("undelivered answer delivered")

    async def _put(
        self, conversation: ConversationKey, notice: Sequence[Any], messages: Sequence[Any]
    ) -> None:
        """Store ``messages``, with the ``notice`` before them if there is one."""
        record = _write(notice, messages)
        if len(record) > LARGEST:
            record = _write((), [activities.sentence(say(Sentence.LOST))])
        await self._state.put(conversation, _KIND, self._person, record, lifetime=LIFETIME)

    async def _withdraw(self, conversation: ConversationKey) -> tuple[list[Any], list[Any]]:
        """The stored notice and messages, unless another replica has withdrawn them."""
        record = await self._state.get(conversation, _KIND, self._person)
        if not record:
            return [], []
        swap = Swap(conversation, _KIND, self._person, record, _SENT, LIFETIME)
        [stored] = await self._state.swap([swap])
        if stored is None:  # only this process has them, because the store was away
            await self.forget(conversation)
        return ([], []) if stored else _read(record)


def _write(*lists: Sequence[Any]) -> bytes:
    return json.dumps([[_collect_fields(message) for message in messages] for messages in lists]).encode()


def _collect_fields(message: Any) -> dict[str, object]:
    fields = {name: getattr(message, name) for name in _FIELDS}
    entities = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or ()]
    return {**{name: value for name, value in fields.items() if value}, "entities": entities}


def _read(record: bytes) -> tuple[list[Any], list[Any]]:
    """The notice, if there is one, and the messages."""
    try:
        notice, messages = (
            [activities.message(fields.pop("entities", ()), **fields) for fields in stored]
            for stored in json.loads(record)
        )
    except (AttributeError, LookupError, TypeError, ValueError):  # another version wrote it
        return [], [activities.sentence(say(Sentence.LOST))]
    return notice, messages
