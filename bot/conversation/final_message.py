"""The messages of an answer, which must reach the person whatever became of the stream before them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from ..config.timeouts import Timeouts
from ..connector import RETRY_STATUSES, MaybeSent, NotSent, TokenError, activities
from ..http.arrival import time_left
from ..resilience.clock import now
from .channel_refusal import ChannelRefusal, read_refusal
from .livestream import Livestream

_TRIES: Final = 3
"""How often it is sent to a channel that is busy, or to one that may have taken it unheard."""

Send = Callable[[Any], Awaitable[Any]]


async def send_final(send: Send, message: Any, live: Livestream | None, timeouts: Timeouts) -> bool:
    """Send ``message`` as the stream's end, or as an ordinary one where there is no stream or no more.

    False where the person has stopped the stream, which says nothing more then. Raises what
    ``send`` raised last where nothing helped. The connector's client makes the quick retries; here are
    those that it has no time for, and where the request is over those for which nobody else has patience.
    """
    stream, tried = (live if live and live.is_open else None), 0
    latest = now() + timeouts.following
    while True:
        if stream is not None:
            await asyncio.sleep(stream.due - now())
        try:
            await send(stream.build_final(message) if stream else message)
        except Exception as error:
            refusal = read_refusal(error)
            tried += refusal.tries if refusal else 1
            if stream and refusal and refusal.is_stopped:
                return False
            if stream and refusal and refusal.is_completed and tried > 1:
                return True  # an earlier try had arrived
            smaller = activities.without_graph(message)
            if refusal and refusal.is_too_large and smaller.entities != message.entities:
                message = smaller
            elif stream and refusal and not refusal.is_busy:
                stream = None
            elif (tried < _TRIES and _worth_another(error, refusal, stream)) or (
                _may_follow(error, refusal, timeouts) and now() < latest
            ):
                await asyncio.sleep(timeouts.pause_after(refusal.retry_after if refusal else None))
            else:
                raise
        else:
            return True


def _worth_another(error: Exception, refusal: ChannelRefusal | None, stream: Livestream | None) -> bool:
    """A stream's final replaces itself, so that two of it are one; an ordinary message might come twice.

    A token that did not come was waited for, and the channel can still tell the person.
    """
    if isinstance(error, TokenError):
        return False
    if stream is not None or isinstance(error, NotSent):
        return True
    return refusal is not None and refusal.is_busy and refusal.retry_after is not None


def _may_follow(error: Exception, refusal: ChannelRefusal | None, timeouts: Timeouts) -> bool:
    """Whether the request is over, and the channel has taken nothing that it may take later."""
    untaken = isinstance(error, NotSent) or (refusal is not None and refusal.status in RETRY_STATUSES)
    return untaken and not time_left(timeouts.budget)


async def send_each(
    send: Callable[[Any], Awaitable[None]], messages: Sequence[Any]
) -> tuple[int, Exception | None]:
    """Send each of ``messages`` when the one before has arrived; how many have left, and what went wrong.

    One that may have arrived is not sent again, and the others are; a second one of that kind ends it,
    as anything else does that goes wrong.
    """
    unsure: MaybeSent | None = None
    for number, message in enumerate(messages):
        try:
            await send(message)
        except MaybeSent as error:
            if unsure:
                return number + 1, unsure
            unsure = error
        except Exception as error:  # noqa: BLE001 - whoever calls knows what it means for the answer
            return number, unsure or error
    return len(messages), unsure
