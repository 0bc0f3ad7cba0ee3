"""Traces: what a collector on a real socket is sent of a turn, and what it is never sent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from bot.config.telemetry import TelemetryOptions
from bot.telemetry.conversation_key import ConversationKey, short
from tests.bot.collector import Collector, attributes, collecting
from tests.bot.command import ready, started
from tests.bot.running import OVERTAKEN, Connector, connecting, logged, message, running, send
from tests.bot.table_source import TableSource

WATER = "How often should I water a fern?"
TRACED = TelemetryOptions(traces=True)


@contextlib.asynccontextmanager
async def traced(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Collector, Connector, str]]:
    async with collecting() as collector, connecting() as connector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        async with running(TableSource(), telemetry=TRACED) as bot:
            yield collector, connector, bot


async def test_a_turn_is_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    async with traced(monkeypatch) as (collector, connector, bot):
        body = message(connector.service_url, WATER, id="conversation|0000007", channelId="SMS")
        with logged() as log:
            await send(bot, body)
    [turn] = collector.named("POST /api/messages")
    assert turn.kind == Span.SPAN_KIND_SERVER
    assert attributes(turn) == {
        "http.request.method": "POST",
        "http.route": "/api/messages",
        "http.response.status_code": 201,
        "messaging.system": "botframework",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": "sms",
        "messaging.message.id": "|0000007",
        "messaging.message.conversation_id": short(ConversationKey("SMS", "c1")),
        "citations.activity.type": "message",
    }
    [ask], [cite] = collector.named("ask"), collector.named("cite")
    assert [event.name for event in ask.events] == ["first_text"]
    assert attributes(ask).keys() == {
        "gen_ai.operation.name",
        "gen_ai.data_source.id",
        "gen_ai.response.time_to_first_chunk",
    }
    assert attributes(cite) == {"citations.cited": 2, "citations.found": 2}
    sends = collector.named("send")
    assert len(sends) == connector.received.qsize()
    assert [attributes(event) for event in sends[0].events] == [{"http.response.status_code": 200}]
    for span in (ask, cite, *sends):
        assert (span.trace_id, span.parent_span_id) == (turn.trace_id, turn.span_id)
        assert turn.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
    # The log and the trace find each other.
    answered = next(
        event for event in map(json.loads, log.getvalue().splitlines()) if event["event"] == "answered"
    )
    assert (answered["trace_id"], answered["span_id"]) == (turn.trace_id.hex(), turn.span_id.hex())
    assert answered["activity"] == "|0000007"


async def test_a_trace_of_somebody_else_is_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = "4bf92f3577b34da6a3ce929d0e0e4736"
    async with traced(monkeypatch) as (collector, connector, bot):
        body = message(connector.service_url, WATER)
        await send(bot, body, traceparent=f"00-{theirs}-00f067aa0ba902b7-01", tracestate="a=b")
    assert collector.spans
    assert {span.trace_id.hex() for span in collector.spans}.isdisjoint({theirs})
    assert collector.named("POST /api/messages")[0].parent_span_id == b""


async def test_no_word_of_anyone_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with traced(monkeypatch) as (collector, connector, bot):
        hostile = {
            "from": {"id": "canary-user", "name": "Canary"},
            "channelId": "canary-channel",
            "conversation": {"id": "c0000001-canary"},
        }
        for number, text in enumerate(("canary: a fern", "fail", "crash")):
            await send(bot, message(connector.service_url, text, id=f"q{number}", **hostile))
        connector.status = 400
        await send(bot, message(connector.service_url, "canary: a fern", id="refused", **hostile))
        await send(bot, message(connector.service_url, "canary", id="x", type="canary-type", **hostile))
    assert len(collector.named("POST /api/messages")) == 5
    for word in (b"canary", b"Canary", b"twice a week", b"plants.md", b"example.com", b"Light"):
        assert word not in collector.raw
    failed = [span for span in collector.spans if span.status.code == Status.STATUS_CODE_ERROR]
    assert {span.name for span in failed} >= {"ask", "send"}
    assert {attributes(span)["error.type"] for span in collector.named("ask") if span in failed} == {
        "SourceError",
        "ZeroDivisionError",
    }
    assert {span.status.message for span in failed} == {""}


async def test_a_follow_up_is_part_of_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    source = TableSource()
    async with collecting() as collector, connecting() as connector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        async with running(source, timeouts=OVERTAKEN, telemetry=TRACED) as bot:
            await send(bot, message(connector.service_url, "slow"))
            source.gate.set()
            await connector.next()
    [turn] = collector.named("POST /api/messages")
    [cite] = collector.named("cite")
    assert cite.parent_span_id == turn.span_id
    assert cite.start_time_unix_nano > turn.end_time_unix_nano


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """Where one can connect, and never gets an answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


async def ended(docs: Path, endpoint: str) -> str:
    """What a bot logs that answers one question and is ended."""
    environ = {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_SERVICE_NAME": "ferns"}
    async with started("--docs", str(docs), "--port", "0", **environ) as process, connecting() as connector:
        url = await ready(process)
        assert (await send(url[7:-1], message(connector.service_url, WATER)))[0] == 201
        process.terminate()
        _, errors = await process.communicate()
    assert process.returncode == 0
    return errors.decode()


async def test_the_last_spans_are_sent_when_it_ends_and_a_collector_that_hangs_holds_nobody_up(
    tmp_path: Path, silent: socket.socket
) -> None:
    (tmp_path / "ferns.md").write_text("# Ferns\n\nWater a fern twice a week.\n", encoding="utf-8")
    async with collecting() as collector:
        logs = await asyncio.gather(
            ended(tmp_path, collector.endpoint),
            ended(tmp_path, f"http://127.0.0.1:{silent.getsockname()[1]}"),
        )
    assert ["traces not flushed" in log for log in logs] == [False, True]
    assert ["Traceback" in log for log in logs] == [False, False]
    assert len(collector.named("POST /api/messages")) == 1
    assert collector.resources[0]["service.name"] == "ferns"


async def test_without_its_packages_the_bot_runs_and_says_so() -> None:
    """As where only requirements.txt is installed: nothing of OpenTelemetry can be imported."""
    absent = (
        "import sys; sys.modules['opentelemetry'] = None; import app; sys.exit(app.main(['--port', '0']))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        absent,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        url = await ready(process)
        async with connecting() as connector:
            assert (await send(url[7:-1], message(connector.service_url, "What is VPN?")))[0] == 201
        process.terminate()
        _, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    assert b"requirements-telemetry.txt is not installed" in errors
