"""``python -m tests.growth --shapes 3000``: the growth of so many shapes on every route, without streams."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from .measure import MOST, Growth, measure
from .routes import ROUTES
from .shapes import some_shapes


def main() -> int:
    """Measure, and print what grows too fast, and then the steepest. An interrupt ends the run there."""
    parser = argparse.ArgumentParser(prog="tests.growth", description=__doc__)
    parser.add_argument("--shapes", type=int, default=100, help="how many shapes (default: 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--length", type=int, help="characters of the shorter text (default: 4,000)")
    parser.add_argument(
        "--route", action="append", choices=ROUTES, help="one of the routes; several times for more"
    )
    given = parser.parse_args()
    routes = given.route or [route for route in ROUTES if "stream" not in route]
    found: list[Growth] = []
    with suppress(KeyboardInterrupt):
        for number, shape in enumerate(some_shapes(given.shapes, given.seed), 1):
            for route in routes:
                growth = measure(shape, route, given.length)
                found.append(growth)
                if growth.ratio > MOST:
                    print(f"{growth.ratio:6.1f} {growth.seconds:7.3f} s  {route}: {shape}", flush=True)
            if not number % 100:
                print(f"{number} shapes", file=sys.stderr, flush=True)
    print(f"\nThe steepest of {len(found):,}:")
    for one in sorted(found, key=lambda growth: -growth.ratio)[:10]:
        print(f"| {one.route} | `{one.shape}` | {one.ratio:.1f} × | {one.seconds * 1000:.0f} ms |")
    return int(any(one.ratio > MOST for one in found))


if __name__ == "__main__":
    sys.exit(main())
