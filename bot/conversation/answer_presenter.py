"""The presenter of one answer: it sends all that the person sees of it to the channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from citations import Rendering

from ..connector import ChannelRefusal, ConnectorError, MaybeSent, activities
from ..resilience.clock import now
from ..telemetry.log import cause
from .feedback import Ballot
from .final_message import send_final
from .livestream import Livestream
from .question_turn import QuestionTurn

UPDATED: Final = frozenset({"webchat", "directline", "msteams"})
"""The channels that are asked for an update of a message. Teams and the bot's own page show one. Azure's
Direct Line refuses it with 405 (microsoft/botframework-sdk#4734). The Emulator stores it, and shows nothing.
"""

_SPARSEST: Final = 4
"""Signs of a question that waits come after 3, 6 and 12 s, and each 12 s from then on."""


@dataclass(slots=True, kw_only=True, eq=False)
class AnswerPresenter:
    """Sends typing signs, interims and the final of one answer, one activity at a time.

    The response to a sign alone may come behind the final, which waits for none.

    ``live`` is the stream in the channel; another one takes its place when it is over. ``sign`` says what
    is being done, as the text of an informative update. It is empty until the source is asked, and None
    where the channel shows no signs. ``ballot`` takes the votes on the answer, None where none are asked for.
    All times are seconds of the event loop's clock.
    """

    turn: QuestionTurn
    live: Livestream
    sign: str | None
    ballot: Ballot | None
    sent: list[Any] = field(default_factory=list, init=False)
    """The messages that have arrived, each with the id that the channel has given it."""
    silenced: bool = False
    """Whether the person has pressed the channel's own Stop. Nothing more is said then."""
    rest: Any = None
    """What is sent behind a stream that is over, if the whole answer can't take its place."""
    _left: str = field(default="", init=False)
    """The id of the message of a stream that is over, which the whole answer is to replace."""
    _sign_due: float = field(init=False)
    _last_sign: str | None = field(default=None, init=False)
    """The sign that was sent last."""
    _sparseness: int = field(default=1, init=False)
    """How many times as long as usual it is until the next sign."""

    def __post_init__(self) -> None:
        self._sign_due = now() + self.turn.timeouts.typing_after

    @property
    def sign_is_due(self) -> bool:
        """Whether a sign of life is to be sent now."""
        return self._may_sign and now() >= self._sign_due

    @property
    def next_due(self) -> float:
        """The next time at which there is something to send without any event; infinite if there is none."""
        return min(self._sign_due, self.live.next_due) if self._may_sign else self.live.next_due

    def change_sign(self, sign: str) -> None:
        """Change what is being done. The person is told if it takes long, and the channel shows signs."""
        if sign in ("", self.sign) or self.sign is None:
            return
        self.sign, self._sparseness = sign, 1
        # Text that comes soon must not wait until the channel takes something again.
        soon = now() + self.turn.timeouts.typing_after
        self._sign_due = min(self._sign_due, max(soon, self.live.due))

    def end_stream(self) -> None:
        """The stream has its final: what follows is whole, and takes its place where that is allowed."""
        self._left = self.live.replaceable_id
        self.live = Livestream(None, self.turn.timeouts)
        self._sign_due = now() + self.turn.timeouts.typing_every

    async def send_interim(self, rendering: Rendering) -> None:
        """Send the text so far, or what must come before it: one activity, for which a final may wait.

        A channel that refuses it does not lose the answer.
        """
        if self.live.needs_dots:
            self.live.unsent = rendering
            await self._send_dots()
        else:
            await self._send_piece(self.live.build_interim(rendering), rendering)

    async def send_again(self) -> None:
        """Send the last activity of the stream again, so that the channel does not give up on it."""
        shown = self.live.shown
        piece = (
            self.live.build_interim(shown) if shown else self.live.build_informative(self._last_sign or "")
        )
        await self._send_piece(piece, shown)

    async def send_sign(self) -> None:
        """Send a sign that the answer is being worked on, or say what is being done: one activity.

        While the question waits for its turn, signs come less and less often. Where many wait, those have
        none, and the signs of the others become sparse, too.
        """
        ticket, live = self.turn.ticket, self.live
        self._sign_due = now() + self.turn.timeouts.typing_every * self._sparseness
        if not ticket.granted or ticket.is_in_crowd:
            self._sparseness = min(2 * self._sparseness, _SPARSEST)
        if ticket.is_in_crowd and not ticket.granted:
            return
        # Teams refuses a stream that begins while the conversation's last one is open.
        may_tell = ticket.granted and live.takes_interim
        if live.needs_dots or (live.shows_dots and not may_tell):
            await self._send_dots()
            if may_tell:
                self._sign_due = now()  # what is being done comes next, unless the answer does
        # Web Chat hides the dots of an informative update, as any, after 5 s. Teams shows its text.
        elif may_tell and self.sign and (live.shows_dots or self.sign != self._last_sign):
            self._last_sign = self.sign
            live.note_begun()
            await self._send_piece(live.build_informative(self.sign))

    async def send_final(self, message: Any) -> None:
        """Send ``message`` as the end of the stream, or by itself where there is none.

        Raises :class:`ConnectorError` where it could not be sent.
        """
        left, self._left = self._left, ""
        if await self._replace(left, message):
            return
        message, self.rest = self.rest or message, None
        send = self._send_message
        if not await send_final(send, message, self.live, self.turn.timeouts, self._replace):
            self.silenced = True

    async def _replace(self, stream_id: str, message: Any) -> bool:
        """Put ``message`` in the place of a stream's; False without an id, or where that is refused."""
        if not stream_id:
            return False
        replacement = activities.replacement(message, stream_id)

        async def update(_: Any) -> str:
            await self.turn.output.update(replacement)
            return stream_id

        try:
            await (self.ballot.send(update, replacement) if self.ballot else update(replacement))
        except ChannelRefusal as error:
            self.turn.log.warning("stream not replaced", cause=cause(error), status=error.status)
            return False
        self.sent = [replacement]
        return True

    async def update(self, rendering: Rendering) -> bool:
        """Show ``rendering`` in the place of the answer's message. False where the person can't see that.

        A message of a forgotten conversation does not come back. What may have arrived is not told again.
        """
        asked, sent, log = self.turn.activity, self.sent, self.turn.log
        may_update = asked.channel_id in UPDATED and asked.delivery_mode != "expectReplies"
        if not (may_update and self.ballot and len(sent) == 1 and sent[0].id) or rendering.parts:
            return False
        if not await self.ballot.is_open():
            log.info("doubts dropped")
            return True
        in_stream = asked.channel_id != "msteams"
        try:
            await self.turn.output.update(activities.update(sent[0], rendering, in_stream=in_stream))
        except ConnectorError as error:
            log.warning("message not updated", cause=cause(error))
            return isinstance(error, MaybeSent)
        return True

    async def _send_message(self, message: Any) -> str:
        send = self.turn.output.send
        sent_id = await (self.ballot.send(send, message) if self.ballot else send(message))
        # Teams gives the final of a stream no id: it is the stream's.
        message.id = sent_id or (message.channel_data or {}).get("streamId", "")
        self.sent.append(message)
        return sent_id

    async def send_label(self, text: str, rendering: Rendering) -> None:
        """Send the sensitivity label of what was shown, where there is one and no final has it.

        Teams takes a label with a final only.
        """
        labelled = activities.label_alone(text, rendering)
        if labelled is None:
            return
        try:
            await self.turn.output.send(labelled)
        except Exception as error:  # noqa: BLE001 - the person has stopped the answer and wants no excuse
            self.turn.log.error("label not sent", cause=cause(error))

    @property
    def _may_sign(self) -> bool:
        """Dots are for the time in which there is nothing to read."""
        return self.sign is not None and self.live.shown is None

    async def _send_dots(self) -> None:
        try:
            self.live.note_typing(await self.turn.output.send(activities.typing()))
        except Exception as error:  # noqa: BLE001 - dots are a courtesy; the answer reports what is broken
            self.turn.log.warning("typing not sent", cause=cause(error))
            self.live.note_typing("")
            self.sign = None

    async def _send_piece(self, piece: Any, rendering: Rendering | None = None) -> None:
        sent_at = now()
        try:
            activity_id = await self.turn.output.send(piece)
        except Exception as error:  # noqa: BLE001 - a piece that is lost must not lose the answer
            self._handle_refusal(error, rendering)
        else:
            self.live.note_accepted(activity_id, sent_at, rendering)

    def _handle_refusal(self, error: Exception, rendering: Rendering | None) -> None:
        refusal = error if isinstance(error, ChannelRefusal) else None
        status = refusal.status if refusal else None
        self.turn.log.warning("piece refused", cause=cause(error), status=status)
        if refusal is None or refusal.is_too_large:
            self.live.muted = True
        elif refusal.is_stopped:
            self.silenced = True
        elif refusal.is_busy:
            self.live.note_busy(refusal, rendering)
        else:
            self._left = self.live.id_after(refusal)
            self.live = Livestream(None, self.turn.timeouts)
