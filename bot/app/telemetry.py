"""The listeners that the settings enable: metrics, traces, both or none."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from ..config.env import SettingsError
from ..telemetry import subscribed
from ..telemetry.log import logger
from .settings import Settings

if TYPE_CHECKING:  # each is imported only if it is enabled
    from ..telemetry.metrics import Metrics
    from ..telemetry.traces import Traces

log = logger(__name__)


class Listeners:
    """The telemetry listeners of one application."""

    def __init__(self, settings: Settings) -> None:
        self._metrics = _create_metrics(settings)
        traces = _create_traces(settings)
        self._all: tuple[Metrics | Traces, ...] = tuple(filter(None, (self._metrics, traces)))

    def add_gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge if metrics are enabled."""
        if self._metrics is not None:
            self._metrics.add_gauge(name, meaning, value)

    @property
    def middlewares(self) -> list[Middleware]:
        """The middleware that subscribes the listeners to each request, if there are any."""
        if not self._all:
            return []

        @web.middleware
        async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
            with subscribed(self._all):
                return await handler(request)

        return [observe]

    async def lifespan(self, _: web.Application) -> AsyncIterator[None]:
        """The application's cleanup context that opens and closes the listeners.

        Raises :class:`SettingsError` where the port for metrics can't be used.
        """
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(subscribed(self._all))  # for tasks that startup begins
            for listener in self._all:
                stack.push_async_callback(listener.close)
                try:
                    await listener.open()
                except OSError as error:
                    fault = f"the port for metrics can't be used: {error.strerror or error} (METRICS_PORT)"
                    raise SettingsError((fault,)) from error
            yield


def _create_metrics(settings: Settings) -> Metrics | None:
    if settings.telemetry.metrics_port is None:
        return None
    from ..telemetry.metrics import Metrics  # noqa: PLC0415

    return Metrics(settings.host, settings.telemetry.metrics_port)


def _create_traces(settings: Settings) -> Traces | None:
    if not settings.telemetry.traces:
        return None
    try:
        from ..telemetry.traces import Traces  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError:
        # No error: the variables may be set for all programs of a machine.
        log.warning("no traces: requirements-telemetry.txt is not installed")
        return None
    return Traces(settings.source)
