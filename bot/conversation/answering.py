"""One answer on its way into one conversation: live where the channel streams, else whole."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from structlog.stdlib import BoundLogger

from citations import Problem, Rendering

from ..config.timeouts import Timeouts
from ..connector import MaybeSent, activities
from ..resilience.clock import now
from ..resilience.ticks import OneStepPerTick
from ..telemetry import Answered, emit
from ..telemetry.log import cause
from .continuation import COMES_LATER, first_part, second_part
from .feedback import Ballot
from .final import send_each, send_final
from .last_answer import RememberedAnswer, remember
from .livestream import Livestream
from .outcome import CLOSING, CRASHED, STOPPED, Outcome
from .queue import Ticket
from .reading import Reading
from .showing import Showing
from .turns import TurnOutput


@dataclass(slots=True, kw_only=True, eq=False)
class Answering:
    """Says what a source answers: what ``showing`` shows of it while it is read, and then one final.

    ``remember`` is awaited once, before the final is sent. One activity is on its way at a time:
    none overtakes another, and none follows the final.
    """

    output: TurnOutput
    place: Ticket
    """The question's; until it is reached, the source is not asked."""
    reading: Reading
    showing: Showing
    remember: Callable[[RememberedAnswer], Awaitable[None]]
    undelivered: Callable[..., Awaitable[None]]
    """Keeps messages that nobody could be told of; ``unsure`` says whether they may have arrived."""
    ballot: Ballot | None
    """Where votes on the answer go; None where nobody is asked."""
    timeouts: Timeouts
    ticks: OneStepPerTick
    """Those in which texts are rendered."""
    log: BoundLogger
    at_once: int | None = None
    """How many messages the channel gets of an answer; the others are remembered, for who asks for more."""
    _begun: float = field(init=False)
    _first_part: str = ""
    """What the answer said in a stream that was over before the answer was."""
    _problems: tuple[Problem, ...] = ()
    _unsaid: tuple[list[Any], bool] = ([], False)
    """The messages that did not arrive, and whether one of them may have."""

    def __post_init__(self) -> None:
        self._begun = now()

    def stop(self, ending: Outcome) -> None:
        """End the answer here: what came of it is said, with the line of ``ending`` below."""
        self.reading.stop(ending)

    async def keep(self) -> None:
        """Keep what could not be said, and of which nobody could be told."""
        messages, unsure = self._unsaid
        if not messages:
            return
        try:
            await self.undelivered(messages, unsure=unsure)
        except Exception as error:  # noqa: BLE001 - nobody is above to hear of it
            self.log.error("answer lost", cause=cause(error))
        else:
            self.log.warning("answer kept for the next turn", unsure=unsure)

    async def say(self) -> None:
        """Say the answer to its end. Raises what the SDK raises where the final could not be sent."""
        try:
            while stream := await self.showing.show():
                await self._part(stream)
        except asyncio.CancelledError:
            self.reading.stop(CLOSING)
            self._close()
            await self._conclude(self._shown, CLOSING)
            raise
        await self._finish()

    async def _part(self, live: Livestream) -> None:
        """End the stream before its channel does, with what the person has read of the answer."""
        newest = await self.showing.interim(live) or live.shown
        if newest is None:
            await self._send_final(activities.sentence(COMES_LATER))
        else:
            labelled = replace(newest, entities=self._graph(newest))
            part, self._first_part = first_part(labelled, live.shown)
            await self._send_final(activities.answer(part))
        if not self.showing.silenced:
            self.showing.end_stream()

    def _graph(self, newest: Rendering) -> tuple[dict[str, object], ...]:
        try:
            return self.reading.graph()
        except Exception as error:  # noqa: BLE001 - the second part has the labels too
            self.log.error("labels failed", cause=cause(error))
            return newest.entities

    async def _finish(self) -> None:
        await self.ticks.next()
        rendering, ending = self._close()
        self.place.send()
        if not await self.output.ours():
            return  # what is remembered of it is the other's
        if not self.showing.silenced:
            messages = self._messages(rendering, ending)
            rest = rendering.parts[len(messages) :] if rendering else ()
            await self._conclude(rendering.text if rendering else self._shown, ending, rest)
            await self._send_all(messages, rendering, ending)
        else:
            await self._conclude(self._shown, STOPPED)
        if self.showing.silenced:
            await self._label_what_was_shown(rendering)

    def _messages(self, rendering: Rendering | None, ending: Outcome | None) -> list[Any]:
        if rendering is None:
            return [activities.sentence((ending or CRASHED).spoken)]
        if self._first_part:
            return [activities.answer(second_part(rendering, self._first_part))]
        return activities.messages(rendering)[: self.at_once]

    async def _send_all(self, messages: list[Any], whole: Rendering | None, ending: Outcome | None) -> None:
        """Send ``messages``. Raises what went wrong with the first, and :class:`MaybeSent`.

        The question isn't asked again where a later one fails: what was sent would come twice.
        """
        try:
            sent, error = await send_each(self._send_final, messages)
        except asyncio.CancelledError:  # the end of the process, which waited as long as it could
            self._unsaid = (messages, True)
            await self.keep()
            raise
        if error:
            self.log.error("message not sent", cause=cause(error), sent=sent, of=len(messages))
            self._unsaid = (messages[sent:] or messages, isinstance(error, MaybeSent))
        if error and not sent:
            raise error
        if whole and sent < len(messages):
            await self._remember(whole.text, ending, whole.parts[sent:])
        if isinstance(error, MaybeSent):
            raise error

    def _close(self) -> tuple[Rendering | None, Outcome | None]:
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
        shown = self.showing.live.shown if self.showing.live else None
        return shown.text if shown else self._first_part

    async def _conclude(self, text: str, ending: Outcome | None, rest: tuple[str, ...] = ()) -> None:
        """Remember what the person has, which is ``text``, and log how it came about."""
        cited = self.reading.cited
        seconds, how = round(now() - self._begun, 3), ending.name if ending else "complete"
        emit(Answered(self.output.context.activity.channel_id, how, seconds))
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

    async def _remember(self, text: str, ending: Outcome | None, rest: tuple[str, ...]) -> None:
        """Remember what the person has, and what of its messages were not sent."""
        cited = self.reading.cited
        if cited is None:
            return
        try:
            await self.remember(replace(remember(text, cited, interrupted=ending is not None), rest=rest))
        except Exception as error:  # noqa: BLE001 - an answer that can't be remembered can be said
            self.log.error("answer not remembered", cause=cause(error))

    async def _send_final(self, message: Any) -> None:
        send = functools.partial(self.ballot.send, self._send) if self.ballot else self._send
        if not await send_final(send, message, self.showing.live, self.timeouts):
            self.showing.silence()
            if self._shown:
                await self._remember(self._shown, STOPPED, ())

    async def _send(self, activity: Any) -> Any:
        return await self.output.send(activity)
