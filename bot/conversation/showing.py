"""What the person sees of an answer until it is whole: signs of life, then its text as it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from structlog.stdlib import BoundLogger

from citations import Rendering

from ..config.timeouts import Timeouts
from ..connector import activities
from ..resilience.clock import now, set_within
from ..resilience.ticks import OneStepPerTick
from ..telemetry.log import cause
from .channel_refusal import read_refusal
from .livestream import Livestream
from .outcome import STOPPED
from .queue import Ticket
from .reading import Reading
from .turns import TurnOutput


@dataclass(slots=True, kw_only=True, eq=False)
class Showing:
    """Shows an answer while it is read, as far as its channel takes that; one activity at a time."""

    output: TurnOutput
    place: Ticket
    reading: Reading
    live: Livestream | None
    """None where the answer is said whole, from the beginning or since the channel refused the stream."""
    sign: str | None
    """What the bot is doing before there is text; None where the channel shows no such sign."""
    timeouts: Timeouts
    ticks: OneStepPerTick
    """Those in which texts are rendered."""
    log: BoundLogger
    silenced: bool = False
    """Whether the person has pressed the channel's own Stop, after which nothing more is said."""
    _sign_due: float = field(init=False)

    def __post_init__(self) -> None:
        self._sign_due = now() + self.timeouts.typing_after

    async def show(self) -> Livestream | None:
        """Show the answer until it has ended; the stream, where that must have its end before."""
        while not self.reading.ended.is_set():
            if self.live and self.live.limit is not None and now() >= self.live.limit:
                return self.live
            if self.live and self._listens() and (rendering := await self.interim(self.live)):
                if self.live.needs_dots:
                    await self._dots()
                await self._send_piece(self.live, self.live.interim(rendering), rendering)
            elif self.sign and self._may_sign() and now() >= self._sign_due:
                await self._sign(self.sign)
            else:
                await self._wait()
        return None

    async def interim(self, live: Livestream) -> Rendering | None:
        """What the person may read now; None where that is no more than was shown."""
        await self.ticks.next()
        if self.reading.ended.is_set():
            return None  # the final has it
        try:
            return self.reading.interim() or live.unsent
        except Exception as error:  # noqa: BLE001 - the final doesn't depend on it
            self.log.error("interim failed", cause=cause(error))
            live.muted = True
            return None

    def end_stream(self) -> None:
        """The stream has its end: what comes now is said whole."""
        self.live = None
        self._sign_due = now() + self.timeouts.typing_every

    def silence(self) -> None:
        """Say nothing more, and end the answer: the person has pressed the channel's own Stop."""
        self.silenced = True
        self.reading.stop(STOPPED)

    def _listens(self) -> bool:
        """Whether the channel takes an interim now."""
        return self.live is not None and not self.live.muted and now() >= self.live.due

    def _may_sign(self) -> bool:
        """Dots are for the time in which there is nothing to read."""
        return self.sign is not None and (self.live is None or self.live.shown is None)

    async def _wait(self) -> None:
        """Until there may be something to do."""
        listens = self._listens()
        times = [self._sign_due] if self._may_sign() else []
        if self.live and not self.live.muted and not listens:
            times.append(self.live.due)
        if self.live and self.live.limit is not None:
            times.append(self.live.limit)
        event = self.reading.news if listens else self.reading.ended
        await set_within(event, min(times) - now() if times else None)

    async def _sign(self, sign: str) -> None:
        self._sign_due = now() + self.timeouts.typing_every
        if self.live and self.live.informs:
            # A stream that is begun while the conversation's last one is open would be refused.
            if not self.place.held:
                return
            if not self.live.open and not self.live.muted and now() >= self.live.due:
                await self._send_piece(self.live, self.live.informative(sign))
            return
        await self._dots()

    async def _dots(self) -> None:
        try:
            response = await self.output.send(activities.typing())
        except Exception as error:  # noqa: BLE001 - the dots are a courtesy; the answer reports what is broken
            self.log.warning("typing not sent", cause=cause(error))
            self.sign = None
        else:
            if self.live:
                self.live.note_typing(response.id if response and response.id else "")

    async def _send_piece(self, live: Livestream, piece: Any, rendering: Rendering | None = None) -> None:
        sent = now()
        try:
            response = await self.output.send(piece)
        except Exception as error:  # noqa: BLE001 - a piece that is lost must not lose the answer
            self._handle_refusal(live, error, rendering)
        else:
            live.take(response.id if response else None, sent=sent, now=now(), rendering=rendering)

    def _handle_refusal(self, live: Livestream, error: Exception, rendering: Rendering | None) -> None:
        refusal = read_refusal(error)
        self.log.warning("piece refused", cause=cause(error), status=refusal.status if refusal else None)
        if refusal is None or refusal.too_large:
            live.muted = True
        elif refusal.stopped:
            self.silence()
        elif refusal.busy:
            live.wait(refusal, now=now(), rendering=rendering)
        else:
            self.live = None
