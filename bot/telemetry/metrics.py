"""Metrics for Prometheus, on a port of their own.

The bot's own port is public, and the metrics are not.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

from aiohttp import web
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.aiohttp import make_aiohttp_handler

from . import (
    Answered,
    Doubted,
    Duplicate,
    Event,
    FirstText,
    HungUp,
    Operation,
    ProviderAsked,
    Refreshed,
    Refused,
    Responded,
    Send,
    StateFailed,
    Tried,
)
from .label_values import channel_family, status_class

_NAMESPACE: Final = "citation_bot"

_ANSWER_SECONDS: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 180)
_FIRST_TEXT_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The listener that counts events, and serves ``/metrics`` on ``port`` between ``open`` and ``close``."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._runner: web.AppRunner | None = None
        # The client would add a "_created" series, with its start time, to each metric.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        counter = functools.partial(Counter, namespace=_NAMESPACE, registry=registry)
        histogram = functools.partial(Histogram, namespace=_NAMESPACE, registry=registry)
        self._turns = counter("turns", "Requests of channels that were let in, by HTTP status.", ["status"])
        self._answers = histogram(
            "answer_seconds",
            "From a question to the end of its answer, by how it ended.",
            ["channel", "ending"],
            buckets=_ANSWER_SECONDS,
        )
        self._first_text = histogram(
            "first_text_seconds",
            "From asking the source to the first text of its answer.",
            buckets=_FIRST_TEXT_SECONDS,
        )
        self._doubts = counter("doubts", "Doubtful places of finished answers, by code.", ["code"])
        self._duplicates = counter("duplicates", "Activities that came again.", ["channel"])
        self._refused = counter("refused", "Turns that were not taken up, by reason.", ["reason"])
        self._hung_up = counter("connections_closed", "Connections that were closed by force.", ["reason"])
        self._sends = counter("sends", "Activities for channels, whatever became of them.", ["channel"])
        self._tries = counter(
            "send_tries", "Calls of channels, by class of status; none: no answer came.", ["status"]
        )
        self._refreshes = counter(
            "refreshes",
            "Access tokens and signing keys that were fetched (done), or could not be (failed).",
            ["what", "outcome"],
        )
        self._state_failures = counter(
            "state_failures", "Steps for which the store could not be reached.", ["step"]
        )
        self._paused = Gauge(
            "source_paused",
            "1 while the source is left alone because it failed.",
            namespace=_NAMESPACE,
            registry=registry,
        )

    def add_gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge ``citation_bot_<name>``, whose value is ``value()`` at each scrape."""
        Gauge(name, meaning, namespace=_NAMESPACE, registry=self._registry).set_function(value)

    async def open(self) -> None:
        """Start to serve. Raises :class:`OSError` where the port can't be used."""
        app = web.Application()
        app.router.add_get("/metrics", make_aiohttp_handler(self._registry))
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, self._port).start()

    async def close(self) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    def span(self, operation: Operation) -> AbstractContextManager[object]:
        """Count a send. Traces have the durations of operations."""
        if isinstance(operation, Send):
            self._sends.labels(channel_family(operation.channel)).inc()
        return contextlib.nullcontext()

    def record(self, event: Event) -> None:  # noqa: C901 - one case for each event
        """Count an event."""
        match event:
            case Responded(status):
                self._turns.labels(str(status)).inc()
            case Answered(channel, ending, seconds):
                self._answers.labels(channel_family(channel), ending.replace(" ", "_")).observe(seconds)
            case FirstText(seconds):
                self._first_text.observe(seconds)
            case Doubted(code):
                self._doubts.labels(code).inc()
            case Duplicate(channel):
                self._duplicates.labels(channel_family(channel)).inc()
            case Refused(reason):
                self._refused.labels(reason).inc()
            case HungUp(reason):
                self._hung_up.labels(reason.replace(" ", "_")).inc()
            case Tried(status):
                self._tries.labels(status_class(status)).inc()
            case Refreshed(what, done):
                self._refreshes.labels(what.replace(" ", "_"), "done" if done else "failed").inc()
            case ProviderAsked(paused):
                self._paused.set(paused)
            case StateFailed(step):
                self._state_failures.labels(step).inc()
