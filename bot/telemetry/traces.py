"""Traces for OpenTelemetry: the time that each part of a turn took.

A turn is a trace. ``POST /api/messages`` is its root span; ``ask``, ``cite`` and a ``send`` for each
activity are its children. Attributes follow OpenTelemetry's semantic conventions for HTTP, messaging
and GenAI, and begin with ``citations`` where these have none.

The SDK reads OpenTelemetry's own variables. This module is imported only if
``OTEL_EXPORTER_OTLP_ENDPOINT`` enables traces, since its packages are an extra
(``requirements-telemetry.txt``).
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final

import structlog
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from ..config.routes import MESSAGES
from . import Answered, Ask, Cite, Cited, Event, FirstText, Operation, Responded, Send, Tried, Turn
from .label_values import activity_kind, channel_family
from .log import logger

FLUSH: Final = 2.0
"""Seconds to export the last spans at shutdown."""

_SERVICE: Final = "citation-bot"
_SYSTEM: Final = "botframework"

Attributes = dict[str, str | int | float]

log = logger(__name__)


class Traces:
    """The listener that exports spans to a collector. ``source`` is the kind of answer source."""

    def __init__(self, source: str) -> None:
        self._source = source
        resource = Resource.create()
        if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
            resource = resource.merge(Resource({"service.name": _SERVICE}))
        # The SDK would flush at exit too, without a timeout for a collector that hangs.
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracer = self._provider.get_tracer("bot")

    async def open(self) -> None:
        """Start to export."""
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    async def close(self) -> None:
        """Export the remaining spans, for :data:`FLUSH` at most."""
        flushed, loop = asyncio.Event(), asyncio.get_running_loop()

        def flush() -> None:
            self._provider.shutdown()
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(flushed.set)

        # A daemon thread doesn't keep the process alive while the collector hangs.
        threading.Thread(target=flush, daemon=True).start()
        try:
            async with asyncio.timeout(FLUSH):
                await flushed.wait()
        except TimeoutError:
            log.warning("traces not flushed", seconds=FLUSH)

    def span(self, operation: Operation) -> AbstractContextManager[object]:
        """Start a span."""
        match operation:
            case Turn():
                return self._start_turn(operation)
            case Ask():
                attributes: Attributes = {"gen_ai.operation.name": "invoke_agent"}
                return self._start_span("ask", {**attributes, "gen_ai.data_source.id": self._source})
            case Cite():
                return self._start_span("cite", {})
            case Send(channel, kind):
                attributes = _message_attributes(channel, "send", kind)
                return self._start_span("send", attributes, kind=SpanKind.PRODUCER)

    def record(self, event: Event) -> None:
        """Add the event to the current span, as attributes or as an event of the span."""
        span = trace.get_current_span()
        match event:
            case Responded(status):
                span.set_attribute("http.response.status_code", status)
                if status >= 500:  # HTTP spans, "Status": a 4xx is not a server's error
                    span.set_attribute("error.type", str(status))
                    span.set_status(Status(StatusCode.ERROR))
            case FirstText(seconds):
                span.add_event("first_text")
                span.set_attribute("gen_ai.response.time_to_first_chunk", seconds)
            case Cited(citations, references):
                span.set_attributes({"citations.cited": citations, "citations.found": references})
            case Answered(_, ending, _):
                span.add_event("answered", {"citations.ending": ending})
            case Tried(status):
                span.add_event("tried", {} if status is None else {"http.response.status_code": status})

    @contextlib.contextmanager
    def _start_turn(self, turn: Turn) -> Iterator[Span]:
        attributes: Attributes = {
            "http.request.method": "POST",
            "http.route": MESSAGES,
            "messaging.message.id": turn.activity,
            "messaging.message.conversation_id": turn.conversation,
            **_message_attributes(turn.channel, "process", turn.kind),
        }
        # An empty context makes it a root span. `traceparent` is ignored: its trace is in the sender's
        # collector, and the sender must not decide whether the bot samples.
        name = f"POST {MESSAGES}"
        with self._start_span(name, attributes, kind=SpanKind.SERVER, context=Context()) as span:
            ids = span.get_span_context()
            with structlog.contextvars.bound_contextvars(
                trace_id=trace.format_trace_id(ids.trace_id), span_id=trace.format_span_id(ids.span_id)
            ):
                yield span

    @contextlib.contextmanager
    def _start_span(
        self,
        name: str,
        attributes: Attributes,
        *,
        kind: SpanKind = SpanKind.INTERNAL,
        context: Context | None = None,
    ) -> Iterator[Span]:
        with self._tracer.start_as_current_span(
            name,
            context=context,
            kind=kind,
            attributes=attributes,
            # Both would store the exception's message, which may quote what a person wrote.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except Exception as error:
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(Status(StatusCode.ERROR))
                raise


def _message_attributes(channel: str, operation: str, kind: str) -> Attributes:
    return {
        "messaging.system": _SYSTEM,
        "messaging.operation.name": operation,
        "messaging.operation.type": operation,
        "messaging.destination.name": channel_family(channel),
        "citations.activity.type": activity_kind(kind),
    }
