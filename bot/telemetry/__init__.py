"""What happens in the bot, as told to whoever listens: metrics and traces.

A room says ``emit(Duplicate(channel))`` of what happened, and ``with span(Ask()):`` of what takes its
time. It knows nobody who listens. Where nobody does, which is the default, both cost a look into a
context variable. Nothing that people wrote is ever told: no text, title, URL or name, and of ids
only as much as the log has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from contextvars import Context, ContextVar
from dataclasses import dataclass
from typing import Protocol

# What takes time.


@dataclass(frozen=True, slots=True)
class Turn:
    """An inbound activity that the guard has let in, until its request is answered.

    ``channel`` is the activity's own ``channelId``, which without credentials anybody may choose;
    ``conversation`` and ``activity`` are what the log has for their ids.
    """

    channel: str
    kind: str
    conversation: str
    activity: str


@dataclass(frozen=True, slots=True)
class Ask:
    """The source is being asked, from the question until its answer has ended."""


@dataclass(frozen=True, slots=True)
class Cite:
    """A finished answer becomes what its channel shows."""


@dataclass(frozen=True, slots=True)
class Send:
    """One activity is on its way to its channel, with all tries. ``kind`` is its type."""

    channel: str
    kind: str


Step = Turn | Ask | Cite | Send

# What has happened.


@dataclass(frozen=True, slots=True)
class Responded:
    """The request of a turn is answered with this HTTP status."""

    status: int


@dataclass(frozen=True, slots=True)
class FirstText:
    """The source has sent the first text of an answer, so many seconds after it was asked."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cited:
    """A finished answer has so many sources that it cites, of so many that were found."""

    citations: int
    references: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer has come to its end; ``seconds`` are from the question, ``ending`` is the log's."""

    channel: str
    ending: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Tried:
    """A channel was called once and answered with ``status``; None where it did not answer."""

    status: int | None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An activity came that was taken up before."""

    channel: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A turn was not taken up; ``reason`` is one of a few words of ours."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refreshed:
    """``access token`` or ``signing keys`` were fetched, or could not be."""

    what: str
    done: bool


@dataclass(frozen=True, slots=True)
class ProviderAsked:
    """A source elsewhere was asked; ``paused``: it is left alone for a while now."""

    paused: bool


@dataclass(frozen=True, slots=True)
class StateFailed:
    """The store could not be reached for ``step``; the bot goes on with its memory."""

    step: str


Event = (
    Responded
    | FirstText
    | Cited
    | Answered
    | Tried
    | Duplicate
    | Refused
    | Refreshed
    | ProviderAsked
    | StateFailed
)


class Listener(Protocol):
    """Somebody who wants to know: called on the event loop, so it takes microseconds and never raises."""

    def step(self, step: Step) -> AbstractContextManager[object]:
        """Entered where ``step`` begins and left where it ends; what is told in between belongs to it."""

    def hear(self, event: Event) -> None:
        """``event`` has happened."""


_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())


@contextlib.contextmanager
def subscribed(listeners: tuple[Listener, ...]) -> Iterator[None]:
    """Let ``listeners`` hear what is told within, in the tasks that are begun there too."""
    token = _listeners.set(listeners)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # an application may be ended by another task than began it
            _listeners.reset(token)


def detached_context() -> Context:
    """A context for what outlives its beginning: the listeners of here, and neither its step nor its ids."""
    context = Context()
    context.run(_listeners.set, _listeners.get())
    return context


def emit(event: Event) -> None:
    """Say that ``event`` has happened."""
    for listener in _listeners.get():
        listener.hear(event)


_UNHEARD: AbstractContextManager[None] = contextlib.nullcontext()


def span(begun: Step) -> AbstractContextManager[object]:
    """A context manager around the work that ``begun`` names."""
    listeners = _listeners.get()
    return _each(listeners, begun) if listeners else _UNHEARD


@contextlib.contextmanager
def _each(listeners: tuple[Listener, ...], begun: Step) -> Iterator[None]:
    with contextlib.ExitStack() as steps:
        for listener in listeners:
            steps.enter_context(listener.step(begun))
        yield
