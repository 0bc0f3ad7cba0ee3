"""All pairs of pieces that the writer puts side by side, as the clients' engines read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

from citations.channels.email import EmailWriter
from citations.channels.teams import TeamsWriter
from citations.markdown import (
    Badge,
    Break,
    Code,
    Document,
    Formula,
    Mark,
    MarkdownWriter,
    MarkKind,
    Node,
    Paragraph,
    Text,
    Typed,
)
from citations.text.url import live_hosts_only

from ..normal_html import normal_html
from .judge import Expected, judge
from .search import engines

LIVE = frozenset({"live.example"})
URL = "https://good.example/1"
EDGES = "a ( : ! [ ] $ \\ ` * _ ~ & # < > | { } ⟬ . @ 1 -".split()


def marked(kind: MarkKind, *inside: Node, target: str = "") -> list[Node]:
    return [Mark(kind, True, 0, 0, target, "["), *inside, Mark(kind, False, 0, 0, target, f"]({target})")]


PIECES: dict[str, list[Node]] = {
    **{f"text {sign}": [Text(f"x{sign}", 0, 0)] for sign in EDGES},
    **{f"text that begins with {sign}": [Text(f"{sign}x", 0, 0)] for sign in EDGES},
    "code": [Code("a`b", 0, 0)],
    "short code": [Code("c", 0, 0)],
    "formula": [Formula("$$", "x", 0, 0)],
    "formula in brackets": [Formula("\\]", "x", 0, 0)],
    "badge": [Badge((1,), "")],
    "badge with a page": [Badge((1,), "(p. 2)")],
    "typed": [Typed("![a](https://evil.example/i.png)", "a", 0, 0)],
    "line end": [Break(False, 0, 0)],
    "hard line end": [Break(True, 0, 0)],
    "emphasis": marked(MarkKind.EMPHASIS, Text("e", 0, 0)),
    "strong": marked(MarkKind.STRONG, Text("s", 0, 0)),
    "struck": marked(MarkKind.STRUCK, Text("t", 0, 0)),
    "strong code": marked(MarkKind.STRONG, Code("k", 0, 0)),
    "live link": marked(MarkKind.LINK, Text("l", 0, 0), target="https://live.example/x"),
    "dead link": marked(MarkKind.LINK, Text("d", 0, 0), target="https://evil.example/x"),
}
WRITERS: dict[str, Callable[[], MarkdownWriter]] = {
    "webchat": lambda: MarkdownWriter(live_hosts_only(LIVE)),
    "msteams": lambda: TeamsWriter(live_hosts_only(LIVE)),
    "email": lambda: EmailWriter(live_hosts_only(LIVE), {1: URL}),
}


def test_no_engine_joins_two_of_them() -> None:
    definition = ("1", URL, "Good")
    texts, expected = [], []
    for channel, writer in WRITERS.items():
        for first, second in product(PIECES.values(), repeat=2):
            nodes = (*first, *second)
            if all(isinstance(node, Text) for node in nodes):
                continue  # two texts are one
            written = writer().document(Document((Paragraph(nodes),)))
            texts.append(f'{written}\n\n[1]: {URL} "Good"' if channel == "webchat" else written)
            badges = Counter("1" for node in nodes if isinstance(node, Badge))
            definitions = () if channel == "msteams" else (definition,)
            expected.append(Expected(channel, definitions, badges, LIVE))
    assert len(texts) > 4_000
    read = engines().read(texts)
    wrong = [
        (text, finding)
        for text, one, own in zip(texts, read, expected, strict=True)
        for finding in judge(one, own)
        if finding.holds
    ]
    assert wrong == []


def test_a_reader_gets_both() -> None:
    """But for emphasis, which only some engines would see there."""
    writer = MarkdownWriter(live_hosts_only(LIVE))
    seen = {
        name: nodes for name, nodes in PIECES.items() if "line end" not in name and "strong code" not in name
    }

    def read(nodes: list[Node]) -> str:
        return normal_html(writer.inline([Text("m ", 0, 0), *nodes, Text(" n", 0, 0)])).replace("\u200b", "")

    alone = {name: read(nodes) for name, nodes in seen.items()}
    for (first, before), (second, behind) in product(seen.items(), repeat=2):
        one, other = alone[first].removesuffix(" n</p>"), alone[second].removeprefix("<p>m ")
        assert read([*before, *behind]) == one + other, (first, second)
