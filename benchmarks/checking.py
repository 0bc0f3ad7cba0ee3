"""What ``check`` costs on hostile texts: 20,000 characters beside 10,000 of the same shape.

``python -m benchmarks.checking`` prints a table; twice the text should take about twice the time.
"""

from __future__ import annotations

import statistics
import time

from citations import check

SHAPES = (
    "[", "]", "[1]", "[1][2]", "![1]", "[a](", ">", "*a_ ", "\n[1]: x\n", "https://x[1]",
    "\\[1\\]", "`", "<", "<a ", "<!--",
    "<!-- -->", "> [1]: x\n\n", "- [1]: x\n", '[1]: <y> "z" w\n', "```\n[1]: x\n", "[1]: x y\n",
    "[doc1] `c` ", "【1†x】", "\n    [2]: x\n",
)  # fmt: skip
MESSAGE = {
    "@context": "https://schema.org",
    "@id": "",
    "@type": "Message",
    "type": "https://schema.org/Message",
    "citation": [
        {
            "@id": "https://example.com/1",
            "@type": "Claim",
            "appearance": {"@type": "DigitalDocument", "name": "One", "url": "https://example.com/1"},
            "position": "1",
        }
    ],
}


LENGTH = 10_000
"""Characters of the shorter text."""


def seconds(shape: str, length: int) -> float:
    """The median of five checks of ``length`` characters of one shape."""
    text = (shape * length)[:length] + '\n\n[1]: https://example.com/1 "One"'
    taken: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        check({"type": "message", "text": text, "entities": [MESSAGE]})
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def main() -> None:
    """Print the table."""
    print(f"| shape | {LENGTH:,} characters | {2 * LENGTH:,} characters | ratio |")
    print("|:--|--:|--:|--:|")
    for shape in SHAPES:
        one, two = seconds(shape, LENGTH), seconds(shape, 2 * LENGTH)
        shown = repr(shape).replace("|", "\\|")
        print(f"| `{shown}` | {one * 1e3:.1f} ms | {two * 1e3:.1f} ms | {two / one:.1f} |")


if __name__ == "__main__":
    main()
