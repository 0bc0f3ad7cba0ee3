"""The settings of metrics and traces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Self

from pydantic import Field

from .env import PORT_WORDS, PORTS, Variables, check_url

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_SUPPORTED: Final = "http/protobuf"


class TelemetryOptions(Variables):
    """Whether there are metrics and traces."""

    metrics_port: Annotated[int | None, PORTS, PORT_WORDS] = Field(
        default=None, validation_alias="METRICS_PORT"
    )
    """A port for Prometheus' `/metrics`; 0 means any free one. Without it there are no metrics."""
    traces: bool = Field(default=False, validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """Where traces are sent, with OpenTelemetry's other variables; needs `requirements-telemetry.txt`."""

    @classmethod
    def read(cls, given: Mapping[str, str], faults: list[str]) -> Self:
        """Read ``METRICS_PORT``, and those of OpenTelemetry's variables that enable or disable traces.

        The SDK reads its other variables.
        """
        endpoint = _first(_ENDPOINTS, given)
        # OpenTelemetry, "Environment Variable Specification": a signal's variable overrides the general one.
        disabled = given.get("OTEL_SDK_DISABLED", "").lower() == "true"
        traces = bool(endpoint) and not disabled and given.get("OTEL_TRACES_EXPORTER") != "none"
        if traces:
            faults += _find_faults(given, endpoint)
        return super().read({**given, _ENDPOINTS[1]: str(traces)}, faults)


def _find_faults(given: Mapping[str, str], endpoint: str) -> Iterator[str]:
    try:
        check_url(given[endpoint])
    except ValueError:
        yield f"{endpoint} is not an http or https URL"
    protocol = _first(_PROTOCOLS, given)
    if protocol and given[protocol] != _SUPPORTED:
        yield f"{protocol}={given[protocol]} is not spoken here: use {_SUPPORTED}"


def _first(names: tuple[str, ...], given: Mapping[str, str]) -> str:
    """The first of the variables that is set; empty if none is."""
    return next((name for name in names if name in given), "")
