"""The settings of metrics and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from .env import read_port

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_SUPPORTED: Final = "http/protobuf"


@dataclass(frozen=True, slots=True)
class TelemetryOptions:
    """``metrics_port`` is the port of the metrics: 0 for any free one, None for no metrics."""

    metrics_port: int | None = None
    traces: bool = False


def read_options(given: Mapping[str, str], faults: list[str]) -> TelemetryOptions:
    """Read ``METRICS_PORT``, and those of OpenTelemetry's variables that enable or disable traces.

    The SDK reads its other variables.
    """
    metrics_port = read_port("METRICS_PORT", given, faults)
    return TelemetryOptions(metrics_port=metrics_port, traces=_read_traces(given, faults))


def _read_traces(given: Mapping[str, str], faults: list[str]) -> bool:
    # OpenTelemetry, "Environment Variable Specification": a signal's variable overrides the general one.
    endpoint = next((name for name in _ENDPOINTS if name in given), None)
    disabled = given.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if endpoint is None or disabled or given.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    if urlsplit(given[endpoint]).scheme not in {"http", "https"}:
        faults.append(f"{endpoint} is not an http or https URL")
    protocol = next((name for name in _PROTOCOLS if name in given), None)
    if protocol is not None and given[protocol] != _SUPPORTED:
        faults.append(f"{protocol}={given[protocol]} is not spoken here: use {_SUPPORTED}")
    return True
