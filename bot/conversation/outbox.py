"""This module stores an answer that could not be delivered after its request, until the person writes again.

The request had its response before, so that no channel sends the question again.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from structlog.stdlib import BoundLogger

from ..connector import MaybeSent, activities
from ..messages import Sentence, say
from ..state import State, StateKey, Swap
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

    So it has its sensitivity label, and no withheld text.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    async def store(self, conversation: ConversationKey, messages: Sequence[Any], *, unsure: bool) -> None:
        """Store ``messages``, or only a sentence if it is ``unsure`` whether they arrived."""
        notice = activities.sentence(say(Sentence.UNSURE if unsure else Sentence.LATE))
        await self._put(conversation, [notice] if unsure else [notice, *messages])

    async def send(self, conversation: ConversationKey, send: Callable[[Any], Awaitable[Any]]) -> bool:
        """Send the stored messages once, and return whether there were any. One replica sends them.

        Raises what ``send`` raises. Then the messages that did not arrive stay stored.
        """
        messages = await self._withdraw(conversation)
        for number, message in enumerate(messages):
            try:
                await send(message)
            except MaybeSent:
                raise
            except Exception:
                await self._put(conversation, [*messages[:1], *messages[max(1, number) :]])
                raise
        return bool(messages)

    async def deliver(
        self, conversation: ConversationKey, send: Callable[[Any], Awaitable[Any]], log: BoundLogger
    ) -> None:
        """Send as :meth:`send` does, but only log a failure: the next turn tries again."""
        try:
            if await self.send(conversation, send):
                log.info("undelivered answer delivered")
        except Exception as error:  # noqa: BLE001 - the new question still needs its answer
            log.warning("undelivered answer not delivered", cause=cause(error))

    async def _put(self, conversation: ConversationKey, messages: Sequence[Any]) -> None:
        record = _write(messages)
        if len(record) > LARGEST:
            record = _write([activities.sentence(say(Sentence.LOST))])
        await self._state.put(StateKey(conversation, _KIND), record, lifetime=LIFETIME)

    async def _withdraw(self, conversation: ConversationKey) -> list[Any]:
        """Return the stored messages, unless another replica has withdrawn them."""
        key = StateKey(conversation, _KIND)
        record = await self._state.get(key)
        if not record:
            return []
        [stored] = await self._state.swap([Swap(key, record, _SENT, LIFETIME)])
        if stored is None:  # only this process has them, because the store was away
            await self._state.drop(key)
        return [] if stored else _read(record)


def _write(messages: Sequence[Any]) -> bytes:
    return json.dumps([_collect_fields(message) for message in messages]).encode()


def _collect_fields(message: Any) -> dict[str, object]:
    fields = {name: getattr(message, name) for name in _FIELDS}
    entities = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or ()]
    return {**{name: value for name, value in fields.items() if value}, "entities": entities}


def _read(record: bytes) -> list[Any]:
    try:
        return [_build_message(fields) for fields in json.loads(record)]
    except (LookupError, TypeError, ValueError):  # another version wrote it
        return [activities.sentence(say(Sentence.LOST))]


def _build_message(fields: Mapping[str, Any]) -> Any:
    return activities.message(
        {name: fields[name] for name in _FIELDS if name in fields}, fields.get("entities", ())
    )
