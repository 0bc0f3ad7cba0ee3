"""``python -m tests.clients``: look for answers that an engine reads otherwise than it should.

The answers of a seed are the same until the corpora change. A table says how often which engine found what; below it stand
the shortest answers of each kind, made shorter, with what was rendered and what was read. It ends with 1
where an engine of which DESIGN § 4.3 promises it found something.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator
from itertools import count
from random import Random

from .answers import HostileAnswer
from .rendered import CHANNELS, STREAMED, JudgedText, RenderedText, plain_answer, rendered, streamed
from .search import CHUNK, SOURCES, Chunk, Tally, engines, search_all
from .shorter import shorter


def main() -> int:
    """Search, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=__doc__)
    parser.add_argument(
        "--channel",
        choices=CHANNELS,
        action="append",
        help="one of them, or several; all (that stream) if not given",
    )
    parser.add_argument("--answers", type=int, default=10_000, help="how many, on each channel")
    parser.add_argument("--minutes", type=float, help="how long, on each channel, instead of --answers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--source", choices=SOURCES, default="pieces", help="what makes the texts")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--streamed", action="store_true", help="tell the answers in pieces, and read each interim too"
    )
    parser.add_argument("--examples", type=int, default=1, help="how many of each kind are shown (at most 3)")
    parser.add_argument(
        "--all", action="store_true", help="show those of engines that nothing is promised of, too"
    )
    parser.add_argument("--raw", action="store_true", help="do not make the answers shorter")
    arguments = parser.parse_args()
    holds = True
    for channel_id in arguments.channel or (STREAMED if arguments.streamed else CHANNELS):
        started = time.monotonic()
        tally = Tally()
        for part in search_all(_chunks(channel_id, arguments), arguments.processes):
            tally.add(part)
            if sys.stderr.isatty():
                print(f"\r{tally.answers} answers", end="", file=sys.stderr)
        report(channel_id, tally, time.monotonic() - started, arguments)
        holds = holds and not tally.crashes and not any(held for _, _, held in tally.counts)
    return 0 if holds else 1


def _chunks(channel_id: str, arguments: argparse.Namespace) -> Iterator[Chunk]:
    deadline = time.monotonic() + arguments.minutes * 60 if arguments.minutes else math.inf
    for number in count() if arguments.minutes else range(-(-arguments.answers // CHUNK)):
        if time.monotonic() > deadline:
            return
        yield Chunk(
            channel_id, arguments.seed, number, arguments.streamed, source=arguments.source, others=True
        )


def report(channel_id: str, tally: Tally, seconds: float, arguments: argparse.Namespace) -> None:
    """Print the table, and the shortest answers."""

    def write(hostile: HostileAnswer) -> list[RenderedText]:
        if arguments.streamed:
            return streamed(channel_id, hostile, Random(0))
        return rendered(channel_id, hostile)

    print(
        f"\n{channel_id}: {tally.answers} answers, {tally.texts} texts, {tally.degraded} without formatting, "
        f"{len(tally.crashes)} crashes, {seconds:.0f} s, {tally.answers / seconds:.0f} answers/s"
    )
    for key, number in sorted(tally.counts.items(), key=lambda item: (not item[0][2], item[0])):
        kind, engine, held = key
        print(f"  {'' if held else '(no promise) ':13}{kind:16} {engine:22} {number:7}")
    for text, error in sorted(tally.crashes, key=lambda crash: len(crash[0]))[:3]:
        print(f"\n  crash {error}\n    answer    {text!r}")
    for (kind, engine, held), found in sorted(tally.examples.items(), key=lambda item: item[0]):
        for one in found[: arguments.examples] if held or arguments.all else ():
            show(
                one if arguments.raw else shorter(engines(others=True), write, one, kind, engine),
                kind,
                engine,
            )


def show(one: JudgedText, kind: str, engine: str) -> None:
    """Print one answer, what was rendered, and what was read."""
    hostile = one.rendered.hostile
    print(f"\n  {one.rendered.expected.channel}: {kind}, {engine}\n    answer    {hostile.answer.text!r}")
    if hostile != plain_answer(hostile.answer.text):
        for reference in hostile.answer.references:
            print(
                f"    reference {reference.id!r}, {reference.name!r}, {reference.url!r}, {reference.text!r}"
            )
        print(f"    with      {hostile.answer.dialect}, live hosts {set(hostile.live_hosts)}")
        for span in hostile.answer.spans:
            print(f"    {span}")
    print(f"    rendered  {one.rendered.text!r}")
    for finding in one.findings:
        if finding.engine == engine:
            print(f"    reads     {finding.kind}: {finding.detail}")


if __name__ == "__main__":
    sys.exit(main())
