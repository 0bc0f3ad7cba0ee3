"""The presenter of one answer: it sends all that the person sees of it to the channel."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from citations import Rendering

from ..connector import activities
from ..resilience.clock import now
from ..telemetry.log import cause
from .channel_refusal import read_refusal
from .feedback import Ballot
from .final_message import send_each, send_final
from .livestream import Livestream
from .turns import QuestionTurn


@dataclass(slots=True, kw_only=True, eq=False)
class AnswerPresenter:
    """Sends typing signs, interims and the final of one answer, one activity at a time.

    ``live`` is the stream in the channel. It is None where the answer is sent whole: from the beginning,
    or since the channel refused the stream. ``sign`` says what is being done, as the text of an
    informative update; it is None where the channel shows no signs. ``ballot`` takes the votes on the
    answer, None where none are asked for.
    All times are seconds of the event loop's clock.
    """

    turn: QuestionTurn
    live: Livestream | None
    sign: str | None
    ballot: Ballot | None
    silenced: bool = False
    """Whether the person has pressed the channel's own Stop. Nothing more is said then."""
    _sign_due: float = field(init=False)
    _last_sign: str | None = field(default=None, init=False)
    """The sign that was sent last."""

    def __post_init__(self) -> None:
        self._sign_due = now() + self.turn.timeouts.typing_after

    @property
    def shown(self) -> Rendering | None:
        """The last interim that the channel has taken."""
        return self.live.shown if self.live else None

    @property
    def unsent(self) -> Rendering | None:
        """The last interim, where the channel was too busy to take it."""
        return self.live.unsent if self.live else None

    @property
    def takes_interim(self) -> bool:
        """Whether the channel takes an interim now."""
        return self.live is not None and not self.live.muted and now() >= self.live.due

    @property
    def stream_must_end(self) -> bool:
        """Whether the channel would soon end the stream by itself."""
        return self.live is not None and self.live.deadline is not None and now() >= self.live.deadline

    @property
    def sign_is_due(self) -> bool:
        """Whether a sign of life is to be sent now."""
        return self._may_sign and now() >= self._sign_due

    @property
    def next_due(self) -> float | None:
        """The next time at which there is something to send without any event; None if there is none."""
        times = [self._sign_due] if self._may_sign else []
        if self.live and not self.live.muted and not self.takes_interim:
            times.append(self.live.due)
        if self.live and self.live.deadline is not None:
            times.append(self.live.deadline)
        return min(times, default=None)

    def change_sign(self, sign: str) -> None:
        """Change what is being done. The person is told if it takes long, and the channel shows signs."""
        if sign in ("", self.sign) or self.sign is None:
            return
        self.sign = sign
        # Text that comes soon must not wait until the channel takes something again.
        soon = now() + self.turn.timeouts.typing_after
        self._sign_due = min(self._sign_due, max(soon, self.live.due) if self.live else soon)

    def mute(self) -> None:
        """Send no more interims; the final does not depend on them."""
        if self.live:
            self.live.muted = True

    def wait_after_other(self) -> None:
        """Another message of the conversation was sent just now, so the channel takes the stream later."""
        if self.live:
            self.live.delay(now())

    def end_stream(self) -> None:
        """The stream has its final: what follows is sent whole."""
        self.live = None
        self._sign_due = now() + self.turn.timeouts.typing_every

    async def send_interim(self, rendering: Rendering) -> None:
        """Send the text so far. A channel that refuses it does not lose the answer."""
        if self.live is None:
            return
        if self.live.needs_dots:
            await self._send_dots()
        await self._send_piece(self.live, self.live.build_interim(rendering), rendering)

    async def send_sign(self) -> None:
        """Send a sign that the answer is being worked on, and say what is being done."""
        self._sign_due = now() + self.turn.timeouts.typing_every
        live = self.live
        # Teams refuses a stream that begins while the conversation's last one is open.
        may_tell = live is not None and self.turn.ticket.granted and self.takes_interim
        if live is None or live.needs_dots or (live.shows_dots and not may_tell):
            await self._send_dots()
        # Web Chat hides the dots of an informative update, as any, after 5 s. Teams shows its text.
        if live and may_tell and self.sign and (live.shows_dots or self.sign != self._last_sign):
            self._last_sign = self.sign
            await self._send_piece(live, live.build_informative(self.sign))

    async def send_messages(self, messages: list[Any]) -> tuple[int, Exception | None]:
        """Send the messages of the answer; how many have left, and what went wrong."""
        return await send_each(self.send_final, messages)

    async def send_final(self, message: Any) -> None:
        """Send ``message`` as the end of the stream, or by itself where there is none.

        Raises what the SDK raises where it could not be sent.
        """
        send = functools.partial(self.ballot.send, self._send) if self.ballot else self._send
        if not await send_final(send, message, self.live, self.turn.timeouts):
            self.silenced = True

    async def send_label(self, text: str, rendering: Rendering) -> None:
        """Send the sensitivity label of what was shown, where there is one and no final has it.

        Teams takes a label with a final only.
        """
        labelled = activities.label_alone(text, rendering)
        if labelled is None:
            return
        try:
            await self._send(labelled)
        except Exception as error:  # noqa: BLE001 - the person has stopped the answer and wants no excuse
            self.turn.log.error("label not sent", cause=cause(error))

    @property
    def _may_sign(self) -> bool:
        """Dots are for the time in which there is nothing to read."""
        return self.sign is not None and self.shown is None

    async def _send(self, activity: Any) -> Any:
        return await self.turn.output.send(activity)

    async def _send_dots(self) -> None:
        try:
            response = await self._send(activities.typing())
        except Exception as error:  # noqa: BLE001 - dots are a courtesy; the answer reports what is broken
            self.turn.log.warning("typing not sent", cause=cause(error))
            self.sign = None
        else:
            if self.live:
                self.live.note_typing(response.id if response and response.id else "")

    async def _send_piece(self, live: Livestream, piece: Any, rendering: Rendering | None = None) -> None:
        sent = now()
        try:
            response = await self._send(piece)
        except Exception as error:  # noqa: BLE001 - a piece that is lost must not lose the answer
            self._handle_refusal(live, error, rendering)
        else:
            live.note_accepted(
                response.id if response else None, sent_at=sent, now=now(), rendering=rendering
            )

    def _handle_refusal(self, live: Livestream, error: Exception, rendering: Rendering | None) -> None:
        refusal = read_refusal(error)
        status = refusal.status if refusal else None
        self.turn.log.warning("piece refused", cause=cause(error), status=status)
        if refusal is None or refusal.is_too_large:
            live.muted = True
        elif refusal.is_stopped:
            self.silenced = True
        elif refusal.is_busy:
            live.note_busy(refusal, now=now(), rendering=rendering)
        else:
            self.live = None
