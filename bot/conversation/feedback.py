"""Stores people's votes on answers, and logs their number."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from citations import read_vote
from citations.graph import CARD_TYPE, Reaction, Vote

from ..languages import Sentence, say
from ..state import State, StateError
from ..telemetry.conversation_key import ConversationKey
from ..telemetry.log import cause, logger
from .question_turn import conversation_of

BALLOT_LIFETIME: Final = 30 * 24 * 3600.0
"""Seconds for which people can vote on an answer."""
VOTE_LIFETIME: Final = 365 * 24 * 3600.0
"""Seconds for which a vote is stored."""
_SENT: Final = "sent"
"""The kind of state that maps each of the channel's ids of an answer to our id."""
_VOTE: Final = "vote"

FEEDBACK_FORM: Final = "message/fetchTask"
"""The invoke by which Teams asks for the form, where ``feedbackLoop`` has the type ``custom``."""
Send = Callable[[Any], Awaitable[str]]
"""Sends an activity, and returns its id."""

log = logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVote:
    """One person's vote on one answer, which is stored as a JSON object.

    ``person`` is a hash that differs for each answer: it distinguishes voters without identifying them.
    ``at`` is a time of ISO 8601 in UTC. ``changed`` says whether the person voted otherwise before.
    """

    answer: str
    person: str
    reaction: Reaction
    at: str
    changed: bool = False
    comment: str = ""

    def write(self) -> bytes:
        """The vote as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False).encode()


def read_stored_vote(record: bytes | None) -> StoredVote | None:
    """Read a record of :meth:`StoredVote.write`; None if it is missing or malformed."""
    try:
        fields = json.loads(record or b"{}")
        return StoredVote(**{**fields, "reaction": Reaction(fields["reaction"])})
    except (LookupError, TypeError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Ballot:
    """An answer on which people can vote once it is sent, in its own conversation only."""

    state: State
    conversation: ConversationKey
    answer_id: str

    async def send(self, send: Send, message: Any) -> str:
        """Send the answer or a part of it. Return its id, and raise what ``send`` raises."""
        # A vote has our id of the answer, or the channel's; Teams uses the stream's id.
        await self._store_id(self.answer_id)
        activity_id = await send(message)
        stream_id = (message.channel_data or {}).get("streamId", "")
        for name in {activity_id, stream_id} - {""}:
            await self._store_id(name)
        return activity_id

    async def is_open(self) -> bool:
        """Whether the conversation, in which the answer was sent, was not forgotten since."""
        return await self.state.get(self.conversation, _SENT, self.answer_id) is not None

    async def _store_id(self, name: str) -> None:
        try:
            await self.state.put(
                self.conversation, _SENT, name, self.answer_id.encode(), lifetime=BALLOT_LIFETIME
            )
        except StateError as error:
            log.warning("no votes on this answer", channel=self.conversation.channel_id, cause=cause(error))


def build_form() -> dict[str, object]:
    """The response to :data:`FEEDBACK_FORM`: the text comes as that of Teams' own form, ``feedbackText``."""
    card = {
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [{"type": "Input.Text", "id": "feedbackText", "isMultiline": True}],
        "actions": [{"type": "Action.Submit", "title": say(Sentence.FEEDBACK_SEND)}],
    }
    attachment = {"contentType": CARD_TYPE, "content": card}
    value = {"title": say(Sentence.FEEDBACK_TITLE), "card": attachment}
    return {"task": {"type": "continue", "value": value}}


class Votes:
    """Stores votes in ``state``, the last one of each person on each answer.

    ``clock`` is in seconds since the epoch.
    """

    def __init__(self, state: State, *, clock: Callable[[], float] = time.time) -> None:
        self._state = state
        self._clock = clock
        self._since = self._format_now()
        self._count = Counter[Reaction]()
        """The number of votes since the start; a changed vote counts once."""

    def open_ballot(self, conversation: ConversationKey) -> Ballot:
        """The ballot of a new answer, with a random id that can't be guessed."""
        return Ballot(self._state, conversation, secrets.token_urlsafe(16))

    async def record(self, activity: Any) -> None:
        """Store the vote in an inbound activity.

        An activity without a vote, or with one on an unknown answer, is logged and ignored. An error
        would not help the person.
        """
        conversation = conversation_of(activity)
        vote = read_vote(_to_json(activity))
        name = (vote.answer_id or activity.reply_to_id) if vote else None
        try:
            answer_id = await self._state.get(conversation, _SENT, name) if name else None
            if vote is None or answer_id is None:
                log.info("vote ignored", channel=conversation.channel_id, readable=vote is not None)
            else:
                await self._store(vote, answer_id.decode(), conversation, _find_sender(activity))
        except StateError as error:
            log.warning("vote not kept", channel=conversation.channel_id, cause=cause(error))

    async def _store(self, vote: Vote, answer_id: str, conversation: ConversationKey, sender: str) -> None:
        # The hash has another key for each answer, so that a person's votes can't be linked.
        person = hashlib.blake2b(sender.encode(), key=answer_id.encode(), digest_size=8).hexdigest()
        item = f"{answer_id} {person}"
        before = read_stored_vote(await self._state.get(conversation, _VOTE, item))
        if before and (before.reaction, before.comment) == (vote.reaction, vote.comment):
            return
        changed = before is not None and (before.changed or before.reaction != vote.reaction)
        stored = StoredVote(
            answer=answer_id,
            person=person,
            reaction=vote.reaction,
            at=self._format_now(),
            changed=changed,
            comment=vote.comment,
        )
        await self._state.put(conversation, _VOTE, item, stored.write(), lifetime=VOTE_LIFETIME)
        if before and before.at >= self._since:
            self._count[before.reaction] -= 1
        self._count[vote.reaction] += 1
        log.info(
            "vote",
            channel=conversation.channel_id,
            answer=answer_id,
            reaction=vote.reaction.value,
            changed=changed,
            commented=bool(vote.comment),
            likes=self._count[Reaction.LIKE],
            dislikes=self._count[Reaction.DISLIKE],
        )

    def _format_now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")


def _to_json(activity: Any) -> dict[str, object]:
    """The JSON of the SDK's activity that a vote can be in, with keys such as ``@type``."""
    return {
        "type": activity.type,
        "name": activity.name,
        "value": activity.value,
        "entities": [entity.additional_properties for entity in activity.entities or ()],
    }


def _find_sender(activity: Any) -> str:
    return str(activity.from_property.id) if activity.from_property else ""
