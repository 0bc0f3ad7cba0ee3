"""A second source of hostile texts: short ones of indents, containers and atoms, and changed examples.

It shares no list with :mod:`.pieces`, so that it finds what nobody thought of there.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tests import commonmark

INDENTS: Final = ("", "", "", "", " ", "  ", "   ", "    ", "     ", "      ", "\t", " \t")
CONTAINERS: Final = ("> ", ">", "- ", "-", "* ", "+ ", "1. ", "1.", "2) ", "-\t", ">\t", "-   ", "1.     ")
ATOMS: Final = (
    "x", "x y", "é", "", "", "\\", "[1]", "[1]", "[2]", "\\[x\\]", "\\(x\\)", "$$x$$", "$$", "$x$", "$5", "```html-widget", "`", "``", "```", "````", "~~~", "`x`", "***",
    "---", "===", "#", "# x", "|", "a|b", "-|-", "|-|", "|a|", ":-", "*", "**", "_", "~~", "<div>", "</div>", "<b>", "<br>", "<br>", "<sup>", "</sup>", "<sub>2</sub>", "<!--", "-->", "<?", "&lt;", "&#96;",
    "![x](https://evil.example/i.png)", "[x](https://evil.example/)", "[1](https://evil.example/)", "[x][r]", "[r]: https://evil.example/r",
    "[r]:", "https://evil.example/", "'t'", "[^1]: x", "[^1]", "https://evil.example/b", "www.evil.example", "a@evil.example", "<https://evil.example/>",
    "<img src=https://evil.example/i.png>", "{aria-label=x}", "⟬aria-label=x⟭", "![", "[", "]", "](", ")", "!", "(", ":",
)  # fmt: skip
LIVE: Final = (
    "![x](https://evil.example/i.png)",
    "[x](https://evil.example/)",
    "<img src=https://evil.example/i.png>",
    "[1](https://evil.example/)",
)
EXAMPLES: Final = "EXAMPLES"
"""The environment variable that names a folder whose text files have further examples: a checkout of
markdown-it, micromark, marked, or GFM's specification."""
_EXAMPLE: Final = re.compile(r"^`{20,} example[^\n]*\n(.*?)^\.\n.*?^`{20,}$", re.DOTALL | re.MULTILINE)
_FIXTURE: Final = re.compile(r"^\.\n(.*?)^\.\n.*?^\.$", re.DOTALL | re.MULTILINE)
_LONGEST: Final = 400


def short_text(chance: Random) -> str:
    """A text of the second source."""
    text = chance.choice((_lines, _lines, _example))(chance)
    place = chance.random()
    if place < 0.4:
        return f"{text}\n\nSee [1]."
    return f"See [1]. {text}" if place < 0.5 else text


def _lines(chance: Random) -> str:
    return "\n".join(_line(chance) for _ in range(chance.randint(1, 5)))


def _line(chance: Random) -> str:
    parts = [chance.choice(INDENTS)]
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        parts += chance.choice(CONTAINERS), chance.choice(("", "", "", " ", "    "))
    parts += (chance.choice(ATOMS) + chance.choice(("", "", " ")) for _ in range(chance.choice((1, 1, 2, 3))))
    return "".join(parts)


def _example(chance: Random) -> str:
    """An example with something live in it, or two of them with a part of one in the other."""
    text = chance.choice(examples())
    for _ in range(chance.choice((1, 1, 2, 3))):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((0, 0, 1, 2, 5)))
        text = text[:start] + _put(chance) + text[end:]
    return text


def _put(chance: Random) -> str:
    put: Callable[[], str] = chance.choice(
        (
            lambda: chance.choice(LIVE),
            lambda: chance.choice(ATOMS),
            lambda: f"\n{_line(chance)}\n",
            lambda: _part(chance.choice(examples()), chance),
        )
    )
    return put()


def _part(text: str, chance: Random) -> str:
    start = chance.randint(0, len(text))
    return text[start : start + chance.randint(1, 20)]


@functools.cache
def examples() -> tuple[str, ...]:
    """The examples of CommonMark, and those of the folder that ``EXAMPLES`` names."""
    folder = os.environ.get(EXAMPLES)
    return (*commonmark.texts(), *commonmark.TABLES, *(_found(Path(folder)) if folder else ()))


def _found(folder: Path) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".txt", ".md"} and path.is_file() and "node_modules" not in path.parts:
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
            parts = _EXAMPLE.findall(text) or _FIXTURE.findall(text) or [text]
            found.update(dict.fromkeys(part.replace("→", "\t") for part in parts if len(part) < _LONGEST))
    return tuple(found)
