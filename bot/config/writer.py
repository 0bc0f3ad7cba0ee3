"""The settings of Writer: ``WRITER_API_KEY``, the Knowledge Graphs and the query options.

Governing source: the Writer API's reference, "Question", ``graph_query_config``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .env import GUID, GUID_EXAMPLE, read_ids, read_switch, read_url

BASE_URL: Final = "https://api.writer.com"


class _Range(NamedTuple):
    least: int
    most: int
    whole: bool


_QUERY_CONFIG: Final[Mapping[str, _Range]] = {
    "max_subquestions": _Range(1, 10, whole=True),
    "search_weight": _Range(0, 100, whole=True),
    "grounding_level": _Range(0, 1, whole=False),
    "max_snippets": _Range(1, 60, whole=True),
    "max_tokens": _Range(100, 8000, whole=True),
    "keyword_threshold": _Range(0, 1, whole=False),
    "semantic_threshold": _Range(0, 1, whole=False),
}
"""The variable is ``WRITER_`` and the name. Without it, Writer uses its own default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterOptions:
    """How to ask Writer's Knowledge Graphs.

    ``query_config`` is sent unchanged. With ``model``, a chat of that model uses the graphs as a tool.
    Without, the graphs are asked directly, which is the only way to inline citations.
    """

    api_key: str = field(repr=False)
    graph_ids: tuple[str, ...]
    base_url: str = BASE_URL
    query_config: Mapping[str, bool | int | float] = field(default_factory=lambda: {"inline_citations": True})
    subqueries: bool = False
    stream: bool = True
    model: str = ""


def read_options(given: Mapping[str, str], faults: list[str]) -> WriterOptions:
    """Read the ``WRITER_`` variables of ``given``, and add their faults to ``faults``."""
    if "WRITER_API_KEY" not in given:
        faults.append("ANSWER_SOURCE=writer needs WRITER_API_KEY")
    base_url = read_url("WRITER_BASE_URL", given, faults, example=BASE_URL) or BASE_URL
    inline = read_switch("WRITER_INLINE_CITATIONS", given, faults, default=True)
    numbers = {name: _read_number(name, limits, given, faults) for name, limits in _QUERY_CONFIG.items()}
    return WriterOptions(
        api_key=given.get("WRITER_API_KEY", ""),
        base_url=base_url,
        graph_ids=_read_graph_ids(given, faults),
        query_config={"inline_citations": inline}
        | {name: number for name, number in numbers.items() if number is not None},
        subqueries=read_switch("WRITER_SUBQUERIES", given, faults, default=False),
        stream=read_switch("WRITER_STREAM", given, faults, default=True),
        model=given.get("WRITER_MODEL", ""),
    )


def _read_graph_ids(given: Mapping[str, str], faults: list[str]) -> tuple[str, ...]:
    fault = f"{{}} in WRITER_GRAPH_IDS is not an id such as {GUID_EXAMPLE}"
    ids = read_ids("WRITER_GRAPH_IDS", given, faults, GUID, fault)
    if not ids:
        faults.append("ANSWER_SOURCE=writer needs WRITER_GRAPH_IDS, the ids of one or more Knowledge Graphs")
    return ids


def _read_number(
    name: str, limits: _Range, given: Mapping[str, str], faults: list[str]
) -> int | float | None:
    variable = f"WRITER_{name.upper()}"
    value = given.get(variable)
    if value is None:
        return None
    try:
        number: int | float = int(value) if limits.whole else float(value)
    except ValueError:
        number = math.nan
    if limits.least <= number <= limits.most:
        return number
    kind = "a whole number" if limits.whole else "a number"
    faults.append(f"{variable}={value} is not {kind} from {limits.least} to {limits.most}")
    return None
