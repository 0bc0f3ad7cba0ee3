"""The bot's telemetry: events and spans, and the listeners that turn them into metrics and traces.

A package calls ``emit(Duplicate(channel))`` for an event, and ``with span(Ask()):`` around an operation.
It doesn't know the listeners. Without any, which is the default, both cost one look-up of a context
variable. Telemetry contains nothing that people wrote: no text, title, URL or name. Of ids it has
only what the log has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from contextvars import Context, ContextVar
from dataclasses import dataclass
from typing import Protocol

# Operations, which take time.


@dataclass(frozen=True, slots=True)
class Turn:
    """The request of an inbound activity, from the guard to the response.

    ``channel`` is the activity's ``channelId``. Without credentials any sender can choose it.
    ``conversation`` and ``activity`` are the log's pseudonyms of their ids.
    """

    channel: str
    kind: str
    conversation: str
    activity: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One answer of the answer source, from the question to the end of the answer."""


@dataclass(frozen=True, slots=True)
class Cite:
    """The rendering of a finished answer."""


@dataclass(frozen=True, slots=True)
class Send:
    """The sending of one activity to its channel, with all tries. ``kind`` is its type."""

    channel: str
    kind: str


Operation = Turn | Ask | Cite | Send

# Events.


@dataclass(frozen=True, slots=True)
class Responded:
    """A turn's request was answered with this HTTP status."""

    status: int


@dataclass(frozen=True, slots=True)
class FirstText:
    """The answer source sent the first text of an answer, ``seconds`` after the question."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cited:
    """A finished answer cites ``citations`` sources, of ``references`` that were found."""

    citations: int
    references: int


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer ended ``seconds`` after its question. ``ending`` is the log's word for how."""

    channel: str
    ending: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Doubted:
    """Something in a finished answer is doubtful. ``code`` is one of the library's few codes of doubts."""

    code: str


@dataclass(frozen=True, slots=True)
class Tried:
    """A request to a channel was answered with ``status``; None where it was not answered."""

    status: int | None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An activity was received again."""

    channel: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A question was refused. ``reason`` is one of a few constants."""

    reason: str


@dataclass(frozen=True, slots=True)
class HungUp:
    """A client's connection was closed by force. ``reason`` is one of a few constants."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A fetch of ``access token`` or ``signing keys`` succeeded (``done``) or failed."""

    what: str
    done: bool


@dataclass(frozen=True, slots=True)
class ProviderAsked:
    """A request to a provider ended; ``paused`` tells whether its circuit breaker is open now."""

    paused: bool


@dataclass(frozen=True, slots=True)
class StateFailed:
    """The store could not be reached for ``step``, and the bot fell back to its memory."""

    step: str


Event = (
    Responded
    | FirstText
    | Cited
    | Answered
    | Doubted
    | Tried
    | Duplicate
    | Refused
    | HungUp
    | Refreshed
    | ProviderAsked
    | StateFailed
)


class Listener(Protocol):
    """A receiver of telemetry. It is called on the event loop, so it must be fast and never raise."""

    def span(self, operation: Operation) -> AbstractContextManager[object]:
        """A context manager around ``operation``; events inside it belong to it."""

    def record(self, event: Event) -> None:
        """Record an event."""


_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("listeners", default=())


@contextlib.contextmanager
def subscribed(listeners: tuple[Listener, ...]) -> Iterator[None]:
    """Subscribe ``listeners`` to the telemetry of this block, and of the tasks that it starts."""
    token = _listeners.set(listeners)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # another task may end the application than started it
            _listeners.reset(token)


def detached_context() -> Context:
    """A context for a task that outlives its caller: it has the listeners, but no span and no log fields."""
    context = Context()
    context.run(_listeners.set, _listeners.get())
    return context


def is_observed() -> bool:
    """Whether anybody listens."""
    return bool(_listeners.get())


def emit(event: Event) -> None:
    """Report an event to the listeners."""
    for listener in _listeners.get():
        listener.record(event)


_NO_SPAN: AbstractContextManager[None] = contextlib.nullcontext()


def span(operation: Operation) -> AbstractContextManager[object]:
    """A context manager around ``operation``, which reports its start and its end."""
    listeners = _listeners.get()
    return _enter_all(listeners, operation) if listeners else _NO_SPAN


@contextlib.contextmanager
def _enter_all(listeners: tuple[Listener, ...], operation: Operation) -> Iterator[None]:
    with contextlib.ExitStack() as spans:
        for listener in listeners:
            spans.enter_context(listener.span(operation))
        yield
