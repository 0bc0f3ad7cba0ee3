"""One answer on its way into one conversation: live where the channel streams, else whole."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from structlog.stdlib import BoundLogger

from citations import Problem, Rendering

from .. import activities
from ..connector import MaybeSent
from ..follow_up.remembered import RememberedAnswer, remembered
from ..log import cause
from ..observed import Answered, tell
from ..pace import Pace
from ..rounds import Rounds
from ..votes import Ballot
from .admission import Place
from .channel_refusal import read_refusal
from .continued import COMES_LATER, first_part, second_part
from .ending import CLOSING, CRASHED, STOPPED, Ending
from .final import send_each, send_final
from .livestream import Livestream
from .reading import Reading
from .turns import Floor


@dataclass(slots=True, kw_only=True, eq=False)
class Answering:
    """Says what a source answers: signs of life, interims as the channel takes them, one final.

    ``remember`` is awaited once, before the final is sent. One activity is on its way at a time:
    none overtakes another, and none follows the final.
    """

    floor: Floor
    place: Place
    """The question's; until it is reached, the source is not asked."""
    reading: Reading
    live: Livestream | None
    """None where the answer is said whole, from the beginning or since the channel refused the stream."""
    sign: str | None
    """What the bot is doing before there is text; None where the channel shows no such sign."""
    remember: Callable[[RememberedAnswer], Awaitable[None]]
    ballot: Ballot | None
    """Where votes on the answer go; None where nobody is asked."""
    pace: Pace
    rounds: Rounds
    """Those in which texts are rendered."""
    log: BoundLogger
    at_once: int | None = None
    """How many messages the channel gets of an answer; the others are remembered, for who asks for more."""
    _begun: float = field(init=False)
    _sign_due: float = field(init=False)
    _first_part: str = ""
    """What the answer said in a stream that was over before the answer was."""
    _silenced: bool = False
    """Whether the person has pressed the channel's own Stop, after which nothing more is said."""
    _problems: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        self._begun = now()
        self._sign_due = self._begun + self.pace.typing_after

    def stop(self, ending: Ending) -> None:
        """End the answer here: what came of it is said, with the line of ``ending`` below."""
        self.reading.stop(ending)

    async def say(self) -> None:
        """Say the answer to its end. Raises what the SDK raises where the final could not be sent."""
        try:
            await self._show()
        except asyncio.CancelledError:
            self.reading.stop(CLOSING)
            self._closed()
            await self._conclude(self._shown, CLOSING)
            raise
        await self._finish()

    # Before the final

    async def _show(self) -> None:
        while not self.reading.ended.is_set():
            if self.live and self.live.limit is not None and now() >= self.live.limit:
                await self._part(self.live)
            elif self.live and self._listens() and (rendering := await self._interim(self.live)):
                if self.live.needs_dots:
                    await self._dots()
                await self._send_piece(self.live, self.live.interim(rendering), rendering)
            elif self.sign and self._may_sign() and now() >= self._sign_due:
                await self._sign(self.sign)
            else:
                await self._wait()

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

    async def _interim(self, live: Livestream) -> Rendering | None:
        await self.rounds.next()
        if self.reading.ended.is_set():
            return None  # the final has it
        try:
            return self.reading.interim() or live.unsent
        except Exception as error:  # noqa: BLE001 - the final doesn't depend on it
            self.log.error("interim failed", cause=cause(error))
            live.muted = True
            return None

    async def _sign(self, sign: str) -> None:
        self._sign_due = now() + self.pace.typing_every
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
            response = await self._send(activities.typing())
        except Exception as error:  # noqa: BLE001 - the dots are a courtesy; the answer reports what is broken
            self.log.warning("typing not sent", cause=cause(error))
            self.sign = None
        else:
            if self.live:
                self.live.dotted(response.id if response and response.id else "")

    async def _send_piece(self, live: Livestream, piece: Any, rendering: Rendering | None = None) -> None:
        sent = now()
        try:
            response = await self._send(piece)
        except Exception as error:  # noqa: BLE001 - a piece that is lost must not lose the answer
            self._piece_refused(live, error, rendering)
        else:
            live.take(response.id if response else None, sent=sent, now=now(), rendering=rendering)

    def _piece_refused(self, live: Livestream, error: Exception, rendering: Rendering | None) -> None:
        refusal = read_refusal(error)
        self.log.warning("piece refused", cause=cause(error), status=refusal.status if refusal else None)
        if refusal is None or refusal.too_large:
            live.muted = True
        elif refusal.stopped:
            self._silence()
        elif refusal.busy:
            live.wait(refusal, now=now(), rendering=rendering)
        else:
            self.live = None

    def _silence(self) -> None:
        self._silenced = True
        self.reading.stop(STOPPED)

    async def _part(self, live: Livestream) -> None:
        """End the stream before its channel does, with what the person has read of the answer."""
        newest = await self._interim(live) or live.shown
        if newest is None:
            await self._send_final(activities.sentence(COMES_LATER))
        else:
            labelled = replace(newest, entities=self._graph(newest))
            part, self._first_part = first_part(labelled, live.shown)
            await self._send_final(activities.answer(part))
        if not self._silenced:
            self.live = None
            self._sign_due = now() + self.pace.typing_every

    def _graph(self, newest: Rendering) -> tuple[dict[str, object], ...]:
        try:
            return self.reading.graph()
        except Exception as error:  # noqa: BLE001 - the second part has the labels too
            self.log.error("labels failed", cause=cause(error))
            return newest.entities

    # The final

    async def _finish(self) -> None:
        await self.rounds.next()
        rendering, ending = self._closed()
        self.place.send()
        if not self._silenced:
            messages = self._messages(rendering, ending)
            rest = rendering.parts[len(messages) :] if rendering else ()
            await self._conclude(rendering.text if rendering else self._shown, ending, rest)
            await self._send_all(messages, rendering, ending)
        else:
            await self._conclude(self._shown, STOPPED)
        if self._silenced:
            await self._label_what_was_shown(rendering)

    def _messages(self, rendering: Rendering | None, ending: Ending | None) -> list[Any]:
        if rendering is None:
            return [activities.sentence((ending or CRASHED).spoken)]
        if self._first_part:
            return [activities.answer(second_part(rendering, self._first_part))]
        return activities.messages(rendering)[: self.at_once]

    async def _send_all(self, messages: list[Any], whole: Rendering | None, ending: Ending | None) -> None:
        """Send ``messages``. Raises what went wrong with the first, and :class:`MaybeSent`.

        The question isn't asked again where a later one fails: what was sent would come twice.
        """
        sent, error = await send_each(self._send_final, messages)
        if error:
            self.log.error("message not sent", cause=cause(error), sent=sent, of=len(messages))
        if error and not sent:
            raise error
        if whole and sent < len(messages):
            await self._remember(whole.text, ending, whole.parts[sent:])
        if isinstance(error, MaybeSent):
            raise error

    def _closed(self) -> tuple[Rendering | None, Ending | None]:
        """All that there is to say, and why there isn't more."""
        try:
            rendering = self.reading.close()
        except Exception as error:  # noqa: BLE001 - a person is waiting for a word
            self.log.error("answer failed", cause=cause(error))
            return None, CRASHED
        self._problems = rendering.problems if rendering else ()
        return rendering if rendering and rendering.text.strip() else None, self.reading.ending

    async def _label_what_was_shown(self, rendering: Rendering | None) -> None:
        """Say how sensitive it is: Teams takes a label with a final only, and there is none now."""
        labelled = activities.label_alone(STOPPED.notice, rendering) if rendering else None
        if labelled is None:
            return
        try:
            await self._send(labelled)
        except Exception as error:  # noqa: BLE001 - an excuse now would be the message that nobody wants
            self.log.error("label not sent", cause=cause(error))

    @property
    def _shown(self) -> str:
        shown = self.live.shown if self.live else None
        return shown.text if shown else self._first_part

    async def _conclude(self, text: str, ending: Ending | None, rest: tuple[str, ...] = ()) -> None:
        """Remember what the person has, which is ``text``, and log how it came about."""
        cited = self.reading.cited
        seconds, how = round(now() - self._begun, 3), ending.name if ending else "complete"
        tell(Answered(self.floor.context.activity.channel_id, how, seconds))
        if not text or cited is None:
            self.log.warning("not answered", seconds=seconds, ending=how)
            return
        self.log.info(
            "answered",
            seconds=seconds,
            characters=len(text),
            citations=len(cited.citations),
            references=len(cited.references),
            problems=sorted({problem.code for problem in self._problems}),
            ending=how,
        )
        await self._remember(text, ending, rest)

    async def _remember(self, text: str, ending: Ending | None, rest: tuple[str, ...]) -> None:
        """Remember what the person has, and what of its messages were not sent."""
        cited = self.reading.cited
        if cited is None:
            return
        try:
            await self.remember(replace(remembered(text, cited, interrupted=ending is not None), rest=rest))
        except Exception as error:  # noqa: BLE001 - an answer that can't be remembered can be said
            self.log.error("answer not remembered", cause=cause(error))

    async def _send_final(self, message: Any) -> None:
        send = functools.partial(self.ballot.send, self._send) if self.ballot else self._send
        if not await send_final(send, message, self.live, self.pace):
            self._silence()
            if self._shown:
                await self._remember(self._shown, STOPPED, ())

    async def _send(self, activity: Any) -> Any:
        return await self.floor.send(activity)


def now() -> float:
    """The event loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


async def set_within(event: asyncio.Event, seconds: float | None) -> bool:
    """Whether ``event`` is set within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
