"""What streaming an answer costs: 4-character deltas, with what may be shown released at each.

``python -m benchmarks.streaming`` prints, for 3, 48 and 480 KB, the time of

- a naive splitter that only accumulates text, as the floor;
- our text for a channel that extends what it shows (Teams), released at every delta;
- our whole rendering of the same stream, with one interim for every 25 deltas and the final one;
- with ``ONYX_PROCESSOR=/path/to/citation_processor.py``, Onyx's ``DynamicCitationProcessor`` of
  that file, side by side; what it imports from the rest of Onyx is put in its place by four stubs.

Everything is measured in one run, in turns, so that a busy machine slows all alike; the figures are
medians.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import make_dataclass
from types import ModuleType
from typing import Any

from citations import ReferencesFound, RenderingStream, TextDelta, channel
from citations.stream.extended import Extended

from .rendering import REFERENCES, ordinary

SIZES = (3_000, 48_000, 480_000)
ROUNDS = 5
DELTA = 4
PACE = 25
"""Deltas for each interim: at 250 a second, Web Chat's ten updates."""


def naive(deltas: Iterable[str]) -> None:
    """Keep the text, and pass it on."""
    kept: list[str] = []
    shown: list[str] = []
    for delta in deltas:
        kept.append(delta)
        shown.append(delta)


def extended(deltas: Iterable[str]) -> None:
    """Release what may be shown at every delta."""
    stream = Extended(None)
    stream.add_references(REFERENCES, complete=True)
    shown = [stream.extend(delta) for delta in deltas]
    assert len(shown) > 1


def whole(channel_id: str) -> Callable[[Iterable[str]], None]:
    """Feed every delta, show an interim now and then, and the final rendering."""

    def run(deltas: Iterable[str]) -> None:
        stream = RenderingStream(channel(channel_id))
        stream.feed(ReferencesFound(REFERENCES))
        for number, delta in enumerate(deltas):
            stream.feed(TextDelta(delta))
            if number % PACE == 0:
                stream.interim()
        stream.close()

    return run


def onyx(path: str) -> Callable[[Iterable[str]], None]:
    """Onyx's processor of the file ``path``."""
    stubs: dict[str, dict[str, Any]] = {
        "onyx.configs.chat_configs": {"STOP_STREAM_PAT": None},
        "onyx.context.search.models": {"SearchDoc": make_dataclass("SearchDoc", ["document_id", "link"])},
        "onyx.prompts.constants": {"TRIPLE_BACKTICK": "```"},
        "onyx.server.query_and_chat.streaming_models": {
            "CitationInfo": make_dataclass("CitationInfo", ["citation_number", "document_id"])
        },
        "onyx.utils.logger": {"setup_logger": lambda: logging.getLogger("onyx")},
    }
    for name, members in stubs.items():
        for end in range(1, name.count(".") + 2):
            package = ".".join(name.split(".")[:end])
            sys.modules.setdefault(package, ModuleType(package)).__path__ = []
        vars(sys.modules[name]).update(members)
    spec = importlib.util.spec_from_file_location("onyx.chat.citation_processor", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    document = stubs["onyx.context.search.models"]["SearchDoc"]

    def run(deltas: Iterable[str]) -> None:
        processor = module.DynamicCitationProcessor()
        processor.update_citation_mapping({int(one.id): document(one.id, one.url) for one in REFERENCES})
        shown: list[object] = []
        for delta in deltas:
            shown.extend(processor.process_token(delta))

    return run


def seconds(run: Callable[[Iterable[str]], None], deltas: list[str]) -> float:
    """How long ``run`` takes for ``deltas``."""
    started = time.perf_counter()
    run(deltas)
    return time.perf_counter() - started


def main() -> None:
    """Print the table."""
    logging.disable(logging.CRITICAL)
    runs: dict[str, Callable[[Iterable[str]], None]] = {
        "naive": naive,
        "ours, released at every delta": extended,
        "ours, Teams, paced, with the final": whole("msteams"),
        "ours, Web Chat, paced, with the final": whole("webchat"),
    }
    if path := os.environ.get("ONYX_PROCESSOR"):
        runs["Onyx"] = onyx(path)
    print(f"{'':40}" + "".join(f"{size // 1000:>8} KB      µs/delta" for size in SIZES))
    times: dict[str, list[float]] = {name: [] for name in runs}
    counts: list[int] = []
    for size in SIZES:
        text = ordinary(size)
        deltas = [text[at : at + DELTA] for at in range(0, len(text), DELTA)]
        counts.append(len(deltas))
        rounds = [[seconds(run, deltas) for run in runs.values()] for _ in range(ROUNDS)]
        for name, column in zip(runs, zip(*rounds, strict=True), strict=True):
            times[name].append(statistics.median(column))
    for name, row in times.items():
        cells = (
            f"{spent * 1e3:>8.2f} ms {spent / count * 1e6:>12.2f} "
            for spent, count in zip(row, counts, strict=True)
        )
        print(f"{name:40}" + "".join(cells))


if __name__ == "__main__":
    main()
