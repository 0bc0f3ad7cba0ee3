"""How deep a run of the tests goes: ``--hypothesis-profile=deep`` takes hours where the suite takes minutes."""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, settings

_TIMES: Final = 10

settings.register_profile(
    "quick",
    deadline=None,  # a busy machine is no fault of what is tested
    suppress_health_check=list(HealthCheck),
    derandomize=True,  # what lands must not depend on chance; a deep run looks for what is new
)
settings.register_profile("deep", settings.get_profile("quick"), derandomize=False, max_examples=100 * _TIMES)


def is_deep() -> bool:
    """Whether every place is cut and every machine runs long."""
    return settings.get_current_profile_name() == "deep"


def examples(quick: int, deep: int | None = None) -> settings:
    """Settings with this number of examples; a deep run takes ten times as many, or ``deep``."""
    return settings(max_examples=(deep or quick * _TIMES) if is_deep() else quick)
