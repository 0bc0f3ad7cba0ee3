"""Who hears what happens, by the environment; and that what the world names has bounded names there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.telemetry import ObservedOptions, read_options
from bot.telemetry import Ask, Duplicate, Event, Refused, Step, emit, span, subscribed
from bot.telemetry.label_values import activity_kind, channel_family, status_class
from citations.channels import _BY_ID

COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}

ASKED: list[tuple[dict[str, str], ObservedOptions]] = [
    ({}, ObservedOptions()),
    ({"METRICS_PORT": "9464"}, ObservedOptions(metrics_port=9464)),
    ({"METRICS_PORT": "0"}, ObservedOptions(metrics_port=0)),
    (COLLECTOR, ObservedOptions(traces=True)),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://collector/v1/traces"}, ObservedOptions(traces=True)),
    ({**COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, ObservedOptions(traces=True)),
    ({**COLLECTOR, "OTEL_SDK_DISABLED": "True"}, ObservedOptions()),
    ({**COLLECTOR, "OTEL_TRACES_EXPORTER": "none"}, ObservedOptions()),
    ({"OTEL_SERVICE_NAME": "alone it switches nothing on"}, ObservedOptions()),
]

FAULTY = [
    ({"METRICS_PORT": "metrics"}, "METRICS_PORT=metrics is not a port"),
    ({"METRICS_PORT": "65536"}, "METRICS_PORT=65536 is not a port"),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"}, "OTEL_EXPORTER_OTLP_ENDPOINT is not an http"),
    ({**COLLECTOR, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not spoken"),
]


@pytest.mark.parametrize(("environ", "options"), ASKED)
def test_what_is_asked_for(environ: dict[str, str], options: ObservedOptions) -> None:
    faults: list[str] = []
    assert read_options(environ, faults) == options
    assert faults == []


@pytest.mark.parametrize(("environ", "words"), FAULTY)
def test_faults(environ: dict[str, str], words: str) -> None:
    faults: list[str] = []
    read_options(environ, faults)
    [fault] = faults
    assert fault.startswith(words)


# The seam


class Told:
    """A listener that keeps what it hears, and in which step."""

    def __init__(self) -> None:
        self.heard: list[Event | str] = []

    def step(self, step: Step) -> AbstractContextManager[object]:
        return self._within(step)

    @contextlib.contextmanager
    def _within(self, span: Step) -> Iterator[None]:
        self.heard.append(f"> {type(span).__name__}")
        try:
            yield
        finally:
            self.heard.append(f"< {type(span).__name__}")

    def hear(self, event: Event) -> None:
        self.heard.append(event)


async def test_everybody_hears_what_is_told_within_and_in_the_tasks_begun_there() -> None:
    one, other = Told(), Told()

    async def later() -> None:
        with span(Ask()):
            await asyncio.sleep(0)
            emit(Refused("busy"))

    with subscribed((one, other)):
        task = asyncio.create_task(later())
    emit(Duplicate("sms"))
    await task
    assert one.heard == other.heard == ["> Ask", Refused("busy"), "< Ask"]


async def test_a_step_ends_for_everybody_however_it_ends() -> None:
    one = Told()
    with subscribed((one,)), pytest.raises(ZeroDivisionError), span(Ask()):
        raise ZeroDivisionError
    assert one.heard == ["> Ask", "< Ask"]


async def test_an_application_may_be_ended_by_another_task() -> None:
    async def life() -> AsyncGenerator[None, None]:
        with subscribed((Told(),)):
            yield

    living = life()
    await asyncio.create_task(anext(living))
    with contextlib.suppress(StopAsyncIteration):
        await asyncio.create_task(anext(living))


# Names

KNOWN = sorted(_BY_ID)


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
