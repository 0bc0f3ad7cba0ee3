"""Tracks the stream of one answer: what its channel has accepted, and when it accepts more.

Teams, "Stream bot messages": interims are numbered from 1, and each has the id that the first one was
given. Each begins with the text of the one before. One request a second is allowed, for two minutes in
all. Web Chat reads the same metadata, and shows each interim in place of the one before.
"""

from __future__ import annotations

import math
from typing import Any, Final

from citations import Rendering
from citations.channels import InterimMode

from ..config.timeouts import Timeouts
from ..connector import ChannelRefusal, activities
from ..resilience.clock import now

_TRIES: Final = 3
"""After this many refusals in a row by a busy channel, only the final is sent."""
_FULL_PACE: Final = 10_000
"""Characters up to which a replacing stream has its full pace. Each interim has the whole text, so that
longer ones come less often in proportion: their cost per second stays the same."""


class Livestream:
    """The state of a stream; without ``interim``, of one that the channel does not show.

    ``due`` is the time from which on the channel accepts the next activity. A stream that is ``kept_alive``
    says something again where there is nothing new. All times are those of the event loop's clock, in
    seconds.
    """

    def __init__(self, interim: InterimMode | None, timeouts: Timeouts, *, kept_alive: bool = False) -> None:
        self._kept_alive = kept_alive
        self._appends = interim is InterimMode.APPEND_ONLY
        self._timeouts = timeouts
        self._id = ""
        self._dots: str | None = None
        self._accepted = 0
        self._refused = 0
        self._begun = self._last = 0.0
        self.due = 0.0
        self.muted = interim is None
        """Whether only the final is still to be sent."""
        self.shown: Rendering | None = None
        """The last interim that the channel has accepted."""
        self.unsent: Rendering | None = None
        """The last interim if the channel was too busy for it, otherwise None."""

    @property
    def is_open(self) -> bool:
        """Whether the channel has accepted an activity, so that the stream needs its final."""
        return bool(self._id)

    @property
    def replaceable_id(self) -> str:
        """The id of the stream's message, if the whole answer may take its place; empty otherwise.

        Teams: "no streaming window applies to plain edits". In Copilot nothing says that a message can be
        edited.
        """
        return self._id if self._appends and not self._kept_alive else ""

    def id_after(self, refusal: ChannelRefusal) -> str:
        """The :attr:`replaceable_id`; empty for a person who gets no streams, and has no message of one."""
        return "" if refusal.forbids_streams else self.replaceable_id

    @property
    def takes_interim(self) -> bool:
        """Whether the channel takes an interim now."""
        return not self.muted and now() >= self.due

    @property
    def shows_dots(self) -> bool:
        """Whether the channel shows dots. Teams shows an informative update until there is text."""
        return not self._appends

    @property
    def needs_dots(self) -> bool:
        """Whether typing dots must come before the first interim.

        Web Chat 4.18 sorts an interim with a ``streamSequence`` but no ``streamId`` before all similar
        ones. A second answer would stand above the first. The dots have neither. So they
        begin the stream, and their id is its ``streamId`` from the first interim on.
        """
        return not (self._appends or self._dots is not None or self._id)

    @property
    def deadline(self) -> float:
        """The time by which the stream must have its final; infinite where there is no limit."""
        return self._begun + self._timeouts.stream_limit if self._appends and self.is_open else math.inf

    @property
    def next_due(self) -> float:
        """The next time at which there is something to send without any event; infinite if there is none."""
        end = min(self.deadline, self._silent_until)
        return end if self.muted or self.takes_interim else min(self.due, end)

    @property
    def is_idle(self) -> bool:
        """Whether the channel would give up on the stream soon: Copilot does so after 45 s of silence."""
        return now() >= self._silent_until

    @property
    def _silent_until(self) -> float:
        kept = self._kept_alive and self.is_open and not self.muted
        return self._last + self._timeouts.kept_alive if kept else math.inf

    def note_typing(self, activity_id: str) -> None:
        """Note that the channel has got typing dots, and given them this id; empty if it gave none."""
        self._dots = self._dots or activity_id

    def note_begun(self) -> None:
        """Note that the stream's first activity is on its way, under the id of the dots if they have one."""
        self._id = self._id or self._dots or ""

    def build_informative(self, text: str) -> Any:
        """Build an informative update, for the time before the first interim."""
        return activities.informative(text[:1000], self._build_metadata("informative"))

    def build_interim(self, rendering: Rendering) -> Any:
        """Build the next interim."""
        return activities.interim(rendering, self._build_metadata("streaming"))

    def build_final(self, message: Any) -> Any:
        """``message`` as the stream's final, or unchanged where the stream has not begun."""
        if not self.is_open:
            return message
        # Teams: "streamSequence: must not be set on the final".
        return activities.final(message, {"streamType": "final", "streamId": self._id})

    def note_accepted(self, activity_id: str, sent_at: float, rendering: Rendering | None) -> None:
        """Note that the channel has accepted the activity sent at ``sent_at``, and given it this id."""
        if not self._id:
            # Without an id, the next interim can't be assigned to the stream, so only the final is sent.
            self._id = self._dots or activity_id
            self._begun, self.muted = sent_at, not self._id
        self._accepted += 1
        self._last = sent_at
        self._refused = 0
        self.shown = rendering or self.shown
        self.unsent = None
        # The response is later than the arrival, so the next interim never arrives too soon.
        self.delay()

    def delay(self) -> None:
        """Delay the next interim, since an activity was sent in the conversation just now."""
        length = len(self.shown.text) if self.shown else 0
        replaced_every = self._timeouts.replaced_every * max(1, length / _FULL_PACE)
        self.due = now() + (self._timeouts.extended_every if self._appends else replaced_every)

    def note_busy(self, refusal: ChannelRefusal, rendering: Rendering | None) -> None:
        """Note that the channel is busy. The same number is sent again later, with the newest text."""
        self.unsent = rendering
        self._refused += 1
        self._last = now()
        self.muted = self.muted or self._refused >= _TRIES
        self.due = now() + self._timeouts.pause_after(refusal.retry_after)

    def _build_metadata(self, kind: str) -> dict[str, str | int]:
        metadata: dict[str, str | int] = {"streamType": kind, "streamSequence": self._accepted + 1}
        stream_id = self._id or self._dots
        return {**metadata, "streamId": stream_id} if stream_id else metadata
