"""Who hears what happens, by the environment; and that what the world names has bounded names there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.telemetry import TelemetryOptions
from bot.telemetry import Ask, Duplicate, Event, Operation, Refused, emit, span, subscribed
from bot.telemetry.label_values import activity_kind, channel_family, status_class
from citations.channels import channel_ids

COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}

ASKED: list[tuple[dict[str, str], TelemetryOptions]] = [
    ({}, TelemetryOptions()),
    ({"METRICS_PORT": "9464"}, TelemetryOptions(metrics_port=9464)),
    ({"METRICS_PORT": "0"}, TelemetryOptions(metrics_port=0)),
    (COLLECTOR, TelemetryOptions(traces=True)),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/v1/traces"}, TelemetryOptions(traces=True)),
    ({**COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, TelemetryOptions(traces=True)),
    ({**COLLECTOR, "OTEL_SDK_DISABLED": "True"}, TelemetryOptions()),
    ({**COLLECTOR, "OTEL_TRACES_EXPORTER": "none"}, TelemetryOptions()),
    ({"OTEL_SERVICE_NAME": "alone it switches nothing on"}, TelemetryOptions()),
]

FAULTY = [
    ({"METRICS_PORT": "metrics"}, "METRICS_PORT=metrics is not a port"),
    ({"METRICS_PORT": "65536"}, "METRICS_PORT=65536 is not a port"),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"}, "OTEL_EXPORTER_OTLP_ENDPOINT is not an http"),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "https://["}, "OTEL_EXPORTER_OTLP_ENDPOINT is not an http"),
    ({**COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not spoken"),
]


@pytest.mark.parametrize(("environ", "options"), ASKED)
def test_what_is_asked_for(environ: dict[str, str], options: TelemetryOptions) -> None:
    faults: list[str] = []
    assert TelemetryOptions.read(environ, faults) == options
    assert faults == []


@pytest.mark.parametrize(("environ", "words"), FAULTY)
def test_faults(environ: dict[str, str], words: str) -> None:
    faults: list[str] = []
    TelemetryOptions.read(environ, faults)
    [fault] = faults
    assert fault.startswith(words)


# Listeners and the telemetry they get


class Recorder:
    """A listener that stores its events, and the starts and ends of spans."""

    def __init__(self) -> None:
        self.recorded: list[Event | str] = []

    def span(self, operation: Operation) -> AbstractContextManager[object]:
        return self._within(operation)

    @contextlib.contextmanager
    def _within(self, operation: Operation) -> Iterator[None]:
        self.recorded.append(f"> {type(operation).__name__}")
        try:
            yield
        finally:
            self.recorded.append(f"< {type(operation).__name__}")

    def record(self, event: Event) -> None:
        self.recorded.append(event)


async def test_every_listener_gets_the_events_of_its_block_and_of_the_tasks_started_there() -> None:
    one, other = Recorder(), Recorder()

    async def later() -> None:
        with span(Ask()):
            await asyncio.sleep(0)
            emit(Refused("busy"))

    with subscribed((one, other)):
        task = asyncio.create_task(later())
    emit(Duplicate("sms"))
    await task
    assert one.recorded == other.recorded == ["> Ask", Refused("busy"), "< Ask"]


async def test_a_span_ends_for_every_listener_whatever_is_raised_in_it() -> None:
    one = Recorder()
    with subscribed((one,)), pytest.raises(ZeroDivisionError), span(Ask()):
        raise ZeroDivisionError
    assert one.recorded == ["> Ask", "< Ask"]


async def test_an_application_may_be_ended_by_another_task() -> None:
    async def life() -> AsyncGenerator[None, None]:
        with subscribed((Recorder(),)):
            yield

    living = life()
    await asyncio.create_task(anext(living))
    with contextlib.suppress(StopAsyncIteration):
        await asyncio.create_task(anext(living))


# Names

KNOWN = sorted(channel_ids())


@given(st.lists(st.text(), max_size=50))
def test_whatever_the_world_calls_itself_there_are_few_names(names: list[str]) -> None:
    families = {channel_family(name) for name in [*names, "msteams", "MSTEAMS"]}
    assert families <= {channel_family(name) for name in KNOWN} | {"other"}
    assert {activity_kind(name) for name in names} <= {"message", "event", "invoke", "typing", "other"}


def test_the_channels_that_we_render_for_have_their_own_names() -> None:
    assert [channel_family(name) for name in KNOWN] == KNOWN


@pytest.mark.parametrize(
    ("status", "named"),
    [(200, "2xx"), (202, "2xx"), (404, "4xx"), (429, "429"), (503, "5xx"), (None, "none")],
)
def test_classes_of_a_status(status: int | None, named: str) -> None:
    assert status_class(status) == named
