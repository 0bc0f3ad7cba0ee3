"""How long things may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long things may take, in seconds."""

    budget: float = 12.0
    """Within the request. Channels give up after 15 s, and Teams then sends the activity again."""
    patience: float = 120.0
    """For the first piece of an answer, and then for each next one."""
    longest: float = 600.0
    """For a whole answer, follow-up included."""
    typing_after: float = 0.4
    """A quicker answer comes without dots."""
    typing_every: float = 3.0
    """Web Chat takes the dots away after 5 s."""
    replaced_every: float = 0.1
    """Between two interims where each takes the place of the last: ten a second are fluent to the eye."""
    extended_every: float = 1.5
    """Between two requests of a stream in Teams, which refuses more than one a second and recommends
    1.5 to 2 s."""
    stream_limit: float = 100.0
    """For a stream in Teams, from its first request on: Teams ends it after two minutes."""
    sending: float = 10.0
    """For what is sent to a channel, with all its tries."""
    following: float = 120.0
    """For what follows a request and isn't taken: nobody is there any more who could be told so."""
    pause: float = 2.0
    """Before another try where a channel is busy and doesn't say for how long."""
    longest_pause: float = 30.0
    """For such a pause, whatever the channel says."""
    lease: float = 10.0
    """Without a sign of life, until a replica that has taken up a question counts as dead."""
    farewell: float = 2.0
    """Of a drain's time, for the line that says that an answer was interrupted."""

    def pause_after(self, wished: float | None) -> float:
        """How long to wait before the same is sent again: as long as the channel says, within reason."""
        return min(self.pause if wished is None else wished, self.longest_pause)
