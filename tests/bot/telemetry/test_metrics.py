"""Metrics: what Prometheus reads, by its own parser, after turns that end in every way."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_open_metrics

from bot.config.env import SettingsError
from bot.config.telemetry import TelemetryOptions
from tests.bot.metrics_reading import numbers
from tests.bot.running import OVERTAKEN, connecting, message, running, send
from tests.bot.table_source import TableSource
from tests.ports import free_port

WATER = "How often should I water a fern?"

OPEN_METRICS: Final = "application/openmetrics-text; version=1.0.0"


async def test_turns_are_counted_by_what_became_of_them() -> None:
    port = free_port()
    async with (
        connecting() as connector,
        running(TableSource(), telemetry=TelemetryOptions(metrics_port=port)) as bot,
    ):
        body = message(connector.service_url, WATER)
        await send(bot, body)
        await send(bot, body)
        await send(bot, message(connector.service_url, "fail", id="2", channelId="msteams"))
        await send(bot, message(connector.service_url, "a fern", id="3", channelId="made-up-7"))
        sent = connector.received.qsize()
        connector.status = 400
        await send(bot, message(connector.service_url, "a fern", id="4"))
        counted = await numbers(port)
    assert counted["turns_total", (("status", "201"),)] == 4
    assert counted["duplicates_total", (("channel", "directline"),)] == 1
    answers = {labels: value for (name, labels), value in counted.items() if name == "answer_seconds_count"}
    assert answers == {
        (("channel", "directline"), ("ending", "complete")): 2,
        (("channel", "msteams"), ("ending", "source_failed")): 1,
        (("channel", "other"), ("ending", "complete")): 1,
    }
    assert counted["first_text_seconds_count", ()] == 3
    assert counted["send_tries_total", (("status", "2xx"),)] == sent
    assert counted["send_tries_total", (("status", "4xx"),)] > 0
    assert counted["questions_under_way", ()] == counted["questions_waiting", ()] == 0
    assert 0 <= counted["event_loop_lag_seconds", ()] < 60
    assert "made-up-7" not in str(counted)


async def test_what_is_under_way_shows() -> None:
    port, source = free_port(), TableSource()
    async with (
        connecting() as connector,
        running(source, timeouts=OVERTAKEN, telemetry=TelemetryOptions(metrics_port=port)) as bot,
    ):
        await send(bot, message(connector.service_url, "slow"))
        assert (await numbers(port))["questions_under_way", ()] == 1
        source.gate.set()


async def test_both_of_prometheus_forms_are_served_by_what_is_asked_for() -> None:
    port = free_port()
    async with (
        running(TableSource(), telemetry=TelemetryOptions(metrics_port=port)),
        aiohttp.ClientSession(headers={"Accept": OPEN_METRICS}) as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        assert response.content_type == "application/openmetrics-text"
        names = {family.name for family in read_open_metrics(await response.text())}  # type: ignore[no-untyped-call]
    assert "citation_bot_answer_seconds" in names


async def test_the_bots_own_port_has_none_of_it() -> None:
    """The world can reach it."""
    async with (
        running(TableSource(), telemetry=TelemetryOptions(metrics_port=free_port())) as bot,
        aiohttp.ClientSession() as session,
        session.get(f"http://{bot}/metrics") as response,
    ):
        assert response.status == 404


async def test_a_port_for_metrics_that_is_taken_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "ferns.md").write_text("# Ferns\n\nWater a fern twice a week.\n", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SettingsError) as refusal:
        async with running(
            TableSource(), docs=tmp_path, telemetry=TelemetryOptions(metrics_port=taken.getsockname()[1])
        ):
            pass
    [line] = refusal.value.faults
    assert line.endswith("(METRICS_PORT)")
