"""What people think of the answers: each vote is kept, and how many there were is logged."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from citations import read_vote
from citations.graph import Reaction, Vote

from ..state import State, StateError
from ..telemetry.conversation_key import ConversationKey
from ..telemetry.log import cause, logger

VOTABLE: Final = 30 * 24 * 3600.0
"""Seconds for which an answer may be voted on."""
KEPT: Final = 365 * 24 * 3600.0
"""Seconds for which a vote is kept."""
_SENT: Final = "sent"
"""The kind of state that has an answer's id under each name that its conversation has for it."""
_VOTE: Final = "vote"

Send = Callable[[Any], Awaitable[Any]]

log = logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVote:
    """One person's vote on one answer, as it is kept: one object of JSON.

    ``person`` is a hash, another one for each answer: it tells apart who voted, and names nobody.
    ``at`` is a time of ISO 8601 in UTC, ``changed`` whether the person thought otherwise before.
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


def read_kept_vote(kept: bytes | None) -> KeptVote | None:
    """What :meth:`KeptVote.write` wrote; None where there is nothing, or something else."""
    try:
        fields = json.loads(kept or b"{}")
        return KeptVote(**{**fields, "reaction": Reaction(fields["reaction"])})
    except (LookupError, TypeError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Ballot:
    """An answer that may be voted on once it is sent, in its conversation and in no other."""

    state: State
    conversation: ConversationKey
    answer_id: str

    async def send(self, send: Send, message: Any) -> Any:
        """Send the answer, or a part of it; what ``send`` returns. Raises what ``send`` raises."""
        # A vote names the answer by our id, or by the channel's: for Teams that is the stream's.
        await self._know_as(self.answer_id)
        response = await send(message)
        data = message.channel_data
        stream_id = data.get("streamId") if isinstance(data, Mapping) else None
        for name in dict.fromkeys((response.id if response else None, stream_id)):
            if name:
                await self._know_as(name)
        return response

    async def _know_as(self, name: str) -> None:
        try:
            await self.state.put(self.conversation, _SENT, name, self.answer_id.encode(), lifetime=VOTABLE)
        except StateError as error:
            log.warning("no votes on this answer", channel=self.conversation.channel_id, cause=cause(error))


class Votes:
    """Keeps votes in ``state``: of each person one on each answer, the last.

    ``clock`` is in seconds since the epoch.
    """

    def __init__(self, state: State, *, clock: Callable[[], float] = time.time) -> None:
        self._state = state
        self._clock = clock
        self._since = self._now()
        self._count = Counter[Reaction]()
        """The votes since the start, without those that were changed since."""

    def ballot(self, conversation: ConversationKey) -> Ballot:
        """The ballot of a new answer, whose id nobody can guess."""
        return Ballot(self._state, conversation, secrets.token_urlsafe(16))

    async def take(self, activity: Any) -> None:
        """Keep the vote in an inbound activity.

        What is none, or is about no answer of its conversation, is logged and ignored: nobody is
        helped by an error.
        """
        conversation = ConversationKey(activity.channel_id, activity.conversation.id)
        vote = read_vote(_plain(activity))
        name = (vote.answer_id or activity.reply_to_id) if vote else None
        try:
            answer_id = await self._state.get(conversation, _SENT, name) if name else None
            if vote is None or answer_id is None:
                log.info("vote ignored", channel=conversation.channel_id, readable=vote is not None)
            else:
                await self._keep(vote, answer_id.decode(), conversation, _sender(activity))
        except StateError as error:
            log.warning("vote not kept", channel=conversation.channel_id, cause=cause(error))

    async def _keep(self, vote: Vote, answer_id: str, conversation: ConversationKey, sender: str) -> None:
        # Under another key for each answer, so that nobody's votes can be put together.
        person = hashlib.blake2b(sender.encode(), key=answer_id.encode(), digest_size=8).hexdigest()
        item = f"{answer_id} {person}"
        before = read_kept_vote(await self._state.get(conversation, _VOTE, item))
        if before and (before.reaction, before.comment) == (vote.reaction, vote.comment):
            return
        changed = before is not None and (before.changed or before.reaction != vote.reaction)
        kept = KeptVote(
            answer=answer_id,
            person=person,
            reaction=vote.reaction,
            at=self._now(),
            changed=changed,
            comment=vote.comment,
        )
        await self._state.put(conversation, _VOTE, item, kept.write(), lifetime=KEPT)
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

    def _now(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")


def _plain(activity: Any) -> dict[str, object]:
    """What of the SDK's activity may be a vote, as the JSON that it was; ``@type`` is no attribute there."""
    return {
        "type": activity.type,
        "name": activity.name,
        "value": activity.value,
        "entities": [entity.additional_properties for entity in activity.entities or ()],
    }


def _sender(activity: Any) -> str:
    return str(activity.from_property.id) if activity.from_property else ""
