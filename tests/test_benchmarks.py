"""Each script of ``benchmarks/`` runs with a small size: nothing else would see that one broke."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from benchmarks import indexing

FOLDER: Final = Path(__file__).parents[1] / "benchmarks"
SMALL: Final = {300: 1}
"""How often an answer is measured, by its characters."""


class Script(NamedTuple):
    """How a script is started: its arguments, its sizes, and something that it prints."""

    arguments: tuple[str, ...] = ()
    sizes: Mapping[str, object] = {}
    prints: str = ""


SCRIPTS: Final = {
    "anchoring": Script(prints="Cohere"),
    "checking": Script(sizes={"LENGTH": 100}, prints="| `'[1]'` |"),
    "doubts": Script(("--cost",), {"ROUNDS": 1}, "| answer |"),
    "importing": Script(sizes={"RUNS": 1}, prints="import citations"),
    "indexing": Script(
        ("--megabytes", "0.01", "--passages", "20", "--queries", "2"),
        {"EMBEDDING": 0.0, "in_a_process": indexing.run},
        "by meaning",
    ),
    "policy_pairs": Script(("--part", "chosen"), prints="English"),
    "reading": Script(sizes={"ROUNDS": 1}, prints="| its bare text |"),
    "rendering": Script((), {"ROUNDS": SMALL, "HOSTILE": {"[": "["}, "LENGTH": 300}, "| `[` |"),
    "retrieval.__main__": Script(("--commands",), prints="git"),
    "serving.full_house": Script(("ours", "--questions", "3", "--delay", "0"), prints="3 answered"),
    "spans": Script(sizes={"COUNTS": (20,)}, prints="| 20 |"),
    "streaming": Script(
        sizes={"ROUNDS": SMALL, "SIGN_SIZES": (100, 200, 300)}, prints="| ours, Teams, paced"
    ),
}
ELSEWHERE: Final = {
    "engines": "it needs the server of a vector store, as tests/sources/llamaindex has one",
    "first_text": "it needs a Chromium of its own; tests/browser waits for the same words",
    "holding": "tests/bot/test_holding.py has what it measures",
    "peers.__main__": "tests/test_peers.py has our side of it; the others are installed by the script",
    "retrieval.decision": "it needs the downloaded documents of all sets of questions",
    "seen_words": "it needs LibreOffice; its list is what tests/retrieval/files/test_seen_words.py reads",
    "serving.__main__": "tests/test_serving_benchmark.py starts it",
}
"""Why a script is not started here."""


def test_no_script_is_forgotten() -> None:
    paths = [
        path for path in FOLDER.rglob("*.py") if '\nif __name__ == "__main__":' in path.read_text("utf-8")
    ]
    names = {".".join(path.relative_to(FOLDER).with_suffix("").parts) for path in paths}
    started = {name for name in names if not name.startswith(("serving.bots.", "peers.bots."))}
    assert started - {"serving.connector", "serving.entra"} == SCRIPTS.keys() | ELSEWHERE.keys()


@pytest.fixture
def logging_goes_on() -> Iterator[None]:
    """A script that measures switches the log off, and would do so for all tests behind it."""
    before = logging.root.manager.disable
    yield
    logging.disable(before)


@pytest.mark.usefixtures("logging_goes_on")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script, module = SCRIPTS[name], importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [name, *script.arguments])
    for size, small in script.sizes.items():
        monkeypatch.setattr(module, size, small)
    if inspect.iscoroutinefunction(module.main):
        asyncio.run(module.main())
    else:
        module.main()
    assert script.prints in capsys.readouterr().out
