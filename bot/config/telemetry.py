"""What the environment says about metrics and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from .env import port

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_SPOKEN: Final = "http/protobuf"


@dataclass(frozen=True, slots=True)
class ObservedOptions:
    """Who listens. ``metrics_port``: where metrics are served, 0 for any free port, None for nowhere."""

    metrics_port: int | None = None
    traces: bool = False


def read_options(given: Mapping[str, str], faults: list[str]) -> ObservedOptions:
    """``METRICS_PORT``, and OpenTelemetry's own variables as far as they switch traces on or off.

    The SDK reads those that say how they are exported.
    """
    return ObservedOptions(metrics_port=port("METRICS_PORT", given, faults), traces=_traces(given, faults))


def _traces(given: Mapping[str, str], faults: list[str]) -> bool:
    # OpenTelemetry, "Environment Variable Specification": the one for the signal wins over the general one.
    endpoint = next((name for name in _ENDPOINTS if name in given), None)
    disabled = given.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if endpoint is None or disabled or given.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    if urlsplit(given[endpoint]).scheme not in {"http", "https"}:
        faults.append(f"{endpoint} is not an http or https URL")
    protocol = next((name for name in _PROTOCOLS if name in given), None)
    if protocol is not None and given[protocol] != _SPOKEN:
        faults.append(f"{protocol}={given[protocol]} is not spoken here: use {_SPOKEN}")
    return True
