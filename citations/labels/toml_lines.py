"""The lines of the tables and keys of a TOML file: ``tomllib`` does not keep them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

Path = tuple[str | int, ...]
"""A path such as ``("rule", 1, "file")``: the key ``file`` of the second ``[[rule]]``."""

_TOKEN: Final = re.compile(
    r'#[^\n]*|"""(?:\\.|[^\\])*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|\n|[\[\]{}=,.]|[^\s#\"'\[\]{}=,.]+",
    re.DOTALL,
)


def read_lines(text: str) -> Mapping[Path, int]:
    """The line of each table and key of ``text``, which must be valid TOML.

    What stands in an inline table, or in an array of them, has the line of its key.
    """
    lines: dict[Path, int] = {}
    tables: Counter[str] = Counter()
    table: Path = ()
    for line, statement in _statements(text):
        if statement[:2] == ["[", "["]:
            name = _name(statement[2])
            table = (name, tables[name])
            tables[name] += 1
            _begin(table, line, lines)
        elif statement[0] == "[":
            table = tuple(map(_name, statement[1:-1:2]))
            _begin(table, line, lines)
        else:
            keys = statement[: statement.index("=")]
            _begin((*table, *map(_name, keys[::2])), line, lines)
    return lines


def _begin(path: Path, line: int, lines: dict[Path, int]) -> None:
    """Note a table's line. ``ceiling.sms = "general"`` also begins the table ``ceiling``."""
    for length in range(1, len(path) + 1):
        lines.setdefault(path[:length], line)


def line_of(path: Path, lines: Mapping[Path, int]) -> int | None:
    """The line of ``path``, or of its nearest known parent; None for the whole file."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """The table headers and key-value pairs as tokens, each with its first line."""
    line, begun, depth = 1, 1, 0
    statement: list[str] = []
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign == "\n" and statement and depth == 0:
            yield begun, statement
            statement = []
        elif sign != "\n" and not sign.startswith("#"):
            begun = begun if statement else line
            statement.append(sign)
            depth += (sign in "[{") - (sign in "]}")
        line += sign.count("\n")
    if statement:
        yield begun, statement


def _name(token: str) -> str:
    """A key without its quotes. A key with escapes is not found; its table's line replaces it."""
    return token[1:-1] if token[:1] in ('"', "'") else token
