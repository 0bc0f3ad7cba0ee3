"""What a rendering costs, beside one bare parse of the same text by markdown-it-py.

``python -m benchmarks.rendering`` prints three tables: an ordinary answer and its growth, hostile
shapes against plain text of the same length, and the steps of the pipeline. Everything is measured
in one run, in turns, so that a busy machine slows both sides alike; the figures are medians.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from markdown_it import MarkdownIt

from citations import Answer, Dialect, Reference, channel, cite, render
from citations.markdown import read_outcome

BARE = MarkdownIt("commonmark").enable("table")
WEB_CHAT = channel("webchat")
REFERENCES = tuple(
    Reference(
        id=str(number),
        name=f"Configure proxy server settings, part {number}",
        url=f"https://learn.example.com/proxy/{number}?view=server",
        text="A proxy server stands between the clients of a network and the internet. " * 3,
        media_type="text/html",
    )
    for number in range(1, 13)
)
SECTION = """## Step {a}: set the proxy for **every user**

Override the *default* settings when the proxy requires authentication[{a}]. Run `netsh winhttp set
proxy` once, or set `HTTP_PROXY` for a single program[{b}]; both are read at start, e.g. by services.

- **Windows** reads `Settings > Network`, and falls back to the registry[{c}]
- *Linux* reads the environment, see [the manual] for 3.5 and later

| Setting | Default | Meaning |
|---------|:-------:|---------|
| `host`  | none    | name of the server[{d}] |
| `port`  | 8080    | its port, not quoted |

"""
FILLER = "The rest of the answer is plain prose, as a model writes it, with nothing to look at closely. "


def ordinary(size: int) -> str:
    """An answer of ``size`` characters for each 12 markers: headings, lists, a table, code, prose."""
    sections = "".join(SECTION.format(a=n + 1, b=n + 2, c=n + 3, d=n + 4) for n in (0, 4, 8))
    one = sections + FILLER * ((3000 - len(sections)) // len(FILLER) + 1)
    return (one[:3000].rstrip() + "\n\n") * max(1, size // 3000)


PREFIXES = {"[x]( and [": "[x]("}
HOSTILE = {
    "plain text": FILLER,
    "[": "[",
    "[x]( and [": "[",
    "[x](": "[x](",
    "[a](<b": "[a](<b",
    "![": "![",
    "![a](b)[c](d)": "![a](b)[c](d)",
    "]": "]",
    "[1](": "[1](",
    "[[1]": "[[1]",
    "[1]": "[1]",
    "【1": "【1",
    ">": ">",
    "> [1]: x (lines)": "> [1]: x\n",
    "[1]: x (lines)": "[1]: x\n",
    "*a_ ": "*a_ ",
    "**": "**",
    "`": "` `` ",
    "backtick runs": "".join("`" * n + " " for n in range(1, 60)),
    "<": "<",
    "<!--": "<!--",
    "<a b=": "<a b=",
    "<div> (lines)": "<div>\n",
    "&": "&",
    "\\": "\\",
    "- - -": "- ",
    "- x (lines)": "- x\n",
    "| (lines)": "|a|b|\n",
    "a|b table": "|a|b|\n|-|-|\n" + "|[1]|`x`|\n" * 50,
    "a.b.c": "a.",
    "https://": "https://x.y ",
    "```": "```\n",
}


def seconds(work: Callable[[], object], rounds: int) -> list[float]:
    """How long each of some rounds took."""
    taken: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def beside(first: Callable[[], object], second: Callable[[], object], rounds: int) -> tuple[float, float]:
    """The medians of two works, measured in turns."""
    one: list[float] = []
    other: list[float] = []
    for _ in range(rounds):
        one += seconds(first, 1)
        other += seconds(second, 1)
    return statistics.median(one), statistics.median(other)


def answer(text: str) -> Answer:
    """An answer with twelve references."""
    return Answer(text=text, references=REFERENCES, dialect=Dialect.NUMBERED)


def rendered(text: str) -> object:
    """The whole pipeline, for Web Chat."""
    return render(cite(answer(text)), WEB_CHAT)


def growth() -> None:
    """Print what answers of three sizes cost beside a bare parse."""
    print("| answer | bare parse | rendered and verified | ratio | of the 3 KB one |")
    print("|-------:|-----------:|----------------------:|------:|----------------:|")
    base = 0.0
    for size, rounds in ((3_000, 200), (48_000, 15), (480_000, 5)):
        text = ordinary(size)
        bare, ours = beside(partial(BARE.parse, text), partial(rendered, text), rounds)
        base = base or ours
        print(
            f"| {len(text) / 1000:.0f} KB | {bare * 1e3:.2f} ms | {ours * 1e3:.2f} ms | {ours / bare:.2f} "
            f"| {ours / base:.0f} × |"
        )


def parsing(text: str) -> Callable[[], object]:
    """What markdown-it-py does in a rendering: the blocks of the answer, and what was written."""
    written = render(cite(answer(text)), WEB_CHAT).text

    def parse() -> None:
        BARE.block.parse(text, BARE, {}, [])
        read_outcome(written, encoded=False)

    return parse


def hostile(length: int = 20_000) -> None:
    """Our part is what a rendering takes beside markdown-it-py's two readings."""
    print(f"\n| {length:,} characters of | rendered | our part | of an answer's | twice the length |")
    print("|:--|--:|--:|--:|--:|")
    plain = ordinary(length)[:length]
    whole, parse = beside(partial(rendered, plain), parsing(plain), 15)
    base = whole - parse
    print(f"| an ordinary answer | {whole * 1e3:.1f} ms | {base * 1e3:.1f} ms | 1.0 × | |")
    for name, piece in HOSTILE.items():
        text = (PREFIXES.get(name, "") + piece * (length // len(piece) + 1))[:length]
        whole, parse = beside(partial(rendered, text), parsing(text), 5)
        double = statistics.median(seconds(partial(rendered, text + text), 3))
        shown = name.replace("|", "\\|").replace("`", "\\`")
        print(
            f"| `{shown}` | {whole * 1e3:.1f} ms | {(whole - parse) * 1e3:.1f} ms "
            f"| {(whole - parse) / base:.1f} × | {double / whole:.1f} × |"
        )


if __name__ == "__main__":
    growth()
    hostile()
