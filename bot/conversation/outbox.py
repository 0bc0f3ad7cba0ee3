"""An answer that its channel did not take when nobody listened any more: kept until the person is back.

Its request was answered long before, so that no channel sends the question again.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from structlog.stdlib import BoundLogger

from ..connector import MaybeSent, activities
from ..messages import Sentence, say
from ..state import State, Swap
from ..telemetry.conversation_key import ConversationKey
from ..telemetry.log import cause

LIFETIME: Final = 12 * 3600.0
"""Seconds that it is kept: as long as an answer that did arrive."""
LARGEST: Final = 256 * 1024
"""Bytes of an answer; of a larger one only that it was there."""

_KIND: Final = "undelivered"
_TAKEN: Final = b""
_FIELDS: Final = ("text", "text_format", "speak", "channel_data")


class Outbox:
    """Keeps in ``state`` the last answer of each conversation that was not delivered, as it was to be sent.

    So it has its sensitivity label, and nothing that was withheld.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    async def store(self, conversation: ConversationKey, messages: Sequence[Any], *, unsure: bool) -> None:
        """Keep ``messages``; where it is ``unsure`` whether they arrived, only that."""
        told = activities.sentence(say(Sentence.UNSURE if unsure else Sentence.LATE))
        said = [told] if unsure else [told, *messages]
        await self._keep(conversation, said)

    async def send(self, conversation: ConversationKey, send: Callable[[Any], Awaitable[Any]]) -> bool:
        """Send what is kept, and whether there was anything: once, whichever replica is asked.

        Raises what ``send`` raises; what has not arrived then is kept on.
        """
        said = await self._take(conversation)
        for number, message in enumerate(said):
            try:
                await send(message)
            except MaybeSent:
                raise
            except Exception:
                await self._keep(conversation, [*said[:1], *said[max(1, number) :]])
                raise
        return bool(said)

    async def deliver(
        self, conversation: ConversationKey, send: Callable[[Any], Awaitable[Any]], log: BoundLogger
    ) -> None:
        """As :meth:`say`, but a failure is only logged: the next turn tries again."""
        try:
            if await self.send(conversation, send):
                log.info("undelivered answer delivered")
        except Exception as error:  # noqa: BLE001 - there is a question to be answered
            log.warning("undelivered answer not delivered", cause=cause(error))

    async def _keep(self, conversation: ConversationKey, said: Sequence[Any]) -> None:
        record = _write(said)
        if len(record) > LARGEST:
            record = _write([activities.sentence(say(Sentence.LOST))])
        await self._state.put(conversation, _KIND, "", record, lifetime=LIFETIME)

    async def _take(self, conversation: ConversationKey) -> list[Any]:
        record = await self._state.get(conversation, _KIND)
        if not record:
            return []
        [kept] = await self._state.swap([Swap(conversation, _KIND, "", record, _TAKEN, LIFETIME)])
        if kept is None:  # it was kept by this process alone, while the store was away
            await self._state.drop(conversation, _KIND, "")
        return [] if kept else _read(record)


def _write(said: Sequence[Any]) -> bytes:
    return json.dumps([_fields(message) for message in said]).encode()


def _fields(message: Any) -> dict[str, object]:
    fields = {name: getattr(message, name) for name in _FIELDS}
    entities = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or ()]
    return {**{name: value for name, value in fields.items() if value}, "entities": entities}


def _read(record: bytes) -> list[Any]:
    try:
        return [_message(fields) for fields in json.loads(record)]
    except (LookupError, TypeError, ValueError):  # another version's
        return [activities.sentence(say(Sentence.LOST))]


def _message(fields: Mapping[str, Any]) -> Any:
    return activities.message(
        {name: fields[name] for name in _FIELDS if name in fields}, fields.get("entities", ())
    )
