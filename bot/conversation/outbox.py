"""Stores an answer that could not be delivered after its request, until the person writes again.

The request had its response before, so that no channel sends the question again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
from structlog.stdlib import BoundLogger

from citations import Reference

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
_Stored = tuple[list[Any], list[Any], tuple[Reference, ...]]
"""The notice, if there is one, the messages, and what these were made with."""
MayRead = Callable[[tuple[Reference, ...]], Awaitable[bool]]
"""Whether an answer that was made with these sources may be read now. Raises if the policy fails."""


class Outbox:
    """Stores in ``state`` the last undelivered answer of each conversation, as the channel would get it.

    So it has its sensitivity label, and no withheld text. Its sources are stored with it, since labels and
    rights may change meanwhile. With the id of a ``person``, it stores what this person alone may read there.
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

    async def store(
        self,
        conversation: ConversationKey,
        messages: Sequence[Any],
        sources: Sequence[Reference] = (),
        *,
        unsure: bool,
    ) -> None:
        """Store ``messages``, or only a sentence if it is ``unsure`` whether they arrived."""
        notice = activities.sentence(say(Sentence.UNSURE if unsure else Sentence.LATE))
        await self._put(conversation, [notice], [] if unsure else messages, sources)

    async def add(
        self, conversation: ConversationKey, messages: Sequence[Any], sources: Sequence[Reference] = ()
    ) -> None:
        """Store ``messages`` for the next turn, behind what is stored already."""
        record = await self._state.get(conversation, _KIND, self._person)
        notice, stored, earlier = _read(record) if record else ([], [], ())
        await self._put(conversation, notice, [*stored, *messages], [*earlier, *sources])

    async def deliver(
        self,
        conversation: ConversationKey,
        send: Callable[[Any], Awaitable[object]],
        may_read: MayRead,
        log: BoundLogger,
    ) -> None:
        """Send the stored messages before the next answer, once of all replicas, and only log a failure.

        What may no longer be read is not sent. What did not arrive stays stored for the next turn. What may
        have arrived is not sent again.
        """
        try:
            notice, stored, sources = await self._withdraw(conversation)
            if stored and not await _may_read(may_read, sources, log):
                notice, stored, sources = [activities.sentence(say(Sentence.LOST))], [], ()
            messages = [*notice, *stored]
            for number, message in enumerate(messages):
                try:
                    await send(message)
                except BaseException as error:
                    may_have_arrived = isinstance(error, MaybeSent | asyncio.CancelledError)
                    next_one = number + 1 if may_have_arrived else number
                    if next_one < len(messages):
                        # A notice comes before whatever is left.
                        left = messages[max(len(notice), next_one) :]
                        await self._put(conversation, notice, left, sources)
                    raise
        except Exception as error:  # noqa: BLE001 - the new question still needs its answer
            log.warning("undelivered answer not delivered", cause=cause(error))
        else:
            if messages:
                log.info("undelivered answer delivered")

    async def _put(
        self,
        conversation: ConversationKey,
        notice: Sequence[Any],
        messages: Sequence[Any],
        sources: Sequence[Reference],
    ) -> None:
        """Store ``messages``, with the ``notice`` before them if there is one."""
        record = _write(notice, messages, sources)
        if len(record) > LARGEST:
            record = _write([activities.sentence(say(Sentence.LOST))], (), ())
        await self._state.put(conversation, _KIND, self._person, record, lifetime=LIFETIME)

    async def _withdraw(self, conversation: ConversationKey) -> _Stored:
        """What is stored, unless another replica has withdrawn it."""
        record = await self._state.get(conversation, _KIND, self._person)
        if not record:
            return [], [], ()
        swap = Swap(conversation, _KIND, self._person, record, _SENT, LIFETIME)
        [stored] = await self._state.swap([swap])
        if stored is None:  # only this process has them, because the store was away
            await self.forget(conversation)
        return ([], [], ()) if stored else _read(record)


async def _may_read(may_read: MayRead, sources: tuple[Reference, ...], log: BoundLogger) -> bool:
    """A decision that fails allows nothing."""
    try:
        return await may_read(sources)
    except Exception as error:  # noqa: BLE001 - as above
        log.warning("undelivered answer not permitted", cause=cause(error))
        return False


def _write(notice: Sequence[Any], messages: Sequence[Any], sources: Sequence[Reference]) -> bytes:
    lists = [[_collect_fields(message) for message in some] for some in (notice, messages)]
    described = dict.fromkeys(replace(one, text=None) for one in sources)
    return json.dumps([*lists, msgspec.to_builtins(list(described))]).encode()


def _collect_fields(message: Any) -> dict[str, object]:
    fields = {name: getattr(message, name) for name in _FIELDS}
    entities = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or ()]
    return {**{name: value for name, value in fields.items() if value}, "entities": entities}


def _read(record: bytes) -> _Stored:
    try:
        *lists, sources = json.loads(record)
        notice, messages = (
            [activities.message(fields.pop("entities", ()), **fields) for fields in stored]
            for stored in lists
        )
        return notice, messages, msgspec.convert(sources, tuple[Reference, ...])
    except (AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError):
        return [activities.sentence(say(Sentence.LOST))], [], ()  # another version wrote it
