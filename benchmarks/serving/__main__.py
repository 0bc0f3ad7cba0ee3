"""What a turn costs, beside the SDK's own adapter and its successor's.

    python -m benchmarks.serving [--agents PYTHON] [--seconds 4] [--rounds 5] [CASE ...]

Every bot is a process, and so is the connector that they answer to; each says the same activity, which is
compared at the connector. They take turns, so that a busy machine slows all of them alike, and each figure
is the median of its rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import sys

from .bench import benching
from .cases import CASES


def read_options() -> argparse.Namespace:
    """What to measure, and for how long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    cases = f"{', '.join(CASES)} (without any: all but profile)"
    parser.add_argument("cases", nargs="*", metavar="CASE", help=cases)
    parser.add_argument("--seconds", type=float, default=4.0, help="for which a bot is driven each time")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


async def main() -> None:
    """Start every bot, and print a table for each case."""
    options = read_options()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}\n")
    agents = sys.executable if importlib.util.find_spec("microsoft_agents") else None
    chosen = options.cases or [case for case in CASES if case != "profile"]
    for registered in (False, True):
        cases = [CASES[case] for case in chosen if (case == "credentials") is registered]
        if cases:
            bench = benching(
                agents,
                seconds=options.seconds,
                rounds=options.rounds,
                tokens_after=0.1 if registered else None,
            )
            async with bench as running:
                for case in cases:
                    await case(running)


if __name__ == "__main__":
    asyncio.run(main())
