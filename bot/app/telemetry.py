"""Who listens to a bot, by the settings: metrics, traces, both, or nobody."""

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

if TYPE_CHECKING:  # each is imported where it is wanted
    from ..telemetry.metrics import Metrics
    from ..telemetry.traces import Traces

log = logger(__name__)


class Listeners:
    """Those who hear what happens in one application."""

    def __init__(self, settings: Settings) -> None:
        self._metrics = _metrics(settings)
        self._traces = _traces(settings)
        self._all: tuple[Metrics | Traces, ...] = tuple(one for one in (self._metrics, self._traces) if one)

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Have ``value()`` among the metrics, if there are any."""
        if self._metrics is not None:
            self._metrics.gauge(name, meaning, value)

    @property
    def middlewares(self) -> list[Middleware]:
        """What has them hear the requests of an application; it belongs before what tells anything."""
        if not self._all:
            return []

        @web.middleware
        async def observe(request: web.Request, handler: Handler) -> web.StreamResponse:
            with subscribed(self._all):
                return await handler(request)

        return [observe]

    async def life(self, _: web.Application) -> AsyncIterator[None]:
        """Open them with the application, and close them with it.

        Raises :class:`SettingsError` where the port for metrics can't be had.
        """
        async with contextlib.AsyncExitStack() as opened:
            opened.enter_context(subscribed(self._all))  # what is begun at the start belongs to no request
            for one in self._all:
                opened.push_async_callback(one.close)
                try:
                    await one.open()
                except OSError as error:
                    fault = f"the port for metrics can't be used: {error.strerror or error} (METRICS_PORT)"
                    raise SettingsError((fault,)) from error
            yield


def _metrics(settings: Settings) -> Metrics | None:
    if settings.observed.metrics_port is None:
        return None
    from ..telemetry.metrics import Metrics  # noqa: PLC0415

    return Metrics(settings.host, settings.observed.metrics_port)


def _traces(settings: Settings) -> Traces | None:
    if not settings.observed.traces:
        return None
    try:
        from ..telemetry.traces import Traces  # noqa: PLC0415 - it may not be installed
    except ModuleNotFoundError:
        # The variables may be set for everything that runs on a machine.
        log.warning("no traces: requirements-telemetry.txt is not installed")
        return None
    return Traces(settings.source)
