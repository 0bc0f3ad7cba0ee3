"""The settings of metrics and traces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from .env import Environment

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_SUPPORTED: Final = "http/protobuf"


@dataclass(frozen=True, slots=True)
class TelemetryOptions:
    """``metrics_port`` is the port of the metrics: 0 for any free one, None for no metrics."""

    metrics_port: int | None = None
    traces: bool = False


def read_options(env: Environment) -> TelemetryOptions:
    """Read ``METRICS_PORT``, and those of OpenTelemetry's variables that enable or disable traces.

    The SDK reads its other variables.
    """
    metrics_port = env.read_port("METRICS_PORT")
    return TelemetryOptions(metrics_port=metrics_port, traces=_read_traces(env))


def _read_traces(env: Environment) -> bool:
    # OpenTelemetry, "Environment Variable Specification": a signal's variable overrides the general one.
    endpoint = next((name for name in _ENDPOINTS if name in env), None)
    disabled = env.get("OTEL_SDK_DISABLED").lower() == "true"
    if endpoint is None or disabled or env.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    if urlsplit(env.get(endpoint)).scheme not in {"http", "https"}:
        env.faults.append(f"{endpoint} is not an http or https URL")
    protocol = next((name for name in _PROTOCOLS if name in env), None)
    if protocol is not None and env.get(protocol) != _SUPPORTED:
        env.faults.append(f"{protocol}={env.get(protocol)} is not spoken here: use {_SUPPORTED}")
    return True
