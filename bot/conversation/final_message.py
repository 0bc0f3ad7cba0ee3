"""Sends the final messages of an answer, even where the stream before them has failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from ..config.timeouts import Timeouts
from ..connector import RETRY_STATUSES, ChannelRefusal, MaybeSent, NotSent, TokenError, activities
from ..http.arrival import time_left
from ..resilience.clock import now
from .livestream import Livestream

_TRIES: Final = 3
"""The most tries with a channel that is busy, or that may have accepted the message unnoticed."""

Send = Callable[[Any], Awaitable[Any]]


async def send_final(
    send: Send,
    message: Any,
    live: Livestream | None,
    timeouts: Timeouts,
    replace: Callable[[str, Any], Awaitable[bool]] | None = None,
) -> bool:
    """Send ``message`` as the stream's final, or as an ordinary message without an open stream.

    Where the channel takes no final, ``replace`` may put the message in the place of the stream's, which has
    the id that it is given. Return False where the person has stopped the stream. Raises the last error of
    ``send`` where no retry helped. The connector's client makes the quick retries. This function makes the
    slow ones and, where the request is over, those that may last for minutes.
    """
    stream, tries = (live if live and live.is_open else None), 0
    last_try = now() + timeouts.following
    while True:
        if stream is not None:
            await asyncio.sleep(stream.due - now())
        try:
            await send(stream.build_final(message) if stream else message)
        except Exception as error:
            refusal = error if isinstance(error, ChannelRefusal) else None
            tries += refusal.tries if refusal else 1
            # Where the stream is complete, an earlier try has arrived.
            if stream and refusal and (refusal.is_stopped or (refusal.is_completed and tries > 1)):
                return not refusal.is_stopped
            smaller = activities.without_graph(message)
            if refusal and refusal.is_too_large and smaller.entities != message.entities:
                message = smaller
            elif stream and refusal and not refusal.is_busy:
                if replace and await replace(stream.id_after(refusal), message):
                    return True
                stream = None
            elif (tries < _TRIES and _is_retry_useful(error, refusal, stream)) or (
                _may_retry_late(error, refusal, timeouts) and now() < last_try
            ):
                await asyncio.sleep(timeouts.pause_after(refusal.retry_after if refusal else None))
            else:
                raise
        else:
            return True


def _is_retry_useful(error: Exception, refusal: ChannelRefusal | None, stream: Livestream | None) -> bool:
    """Whether a retry may help and can't show the message twice.

    A stream's final is idempotent, but an ordinary message is not. A missing token was waited for
    already, and the channel can still tell the person.
    """
    if isinstance(error, TokenError):
        return False
    if stream is not None or isinstance(error, NotSent):
        return True
    return refusal is not None and refusal.is_busy and refusal.retry_after is not None


def _may_retry_late(error: Exception, refusal: ChannelRefusal | None, timeouts: Timeouts) -> bool:
    """Whether the request is over, and the channel refused a message that it may accept later."""
    refused = isinstance(error, NotSent) or (refusal is not None and refusal.status in RETRY_STATUSES)
    return refused and not time_left(timeouts.budget)


async def send_each(
    send: Callable[[Any], Awaitable[None]], messages: Sequence[Any]
) -> tuple[int, Exception | None]:
    """Send ``messages`` in order, and return how many were sent and the error, if there was one.

    After a message that may have arrived, the next ones are still sent. A second such message, or
    another error, ends the sending.
    """
    unsure: MaybeSent | None = None
    for number, message in enumerate(messages):
        try:
            await send(message)
        except MaybeSent as error:
            if unsure:
                return number + 1, unsure
            unsure = error
        except Exception as error:  # noqa: BLE001 - the caller handles it
            return number, unsure or error
    return len(messages), unsure
