"""Traces for OpenTelemetry: what a turn spent its time on, in spans without a word of anybody's.

A turn is a trace: ``POST /api/messages`` is its root, and below it are ``ask``, ``cite`` and a
``send`` for each activity. Attributes are those of OpenTelemetry's semantic conventions for HTTP,
messaging and GenAI where these have one, and else begin with ``citations``.

OpenTelemetry's own variables configure it; the SDK reads them. This module is imported only where
``OTEL_EXPORTER_OTLP_ENDPOINT`` switches traces on: its packages are an extra
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
from . import Answered, Ask, Cite, Cited, Event, FirstText, Responded, Send, Step, Tried, Turn
from .label_values import activity_kind, channel_family
from .log import logger

FLUSH: Final = 2.0
"""Seconds that the last spans have to reach their collector when the bot ends."""

_SERVICE: Final = "citation-bot"
_SYSTEM: Final = "botframework"

Attributes = dict[str, str | int | float]

log = logger(__name__)


class Traces:
    """Listens, and has a collector get spans; ``source`` is the kind of source that is asked."""

    def __init__(self, source: str) -> None:
        self._source = source
        given = Resource.create()
        unnamed = str(given.attributes.get("service.name", "")).startswith("unknown_service")
        resource = given.merge(Resource({"service.name": _SERVICE})) if unnamed else given
        # The SDK would flush at exit too, for as long as a collector that hangs takes.
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracer = self._provider.get_tracer("bot")

    async def open(self) -> None:
        """Begin to export."""
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))

    async def close(self) -> None:
        """Export what is left, for no longer than :data:`FLUSH`."""
        flushed, loop = asyncio.Event(), asyncio.get_running_loop()

        def flush() -> None:
            self._provider.shutdown()
            with contextlib.suppress(RuntimeError):  # the loop has ended, nobody waits any more
                loop.call_soon_threadsafe(flushed.set)

        # A daemon: a thread of the loop's executor would keep the process until the collector answers.
        threading.Thread(target=flush, daemon=True).start()
        try:
            async with asyncio.timeout(FLUSH):
                await flushed.wait()
        except TimeoutError:
            log.warning("traces not flushed", seconds=FLUSH)

    def step(self, step: Step) -> AbstractContextManager[object]:
        """A span."""
        match step:
            case Turn():
                return self._turn(step)
            case Ask():
                return self._span("ask", {"gen_ai.operation.name": "invoke_agent", **self._data_source})
            case Cite():
                return self._span("cite", {})
            case Send():
                return self._span("send", _message(step.channel, "send", step.kind), kind=SpanKind.PRODUCER)

    def hear(self, event: Event) -> None:
        """Attributes and events of the span that is under way; what belongs to no turn is no span's."""
        span = trace.get_current_span()
        match event:
            case Responded(status):
                span.set_attribute("http.response.status_code", status)
                if status >= 500:  # HTTP spans, "Status": a server's 4xx is no error of its own
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

    @property
    def _data_source(self) -> Attributes:
        return {"gen_ai.data_source.id": self._source}

    @contextlib.contextmanager
    def _turn(self, turn: Turn) -> Iterator[Span]:
        attributes: Attributes = {
            "http.request.method": "POST",
            "http.route": MESSAGES,
            "messaging.message.id": turn.activity,
            "messaging.message.conversation_id": turn.conversation,
            **_message(turn.channel, "process", turn.kind),
        }
        # An empty context makes it a root. `traceparent` is not read: the other spans of its trace are
        # in somebody else's collector, and whether ours are sampled is not for them to say.
        name = f"POST {MESSAGES}"
        with self._span(name, attributes, kind=SpanKind.SERVER, context=Context()) as span:
            ids = span.get_span_context()
            with structlog.contextvars.bound_contextvars(
                trace_id=trace.format_trace_id(ids.trace_id), span_id=trace.format_span_id(ids.span_id)
            ):
                yield span

    @contextlib.contextmanager
    def _span(
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
            # Both would keep the exception's words, which may quote what someone wrote.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except Exception as error:
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(Status(StatusCode.ERROR))
                raise


def _message(channel: str, operation: str, kind: str) -> Attributes:
    return {
        "messaging.system": _SYSTEM,
        "messaging.operation.name": operation,
        "messaging.operation.type": operation,
        "messaging.destination.name": channel_family(channel),
        "citations.activity.type": activity_kind(kind),
    }
