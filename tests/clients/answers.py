"""Hostile answers, from a seed: what models, documents and people could write to be read otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from citations import Answer, Dialect, Reference
from tests.ordinary_answers import ordinary_answers
from tests.streams import short_answers
from tests.test_hostile import ANSWERS

EVIL: Final = "https://evil.example/"
LIVE: Final = frozenset({"live.example"})
MARKERS: Final = (
    "[1]", "[1]", "[1]", "[2]", "[1][2]", "[1, 2]", "[1-2]", "[9]", "[n](1)", "[Report](file-2)", "[a](x.pdf)", "【1】", "［2］",
    "[doc1]", "[2024]", "[^1]", "[[1]]", "[1](noted)", "[1]:", "![1]", "\\[1]", "\\[1\\]", "[ 1 ]", "[1][]", "[x][1]", "[1,p. 3]",
)  # fmt: skip
LIVE_PIECES: Final = (
    f"![x]({EVIL}i.png)", f"[x]({EVIL})", f"[1]({EVIL})", f"[(1)]({EVIL})", f'[x]({EVIL} "t")', "![x][r]", "[x][r]", "[r]", f"<img src={EVIL}i.png>",
    f'<img src="{EVIL}i.png">', f"<a href={EVIL}>1</a>", "<b>", "</b>", "<br>", "<!-- x -->", "<!--", "-->", "<?x?>", "<!X>", "<![CDATA[x]]>",
    "<script>", "</script>", "<style>", "<textarea>", "<details>", f"<{EVIL}>", "<a@evil.example>", "<mailto:a@evil.example>", "<x:y>",
    f"[x](<{EVIL}>)", f"[x](\n{EVIL})", "[x](live.example)", "[x](https://live.example/a)", "[1](https://live.example/a)", "[x](/a)", "[x](#a)", "[x]()",
    "[x](javascript:alert(1))", "[x](cite:1)", "[1](cite:1)", "[x](data:text/html,x)", "[x](<>)", "[x](a(b)c)", "[x](a\\)b)",
)  # fmt: skip
TAILS: Final = (
    f"]({EVIL}", "](", "](<", f"](<{EVIL}", f']({EVIL} "', f"]({EVIL} (", "][", "]:", "]()", "](`", f"]({EVIL}`)`", "](a\nb)", "](a 'b",
    "](\\", "](&", "](<a\n", "](a b)", "](a<b>)", "][r](", "](]", "](a(b", f"]({EVIL}\n", '](a "b\n\nc")', "]\n(x)", "] (x)", "]\u200b(x)", "](\u200b",
)  # fmt: skip
ADDRESSES: Final = (
    EVIL, "http://evil.example", "https://evil.example/a_(b).", "https://evil.example/a[1]", "www.evil.example", "www.evil.example/x?y=1&z=2.",
    "WWW.EVIL.EXAMPLE", "evil.com", "evil.com/x", "a@evil.example", "a.b+c@evil.com", "mailto:a@evil.example", "xmpp:a@evil.example/x", "//evil.example", "//localhost/x",
    "ftp://evil.example", "tel:+1", "sip:a@evil.example", "HTTPS://EVIL.EXAMPLE", "https&#58;//evil.example", "https&colon;//evil.example", "https:&#47;/evil.example",
    "www&#46;evil.example", "www&period;evil.example", "a&#64;evil.example", "a&commat;evil.example", "https\\://evil.example", "www\\.evil.example", "a\\@evil.example",
    "https:/\\/evil.example", "https://evil.example,", "https://evil.example!", "https://evil.example)", "https://evil.example&gt;", "https://evil.example**", "(https://evil.example)",
    "https://evil.example](x)", "*www.evil.example*", "_www.evil.example_", "~www.evil.example~", "www.evil.example\u200b", "https://é.example", "http://evil", "https://1.2.3.4/", "192.168.0.1",
    "https://evil.example|", "https://user:pass@evil.example/", "1www.evil.example", "https://evil.example/`", "http://a.b-c_d.ef", "evil.пример", "www.点.中国",
)  # fmt: skip
ENTITIES: Final = (
    "&lt;", "&gt;", "&#60;", "&#x3c;", "&LT;", "&lbrack;", "&#91;", "&#x5B;", "&rsqb;", "&#93;", "&lpar;", "&#40;", "&rpar;", "&#41;", "&grave;", "&#96;", "&excl;", "&#33;", "&colon;",
    "&#58;", "&sol;", "&#47;", "&commat;", "&#64;", "&period;", "&#46;", "&bsol;", "&#92;", "&lcub;", "&#123;", "&quot;", "&NewLine;", "&#10;", "&#13;", "&Tab;", "&#9;", "&nbsp;", "&amp;",
    "&amp;lt;", "&#0;", "&#xD800;", "&#x110000;", "&lt", "&#60", "&", "&ZeroWidthSpace;", "&verbar;", "&#124;", "&dollar;", "&num;", "&gt;&gt;", "&ast;", "&lowbar;",
)  # fmt: skip
ATTRIBUTES: Final = (
    '{aria-label="Verified"}', "{aria-label=Verified}", "{aria-label}", '{ aria-label="x" }', '{ARIA-LABEL="x"}', '⟬aria-label="x"⟭', "⟬aria-label=x⟭", "⟬aria-label⟭", "⟬.x⟭", "⟬#x⟭",
    '{aria-label="', '"}', "⟬", "⟭", "{", "}", '{aria-label="a\nb"}', "{aria-label='x'}", '{aria-label="⟬"}', '{aria-\nlabel="x"}', '&#123;aria-label="x"}', '{aria&#45;label="x"}',
    '{\u200baria-label="x"}', '{\naria-label="x"\n}', '{aria-label=""}', '\\{aria-label="x"}', "{href=https://evil.example}", '⟬aria-label="x" aria-label="y"⟭', '{aria-label="`"}',
    '{aria-label="[1]"}', "\n{aria-label=x}", " {aria-label=x}", '{aria-label="x"}{aria-label="y"}', "{aria-label=`x`}", "⟬⟬aria-label=x⟭⟭", "{{aria-label=x}}",
)  # fmt: skip
MATH: Final = (
    "$$", "\\(", "\\)", "\\[", "\\]", "$", "$$x$$", "\\(x\\)", "\\[x\\]", "$$\n", "\n$$", "\\$$", "$$$$", "$$\\href{https://evil.example}{x}$$", "\\\\(", "$$\\undefined <img src=x>$$",
    "\\[\\undefined `<img src=x>`\\]", "\\( `<img src=x>` \\)", "$$ \\x `<a href=x>` $$", "\\[\n", "\n\\]",
)  # fmt: skip
ODDITIES: Final = (
    "\ufeff", "\u200b", "\u200c", "\u200d", "\u2060", "\xad", "\u202e", "\u2066", "\x00", "\x0b", "\x0c", "\x1b", "\x85", "\xa0", "\u2028", "\u2029", "\u3000", "\ufffd", "\ufe0f", "\u180e", "\u115f",
    "\U000e0041", "\ud800", "\udc00", "\ue000", "\ufffe", "\r", "\r\n", "\n\r", "\t", "\u1680", "\u2003", "\u0301", "\u0600", "\u034f", "￼", "\u061c",
)  # fmt: skip
DEFINITIONS: Final = (
    f"[r]: {EVIL}d", f"[1]: {EVIL}d", f"[2]: <{EVIL}d> 't'", f"[r]:\n{EVIL}d", f'[r]: {EVIL}d "t\nu"', f'[r]: {EVIL}d "t', f"[r\n]: {EVIL}d", "[r]:", "[r]: <", f"[R]: {EVIL}D", f"[1\\]: {EVIL}d",
    f"[^1]: {EVIL}d", "[^1]: a note", "[^1]: a note [x](https://evil.example)", f"[x]: {EVIL}d\n    {EVIL}phish", f"[x]: {EVIL}d\n\t![x]({EVIL}i.png)", f"[r]: {EVIL}d\n===", f"[r]: {EVIL}d\n- x", f"[r]: {EVIL}d\t",
    f"[r]: {EVIL}d\n[s]: {EVIL}e\n\t[x]({EVIL})", f"[`]: {EVIL}d`", f"[r]: {EVIL}d 't' x", f"[１]: {EVIL}d", "*[HTML]: x", f"[r]: {EVIL}d |\n-|-", f"[\u00df]: {EVIL}d", f"[SS]: {EVIL}d",
)  # fmt: skip
WORDS: Final = (
    "word", "The sky", " ", " ", " ", ".", ",", ": ", "**", "*", "_", "__", "~~", "~", "\\", "\\\\", "!", "!", "[", "]", "(", ")", "<", ">", "|", '"', "'", "é", "日本", "👩‍🔬", "1", "-", "+", "#", "=", "x", "a.b", "@",
    ":", "/", "//", "&", ";", "\n", "\n", "  \n", "\\\n", "`", "``", "<x", "x>", "[ ]", "[x]", "[sic]", "(see)", "`code`", "`` ` ``", "`a`", "``` `` ",
)  # fmt: skip
STARTS: Final = (
    "> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "- [ ] ", "    ", "\t", "  ", "   ", " ", "# ", "###### ", ">\t", "-\t", "1.\t", ">     ", "-     ", "-      ", "> > ", "- - ", "> - ", "- > ", "|", "| ", "\ufeff", "\u200b",
    "\x0b", "\xa0", "0. ", "1234567890. ", "-\n  ", ">\n", "* * ", "- \t",
)  # fmt: skip
LINES: Final = (
    "", "", "===", "---", "- -", "***", "-", "=", "```", "````", "~~~", "```x", "``` `", "~~~ `", "<div>", "</div>", "<pre>", "</pre>", "<!--", "-->", "<x>", "</x>", "-|-", "|-|-|", ":-:", "|-", "--|--|--", "| - | - |", "-|", "$$", "\\[", "\\]",
    "<script>", "<style>", "<?", "<![CDATA[", "]]>", "<a", "<b", "    ", "\t", "# ", "#", "  ", "\x0c", "\xa0", "    ```", "   ```", "> ```", "- ```",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostileAnswer:
    """An answer, and the hosts whose links it may keep."""

    answer: Answer
    live_hosts: frozenset[str] = frozenset()


def hostile_answer(chance: Random) -> HostileAnswer:
    """The next answer."""
    text = hostile_text(chance)
    live = LIVE if chance.random() < 0.1 else frozenset[str]()
    dialect = None if chance.random() < 0.7 else chance.choice((Dialect.NUMBERED, Dialect.NAMED_LINK))
    return HostileAnswer(Answer(text=text, references=references(chance), dialect=dialect), live)


def hostile_text(chance: Random) -> str:
    """A text of one of the kinds below, changed somewhat, nearly always with a marker."""
    text = chance.choice(_KINDS)(chance)
    if chance.random() < 0.3:
        text = mutated(text, chance)
    place = chance.random()
    if place < 0.5:
        return f"{text}\n\nSee [1]."
    if place < 0.7:
        return f"See [1]. {text}"
    if place < 0.8:
        cut = chance.randint(0, len(text))
        return f"{text[:cut]}[1]{text[cut:]}"
    return text


NAMES: Final = (
    "Handbook", "Handbook", None, "", 'A "quoted" name', "](https://evil.example)", "x\\", "`x", "<img src=x>", "[1]: x", "a\n\nb", "{aria-label=x}", "⟬aria-label=x⟭", "$$x$$", "\\[x\\]", "&lt;b&gt;", "www.evil.example",
    "https://evil.example", "a@evil.example", "x" * 130, "é\u202e", "\ufeff", "(1)", "[1]", "a|b", "a*b_c~d", "x&", "x&quot", "\\", "\\&quot;", "'x'", "!", "-", "# x", "> x", "```",
)  # fmt: skip
URLS: Final = (
    "https://good.example/1", "https://good.example/1", "https://good.example/2", "https://good.example/2", None, None, "javascript:x", "https://good.example/(a)[b]", "https://good.example/`*_~$",
    "https://good.example/?a=1&copy;=2&lt;", "https://münchen.example/ü", "https://good.example/a b", 'https://good.example/"x', "https://good.example/x\\", "https://good.example/<x>", "https://good.example/{aria-label=x}",
    "http://good.example", "https://good.example/\u200b", "https://good.example/⟬aria-label=x⟭", "https://good.example/%5B%zz", "https://good.example/#|", "//good.example", "https://good.example./", "https://[::1]/",
    "https://good.example/$$x$$", "https://GOOD.example/A", "https://good.example/&#41;", "https://xn--a.example/", "https://good.example/~~x~~", "https://good.example/__x__", "https://good.example/'",
)  # fmt: skip


def references(chance: Random) -> tuple[Reference, ...]:
    """Up to three, with plain names and URLs more often than hostile ones."""
    return tuple(
        Reference(
            id=id_,
            name=chance.choice(NAMES),
            url=chance.choice(URLS),
            text=hostile_text(chance) if chance.random() < 0.1 else "A passage.",
        )
        for id_ in ("1", "2", "file-2")[: chance.randint(1, 3)]
    )


def some(chance: Random, pieces: Sequence[str], most: int) -> str:
    """Some of ``pieces``."""
    return "".join(chance.choices(pieces, k=chance.randint(1, most)))


def ticks(chance: Random) -> str:
    """Runs of backticks of every length, with what is live between them."""
    parts: list[str] = []
    for _ in range(chance.randint(2, 8)):
        run = "`" * chance.choice((1, 1, 1, 2, 2, 3, 3, 4, 5))
        if chance.random() < 0.4:
            parts += (run, chance.choice((*LIVE_PIECES, *LIVE_PIECES, *MARKERS, *TAILS, *ATTRIBUTES)), run)
        else:
            parts += (
                run,
                chance.choice((" ", " ", "", "x", "\n", "[", "]", "\\", "|", "(", "![", "a `", "*")),
            )
        parts.append(chance.choice(("", " ", " ", "x")))
    return "".join(parts)


def tails(chance: Random) -> str:
    """Brackets, and tails of links that break off."""
    return "".join(
        piece
        for _ in range(chance.randint(1, 4))
        for piece in (
            chance.choice(("[x", "![x", "[1", "[[x]", "[`x`", "[x\n", "\\[x", "[", "![", "[a b")),
            chance.choice(TAILS),
            chance.choice((*WORDS, *LIVE_PIECES, "`", "`", ")", ")`", "`)`", '"', '")', ">)", "\\", "\n")),
        )
    )


def table(chance: Random) -> str:
    """A table, or what nearly is one, with rows of any width and lines behind it."""
    cells: Callable[[], str] = lambda: some(chance, _CELLS, 3).replace("\n", " ")  # noqa: E731
    width = chance.randint(1, 3)
    edge = chance.choice(("", "", "|", "| "))

    def row() -> str:
        count = width if chance.random() < 0.7 else chance.randint(1, 4)
        return edge + chance.choice(("|", " | ")).join(cells() for _ in range(count)) + edge.rstrip()

    rule = edge + "|".join(chance.choices(("-", "---", ":-", ":-:", " - "), k=width)) + edge.rstrip()
    rows = [row() for _ in range(chance.randint(0, 3))]
    behind = [
        chance.choice(("    ", "\t", *STARTS)) + some(chance, (*_CELLS, *LIVE_PIECES), 2)
        for _ in range(chance.choice((0, 1, 1, 2)))
    ]
    before = [cells()] if chance.random() < 0.3 else []
    return "\n".join((*before, row(), rule, *rows, *behind))


_CELLS: Final = (*WORDS, *LIVE_PIECES, *MARKERS, "`", "`", "\\|", "a", "`|`", *ATTRIBUTES[:8], *ADDRESSES[:8])


def addresses(chance: Random) -> str:
    """Addresses with neighbours."""
    return "".join(
        chance.choice(("", " ", "(", "*", "[", "\n", '"', "x", "/", "&#8203;", "<", "> ", "`"))
        + chance.choice(ADDRESSES)
        + chance.choice((*WORDS, *MARKERS, "", " "))
        for _ in range(chance.randint(1, 3))
    )


def encoded(chance: Random) -> str:
    """Structure with some of its characters as entities or escapes."""
    text = some(chance, (*LIVE_PIECES, *ADDRESSES, *ATTRIBUTES, *DEFINITIONS), 2)
    odds = chance.choice((0.05, 0.15, 0.4))
    return "".join(_encode(character, chance) if chance.random() < odds else character for character in text)


def _encode(character: str, chance: Random) -> str:
    code = ord(character)
    return chance.choice(
        (f"&#{code};", f"&#x{code:x};", f"&#X{code:05X};", "\\" + character, chance.choice(ENTITIES))
    )


def attributes(chance: Random) -> str:
    """Attributes at everything that may have one."""
    return "".join(
        chance.choice(
            (
                *WORDS,
                *MARKERS,
                *LIVE_PIECES[:8],
                "**x**",
                "*x*",
                "`x`",
                "- x",
                "# x",
                "> x",
                "|a|b|\n|-|-|\n|c|d|",
                "```\nx\n```",
            )
        )
        + chance.choice(ATTRIBUTES)
        for _ in range(chance.randint(1, 4))
    )


def formulas(chance: Random) -> str:
    """Formulas around everything."""
    return some(chance, (*MATH, *MATH, *LIVE_PIECES, *MARKERS, *WORDS, "`", "``"), 8)


def definitions(chance: Random) -> str:
    """Definitions, with what stands in front of and behind them."""
    return "\n".join(
        chance.choice(("", "", "", *STARTS))
        + chance.choice((*DEFINITIONS, *DEFINITIONS, *LINES, some(chance, WORDS, 3)))
        for _ in range(chance.randint(1, 5))
    )


def lines(chance: Random) -> str:
    """Lines in containers, with fences, HTML and rules between them."""
    return "\n".join(_line(chance) for _ in range(chance.randint(2, 7)))


def _line(chance: Random) -> str:
    start = some(chance, STARTS, 2) if chance.random() < 0.6 else ""
    if chance.random() < 0.45:
        return start + chance.choice(LINES)
    return start + some(chance, _ANYTHING, 3).replace("\n", " ")


def odd(chance: Random) -> str:
    """What nobody sees, between all else."""
    return some(
        chance, (*ODDITIES, *ODDITIES, *LIVE_PIECES, *WORDS, *MARKERS, *STARTS, *DEFINITIONS, "\n"), 10
    )


def mixed(chance: Random) -> str:
    """Anything behind anything."""
    return some(chance, _ANYTHING, 14)


_ANYTHING: Final = (
    *WORDS, *WORDS, *MARKERS, *MARKERS, *LIVE_PIECES, *LIVE_PIECES, *TAILS, *ADDRESSES, *ENTITIES, *ATTRIBUTES, *MATH, *ODDITIES, *("\n" + line + "\n" for line in LINES), *("\n\n" + line + "\n" for line in DEFINITIONS),
    *("\n" + start for start in STARTS), "`", "`", "``", "```", "|", "|", "\n\n", "\n",
)  # fmt: skip


def known(chance: Random) -> str:
    """What the corpora have, changed."""
    text = chance.choice(corpus())
    if len(text) > 500:
        start = chance.randint(0, len(text) - 400)
        text = text[start : start + 400]
    return mutated(text, chance)


@functools.cache
def corpus() -> tuple[str, ...]:
    """The texts of the other tests."""
    from .kept import kept

    ordinary = (answer.text for answer in ordinary_answers().values())
    short = (answer.text for answer in short_answers())
    hostile = tuple(text for text in ANSWERS.values() if len(text) < 300)
    return (*ordinary, *short, *hostile * 6, *(one.text for one in kept()), *(one.text for one in kept()))


def mutated(text: str, chance: Random) -> str:
    """``text`` with some pieces taken out, put in, moved, or written otherwise."""
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 1, 1, 2, 5, 20)))
        match chance.randrange(6):
            case 0:
                text = text[:start] + text[end:]
            case 1 | 2:
                text = text[:start] + chance.choice(_ANYTHING) + text[start:]
            case 3:
                text = text[:start] + chance.choice(_ANYTHING) + text[end:]
            case 4:
                to = chance.randint(0, len(text))
                text = text[:to] + text[start:end] + text[to:]
            case _:
                rows = text.split("\n")
                row = chance.randrange(len(rows))
                rows[row] = chance.choice(STARTS) + rows[row]
                text = "\n".join(rows)
    return text


_KINDS: Final[tuple[Callable[[Random], str], ...]] = (
    ticks, ticks, tails, tails, table, table, addresses, encoded, attributes, formulas, definitions, lines, lines, odd, mixed, mixed, known, known,
)  # fmt: skip
