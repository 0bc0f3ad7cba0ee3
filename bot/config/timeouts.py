"""The timeouts of a turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """The timeouts and intervals of a turn, in seconds."""

    budget: float = 12.0
    """For the response to a request. Channels give up after 15 s, and Teams then retries the activity."""
    patience: float = 120.0
    """For the first delta of an answer, and for each further one."""
    longest: float = 600.0
    """For a whole answer, including the part that is sent after the request."""
    typing_after: float = 0.4
    """Before the typing indicator is sent."""
    typing_every: float = 3.0
    """Between two typing indicators. Web Chat hides one after 5 s."""
    replaced_every: float = 0.1
    """Between two interims of a replacing stream. Ten a second look fluent."""
    extended_every: float = 1.5
    """Between two requests of a stream in Teams, which refuses more than one a second. It recommends
    1.5 to 2 s."""
    stream_limit: float = 100.0
    """For a stream in Teams, from its first request on. Teams ends a stream after two minutes."""
    kept_alive: float = 30.0
    """Between two activities of a stream in Copilot, which gives up on one that says nothing for 45 s."""
    sending: float = 10.0
    """For an activity to a channel, with all tries."""
    following: float = 120.0
    """For the retries of an activity that is sent after the request, when no caller gets an error."""
    pause: float = 2.0
    """Before a retry where a channel is busy and sends no ``Retry-After``."""
    longest_pause: float = 30.0
    """For such a pause, even if ``Retry-After`` is longer."""
    lease: float = 10.0
    """Without a heartbeat, after which a replica counts as dead and another one takes over its question."""
    farewell: float = 2.0
    """Of the time for shutdown, for the sentence that an answer was interrupted."""

    def pause_after(self, retry_after: float | None) -> float:
        """The pause before a retry: ``retry_after``, within :attr:`longest_pause`."""
        return min(self.pause if retry_after is None else retry_after, self.longest_pause)
