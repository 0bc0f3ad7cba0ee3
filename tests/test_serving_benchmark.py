"""The benchmark of serving runs: every bot says the same thing, and its figures are in a table."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

BOTS = ["the SDK's `CloudAdapter`", "our adapter alone", "ours, whole"]
AGENTS = "the Agents SDK"


def table(printed: str, title: str) -> dict[str, list[str]]:
    """The rows below a title, by their first cell."""
    lines = printed.partition(f"| {title} |")[2].split("\n")[2:]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[: lines.index("")]]
    return {row[0]: row[1:] for row in rows}


def test_every_bot_is_measured() -> None:
    command = [sys.executable, "-m", "benchmarks.serving", "--seconds", "0.3", "--rounds", "1"]
    run = subprocess.run([*command, "steady"], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    installed = importlib.util.find_spec("microsoft_agents") is not None
    bots = {*BOTS, AGENTS} if installed else {*BOTS}
    rows = table(run.stdout + "\n", "10 in flight")
    assert rows.keys() == bots
    assert all(float(row[0]) > 0 for row in rows.values())
