"""What is measured: each case drives every bot in turn, and prints a table."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Final

from .bench import Bench, median
from .driver import Run

SIDES: Final = {
    "stock": "the SDK's `CloudAdapter`",
    "agents": "the Agents SDK",
    "adapter_only": "our adapter alone",
    "ours": "ours, whole",
}


def _shown(bench: Bench) -> list[str]:
    return [side for side in SIDES if side in bench.drivers]


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


def _mb(size: int) -> str:
    return f"{size / 2**20:.0f} MB"


async def steady(bench: Bench) -> None:
    """Ten turns under way all the time."""
    runs = await bench.rounds_of(10)
    print("| 10 in flight | turns/s | × | p50 | p95 | p99 | CPU a turn | × |")
    print("|:--|--:|--:|--:|--:|--:|--:|--:|")
    stock = [median(runs["stock"], figure) for figure in (Run.rate, Run.cpu_per_turn)]
    for side in _shown(bench):
        rate, cpu = median(runs[side], Run.rate), median(runs[side], Run.cpu_per_turn)
        latencies = [_ms(median(runs[side], partial(Run.latency, part=part))) for part in (0.5, 0.95, 0.99)]
        print(
            f"| {SIDES[side]} | {rate:.0f} | {rate / stock[0]:.1f} | {' | '.join(latencies)} "
            f"| {cpu * 1e3:.2f} ms | {stock[1] / cpu:.1f} |"
        )


async def credentials(bench: Bench) -> None:
    """Ten turns under way all the time, each with a token of the channel's and one of the bot's own."""
    runs = await bench.rounds_of(10)
    print("\n| 10 in flight, token service of 100 ms | turns/s | × | p50 | p99 |")
    print("|:--|--:|--:|--:|--:|")
    stock = median(runs["stock"], Run.rate)
    for side in _shown(bench):
        rate = median(runs[side], Run.rate)
        p50, p99 = (_ms(median(runs[side], partial(Run.latency, part=part))) for part in (0.5, 0.99))
        print(f"| {SIDES[side]} | {rate:.0f} | {rate / stock:.1f} | {p50} | {p99} |")


async def slow(bench: Bench) -> None:
    """Two hundred turns at once, and a connector that takes two seconds for each."""
    print("\n| 200 turns, connector of 2 s | all answered after | × |")
    print("|:--|--:|--:|")
    stock = 0.0
    for side in _shown(bench):
        rounds = 1 if side == "stock" else bench.rounds
        runs = [await bench.run(side, 200, turns=200, delay=2.0) for _ in range(rounds)]
        wall = median(runs, lambda run: run.wall)
        stock = stock or wall
        print(f"| {SIDES[side]} | {wall:.1f} s | {stock / wall:.1f} |")


async def lag(bench: Bench) -> None:
    """A hundred turns under way: how late is the event loop?"""
    runs = await bench.rounds_of(100, gauge="lag")
    print("\n| 100 in flight | turns/s | p99 | loop lag p50 | p99 | longest |")
    print("|:--|--:|--:|--:|--:|--:|")
    for side in _shown(bench):
        lags = [_ms(median(runs[side], partial(Run.lag, part=part))) for part in (0.5, 0.99, 1)]
        slowest = _ms(median(runs[side], partial(Run.latency, part=0.99)))
        print(f"| {SIDES[side]} | {median(runs[side], Run.rate):.0f} | {slowest} | {' | '.join(lags)} |")


async def memory(bench: Bench) -> None:
    """What is resident after a thousand turns of a few people, nine thousand more, and those of many.

    The first two tell what a turn leaves behind, the last what is kept of a conversation.
    """
    print("\n| resident after | 1,000 turns | 10,000 turns | more | 10,000 more, in 5,000 conversations |")
    print("|:--|--:|--:|--:|--:|")
    for side in _shown(bench):
        if side == "stock":
            continue
        first = (await bench.run(side, 10, turns=1000, conversations=100)).resident
        last = (await bench.run(side, 10, turns=9000, conversations=100)).resident
        many = (await bench.run(side, 10, turns=10_000)).resident
        print(
            f"| {SIDES[side]} | {_mb(first)} | {_mb(last)} | {last / first - 1:.0%} "
            f"| {_mb(many)}, {many / first - 1:.0%} more |"
        )


async def profile(bench: Bench) -> None:
    """Whose code takes the CPU of a turn, and at which places most of it goes."""
    runs = await bench.rounds_of(10, gauge="profile")
    for side in _shown(bench):
        owners: Counter[str] = Counter()
        places: Counter[str] = Counter()
        for run in runs[side]:
            for owner, place, count in run.samples:
                owners[owner] += count
                places[f"{owner} {place}"] += count
        each = median(runs[side], Run.cpu_per_turn) / owners.total() * 1e3
        print(f"\n| {SIDES[side]} | CPU a turn | |\n|:--|--:|--:|")
        for owner, count in owners.most_common():
            print(f"| {owner} | {each * count:.2f} ms | {count / owners.total():.0%} |")
        print()
        for place, count in places.most_common(20):
            print(f"    {each * count * 1e3:5.0f} µs {place}")


CASES: Final = {
    "steady": steady,
    "slow": slow,
    "lag": lag,
    "memory": memory,
    "profile": profile,
    "credentials": credentials,
}
