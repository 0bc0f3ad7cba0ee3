"""An OpenTelemetry collector on a real socket, which keeps the spans that it is sent."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    """``raw`` has every byte of what came."""

    port: int = 0
    raw: bytes = b""
    spans: list[Span] = field(default_factory=list)
    resources: list[dict[str, str]] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]


def attributes(span: Span | Span.Event) -> dict[str, object]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes}


@contextlib.asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector = Collector()

    async def receive(request: web.Request) -> web.Response:
        body = await request.read()
        collector.raw += body
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            collector.resources.append({one.key: one.value.string_value for one in group.resource.attributes})
            for scope in group.scope_spans:
                collector.spans += scope.spans
        return web.Response(content_type="application/x-protobuf")

    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/traces", receive)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    collector.port = runner.addresses[0][1]
    try:
        yield collector
    finally:
        await runner.cleanup()
