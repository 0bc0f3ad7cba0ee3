"""What streaming an answer costs, in deltas of 4 characters.

``python -m benchmarks.streaming`` prints, for 3, 48 and 480 KB, the CPU time of

- a naive splitter that only accumulates text, as the floor;
- our whole rendering for Teams and for Web Chat of the same stream, paced: one interim for every 25
  deltas, and the final one;
- the same for Teams with an interim at every delta, as Onyx releases its text;
- with ``ONYX_PROCESSOR=/path/to/citation_processor.py``, Onyx's ``DynamicCitationProcessor`` of
  that file, side by side; what it imports from the rest of Onyx is put in its place by five stubs.

A second table has open blocks that are full of signs, with an interim each 100 characters.

``--against PATH`` prints how our rows compare with those of the checkout at ``PATH`` instead.
Everything is measured in one run, in turns; the figures are medians.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import logging
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import make_dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from citations import ReferencesFound, RenderingStream, TextDelta, channel

from . import turns
from .rendering import REFERENCES, ordinary
from .turns import Checkout, cpu_seconds, in_turns, median_ratio

ROUNDS = {3_000: 50, 48_000: 10, 480_000: 5}
"""How often an answer of each size is streamed."""
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


def render_whole(channel_id: str, pace: int = PACE) -> Callable[[Iterable[str]], None]:
    """Feed every delta, show an interim for every ``pace`` of them, and the final rendering."""

    def run(deltas: Iterable[str]) -> None:
        stream = RenderingStream(channel(channel_id))
        stream.feed(ReferencesFound(REFERENCES))
        for number, delta in enumerate(deltas):
            stream.feed(TextDelta(delta))
            if number % pace == 0:
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


@cache
def deltas_of(text: str) -> Sequence[str]:
    """``text`` as it is streamed."""
    return [text[at : at + DELTA] for at in range(0, len(text), DELTA)]


def streamed(run: Callable[[Iterable[str]], None]) -> turns.Work:
    """``run``, for a text."""
    return lambda text: run(deltas_of(text))


SHAPES = {
    "words": "one two three four five. ",
    "lines of CR": "a\r",
    "`a [1]`, CR and LF": "a [1]\r\n",
    "`a b`, LF": "a b\n",
    "`*a **b `": "*a **b ",
    "`[1]`": "[1]",
    "`[`": "[",
    "`[[1]]`": "[[1]]",
    "`[1]: x`": "[1]: x",
    "`*a* `": "*a* ",
    "`[a](b) `": "[a](b) ",
    "`~~a~~ `": "~~a~~ ",
    "`**a [1] `": "**a [1] ",
    "rows of a table": "|a [1]|b|\n|-|-|\n",
    "lists in a quote": "> - a\n",
    "lists in a list": "- a\n  - b\n  - c\n",
    "paragraphs in a quote": "> a [1]\n>\n",
}
"""What an open block is full of, by name; the first is what the others are compared with."""
SIGN_SIZES = (2_000, 8_000, 32_000)


def signs() -> None:
    """Print what streams of signs cost beside words of the same length, with an interim for each 100."""
    sizes = " | ".join(f"{size // 1000} KB" for size in SIGN_SIZES)
    print(f"\n| in times that of words | {sizes} | growth |")
    print("|:--|" + "--:|" * len(SIGN_SIZES) + ":--|")
    for channel_id in ("webchat", "msteams"):
        work = streamed(render_whole(channel_id))
        base: list[float] = []
        for name, piece in SHAPES.items():
            texts = [(piece * (size // len(piece) + 1))[:size] for size in SIGN_SIZES]
            spent = [statistics.median(in_turns([partial(cpu_seconds, work, text)], 3)[0]) for text in texts]
            base = base or spent
            times = " | ".join(f"{one / words:.1f}" for one, words in zip(spent, base, strict=True))
            growth = ", ".join(f"{later / one:.1f}" for one, later in itertools.pairwise(spent))
            print(f"| {channel_id}, {name} | {times} | {growth} |", flush=True)


FLOOR = "accumulating only"
ONYX = "Onyx"
OURS: dict[str, turns.Work] = {
    "ours, Teams, paced, with the final": streamed(render_whole("msteams")),
    "ours, Web Chat, paced, with the final": streamed(render_whole("webchat")),
    "ours, Teams, text released at each delta": streamed(render_whole("msteams", pace=1)),
}


def serve() -> None:
    """Do the works that another process asks for."""
    turns.serve(OURS, ordinary)


def compare(works: dict[str, turns.Work]) -> None:
    """Print what a stream and a delta of it cost, and how often that is what it costs Onyx."""
    rows: dict[str, list[str]] = {name: [] for name in works}
    for size, rounds in ROUNDS.items():
        text = ordinary(size)
        columns = in_turns([partial(cpu_seconds, work, text) for work in works.values()], rounds)
        measured = dict(zip(works, columns, strict=True))
        for name, column in measured.items():
            spent = statistics.median(column)
            ratio = f", {median_ratio(column, measured[ONYX]):.1f} ×" if ONYX in measured else ""
            delta = spent / len(deltas_of(text))
            rows[name].append(f"{spent * 1e3:,.2f} ms, {delta * 1e6:.2f} µs a delta{ratio}")
    _print_rows(rows)


def compare_against(path: Path) -> None:
    """Print how often our rows cost what they cost with the checkout at ``path``."""
    here, there = (Checkout(side, "benchmarks.streaming") for side in (turns.HERE, path))
    rows: dict[str, list[str]] = {name: [] for name in OURS}
    for size, rounds in ROUNDS.items():
        for name, row in rows.items():
            ours, theirs = in_turns([partial(side.seconds, name, size) for side in (here, there)], rounds)
            row.append(f"{median_ratio(ours, theirs):.2f}")
    _print_rows(rows)
    here.close()
    there.close()


def _print_rows(rows: dict[str, list[str]]) -> None:
    print("| |" + "".join(f" {size // 1000} KB |" for size in ROUNDS))
    print("|:--|" + "--:|" * len(ROUNDS))
    for name, cells in rows.items():
        print("| " + " | ".join((name, *cells)) + " |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streaming")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout to compare with")
    against = parser.parse_args().against
    logging.disable(logging.CRITICAL)
    if against:
        compare_against(against)
        return
    works = {FLOOR: streamed(naive), **OURS}
    if path := os.environ.get("ONYX_PROCESSOR"):
        works[ONYX] = streamed(onyx(path))
    compare(works)
    signs()


if __name__ == "__main__":
    main()
