"""One answer's stream in one conversation: what its channel has taken, and when it takes more.

Teams, "Stream bot messages": pieces are numbered from 1, each carries the id that the first was
given, and each begins with the text of the last; one request a second, two minutes in all. Web Chat
takes the same metadata, and each piece in the place of the last.
"""

from __future__ import annotations

from typing import Any, Final

from citations import Rendering
from citations.channels import InterimMode

from ..config.timeouts import Timeouts
from ..connector import activities
from .channel_refusal import ChannelRefusal

_TRIES: Final = 3
"""Interims in a row that a busy channel may refuse; after them only the final is sent."""


class Livestream:
    """What a channel has taken of a stream; all times are those of the event loop's clock, in seconds.

    ``due`` is the time from which on the channel takes the next activity.
    """

    def __init__(self, interim: InterimMode, timeouts: Timeouts) -> None:
        self._extends = interim is InterimMode.APPEND_ONLY
        self._timeouts = timeouts
        self._id = ""
        self._dots = ""
        self._taken = 0
        self._refused = 0
        self._begun = 0.0
        self.due = 0.0
        self.muted = False
        """Whether no more interims are sent, and only the final is."""
        self.shown: Rendering | None = None
        """The last interim that the channel has taken."""
        self.unsent: Rendering | None = None
        """The last interim, where the channel was too busy to take it."""

    @property
    def is_open(self) -> bool:
        """Whether the channel has taken anything, so that the stream needs its final."""
        return bool(self._id)

    @property
    def shows_informative(self) -> bool:
        """Whether the person sees an informative update; Web Chat 4.18 shows dots for it."""
        return self._extends

    @property
    def needs_dots(self) -> bool:
        """Whether typing dots have to come before the first piece.

        Web Chat 4.18 puts a piece with a ``streamSequence`` and no ``streamId`` before the first of
        all that are like it: the second answer stands above the first. So the dots, which have
        neither, begin the stream, and their id is its ``streamId`` from the first piece on.
        """
        return not (self._extends or self._dots or self._id)

    @property
    def deadline(self) -> float | None:
        """The time by which the stream must have its final; None where there is no such limit."""
        return self._begun + self._timeouts.stream_limit if self._extends and self.is_open else None

    def note_typing(self, activity_id: str) -> None:
        """The channel has taken typing dots, and answered with this id."""
        self._dots = self._dots or activity_id

    def build_informative(self, text: str) -> Any:
        """An update for the time before the first interim."""
        return activities.informative(text[:1000], self._metadata("informative"))

    def build_interim(self, rendering: Rendering) -> Any:
        """The next piece."""
        return activities.interim(rendering, self._metadata("streaming"))

    def build_final(self, message: Any) -> Any:
        """``message`` as this stream's end, or as it is where nothing was sent before it."""
        if not self.is_open:
            return message
        # Teams: "streamSequence: must not be set on the final".
        return activities.final(message, {"streamType": "final", "streamId": self._id})

    def note_accepted(
        self, activity_id: str | None, sent: float, now: float, rendering: Rendering | None = None
    ) -> None:
        """The channel has taken what was sent at ``sent``, and answered with this id."""
        if not self._id:
            # Without its id there is no telling the channel what the next piece belongs to.
            self._id = self._dots or activity_id or ""
            self._begun, self.muted = sent, not self._id
        self._taken += 1
        self._refused = 0
        self.shown = rendering or self.shown
        self.unsent = None
        # The answer is later than the arrival, so that however long the way is, nothing arrives too soon.
        self.delay(now)

    def delay(self, now: float) -> None:
        """Something was sent in the conversation at ``now``: the channel takes the next piece later."""
        self.due = now + (self._timeouts.extended_every if self._extends else self._timeouts.replaced_every)

    def note_busy(self, refusal: ChannelRefusal, *, now: float, rendering: Rendering | None) -> None:
        """The channel is busy: the same number is sent again, with the newest text."""
        self.unsent = rendering
        self._refused += 1
        self.muted = self.muted or self._refused >= _TRIES
        self.due = now + self._timeouts.pause_after(refusal.retry_after)

    def _metadata(self, kind: str) -> dict[str, str | int]:
        metadata: dict[str, str | int] = {"streamType": kind, "streamSequence": self._taken + 1}
        stream_id = self._id or self._dots
        return {**metadata, "streamId": stream_id} if stream_id else metadata
