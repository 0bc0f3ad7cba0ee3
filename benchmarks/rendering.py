"""What a rendering costs, beside one bare parse of the same text by markdown-it-py.

``python -m benchmarks.rendering`` prints three tables: an ordinary answer and its growth, the channels, and
hostile shapes against plain text of the same length. ``--against PATH`` prints one instead: the growth here
and with the ``citations`` of the checkout at ``PATH``. Everything is CPU time, measured in one run, in
turns; the figures are medians.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from markdown_it import MarkdownIt

from citations import Answer, Dialect, Reference, channel, cite, render
from citations.inspection import read_markdown

from . import turns
from .turns import Checkout, cpu_seconds, in_turns, median_ratio

ROUNDS = {3_000: 100, 48_000: 15, 480_000: 5}
"""How often an answer of each size is rendered."""
LENGTH = 20_000
"""Characters of a hostile text."""
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


@cache
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


def answer(text: str) -> Answer:
    """An answer with twelve references."""
    return Answer(text=text, references=REFERENCES, dialect=Dialect.NUMBERED)


def rendered(text: str) -> object:
    """The whole pipeline, for Web Chat."""
    return render(cite(answer(text)), WEB_CHAT)


WORKS: dict[str, turns.Work] = {"bare": BARE.parse, "rendered": rendered}
CHANNELS = ("webchat", "msteams", "email", "sms")


def channels() -> None:
    """Print what the two smaller answers cost on each kind of channel, in bare parses."""
    print("\n| answer | " + " | ".join(CHANNELS) + " |\n|--:|" + "--:|" * len(CHANNELS))

    def render_for(channel_id: str, text: str) -> object:
        return render(cite(answer(text)), channel(channel_id))

    for size, rounds in [*ROUNDS.items()][:2]:
        text = ordinary(size)
        works: list[turns.Work] = [BARE.parse, *(partial(render_for, one) for one in CHANNELS)]
        bare, *ours = in_turns([partial(cpu_seconds, work, text) for work in works], rounds)
        ratios = " | ".join(f"{median_ratio(one, bare):.2f}" for one in ours)
        print(f"| {size // 1000} KB | {ratios} |")


def serve() -> None:
    """Do the works that another process asks for."""
    turns.serve(WORKS, ordinary)


def growth() -> None:
    """Print what answers of three sizes cost beside a bare parse."""
    print("| answer | bare parse | rendered | ratio | of the 3 KB one |")
    print("|-------:|-----------:|---------:|------:|----------------:|")
    base = 0.0
    for size, rounds in ROUNDS.items():
        works = [partial(cpu_seconds, work, ordinary(size)) for work in WORKS.values()]
        bare, ours = in_turns(works, rounds)
        spent = statistics.median(ours)
        base = base or spent
        print(
            f"| {size // 1000} KB | {statistics.median(bare) * 1e3:.2f} ms | {spent * 1e3:.2f} ms "
            f"| {median_ratio(ours, bare):.2f} | {spent / base:.0f} × |"
        )


def growth_against(path: Path) -> None:
    """Print what the same costs here and in the checkout at ``path``, in bare parses of each side."""
    here, there = (Checkout(side, "benchmarks.rendering") for side in (turns.HERE, path))
    print("| answer | bare parses here | there | here / there |")
    print("|-------:|-----------------:|------:|-------------:|")
    for size, rounds in ROUNDS.items():
        works = [partial(side.seconds, work, size) for side in (here, there) for work in WORKS]
        bare, ours, their_bare, theirs = in_turns(works, rounds)
        print(
            f"| {size // 1000} KB | {median_ratio(ours, bare):.2f} | {median_ratio(theirs, their_bare):.2f} "
            f"| {median_ratio(ours, theirs):.2f} |"
        )
    here.close()
    there.close()


def parsing(text: str) -> turns.Work:
    """What markdown-it-py does in a rendering: the blocks of the answer, and what was written."""
    written = render(cite(answer(text)), WEB_CHAT).text

    def parse(text: str) -> None:
        BARE.block.parse(text, BARE, {}, [])
        read_markdown(written)

    return parse


def hostile() -> None:
    """Our part is what a rendering takes beside markdown-it-py's two readings."""
    length = LENGTH
    print(f"\n| {length:,} characters of | rendered | our part | of an answer's | twice the length |")
    print("|:--|--:|--:|--:|--:|")
    plain = ordinary(length)[:length]
    whole, parse = _medians(plain, 15)
    base = whole - parse
    print(f"| an ordinary answer | {whole * 1e3:.1f} ms | {base * 1e3:.1f} ms | 1.0 × | |")
    for name, piece in HOSTILE.items():
        text = (PREFIXES.get(name, "") + piece * (length // len(piece) + 1))[:length]
        whole, parse = _medians(text, 5)
        double = statistics.median(in_turns([partial(cpu_seconds, rendered, text + text)], 3)[0])
        shown = name.replace("|", "\\|").replace("`", "\\`")
        print(
            f"| `{shown}` | {whole * 1e3:.1f} ms | {(whole - parse) * 1e3:.1f} ms "
            f"| {(whole - parse) / base:.1f} × | {double / whole:.1f} × |"
        )


def _medians(text: str, rounds: int) -> tuple[float, float]:
    """The medians of a rendering, and of what markdown-it-py does in it."""
    works: list[Callable[[], float]] = [
        partial(cpu_seconds, work, text) for work in (rendered, parsing(text))
    ]
    ours, theirs = in_turns(works, rounds)
    return statistics.median(ours), statistics.median(theirs)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rendering")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout to compare with")
    against = parser.parse_args().against
    if against:
        growth_against(against)
    else:
        growth()
        channels()
        hostile()


if __name__ == "__main__":
    main()
