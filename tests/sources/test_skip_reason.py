"""Every reason for which retrieval skips a file has a sentence in each language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.languages import speaking
from bot.retrieval.document import say_unread
from bot.retrieval.files import UNREAD
from bot.retrieval.reading.limits import CRASHED, ReadingLimits
from bot.sources.skip_reason import explain_skip

RETRIEVAL = Path(__file__).parents[2] / "bot" / "retrieval"


def iter_reasons() -> Iterator[str]:
    """The reasons that the modules of retrieval write, with 7 for what is filled in."""
    for file in RETRIEVAL.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in {"UnreadableError", "Skipped"}:
                    yield from filter(None, map(read_literal, node.args[-1:]))
                elif node.func.id == "say_unread" and (name := read_literal(node.args[-1])):
                    yield from (*say_unread(1, name), *say_unread(2, name))


def read_literal(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


LIMITS = ReadingLimits()


@cache
def reasons() -> frozenset[str]:
    return frozenset(
        {
            *(
                one
                for one in iter_reasons()
                if not one.startswith(("the format", "7 of a format", "it is of the old"))
            ),
            *(f"it is of the old {suffix} format" for suffix in (".doc", ".ppt", ".xls")),
            *(f"the format {suffix} is not read ({advice})" for suffix, advice in UNREAD.items()),
            *(LIMITS.too_slow, LIMITS.too_hungry, CRASHED),
            *("1 file of a format that is not read", "3 files of a format that is not read"),
        }
    )


def test_there_are_reasons() -> None:
    assert len(reasons()) > 60
    assert "it is damaged" in reasons()


@pytest.mark.parametrize("tag", ["de", "fr", "es"])
def test_no_reason_stays_in_english(tag: str) -> None:
    with speaking("en"):
        english = {reason: explain_skip(reason) for reason in reasons()}
    with speaking(tag):
        same = {reason for reason in reasons() if explain_skip(reason) == english[reason]}
    assert same == set()


def test_a_reason_keeps_its_numbers_and_a_new_one_its_words() -> None:
    assert explain_skip("2 hidden sheets are not read") == "2 hidden sheets are not read."
    assert explain_skip("the format .xls is not read (save it as XLSX or CSV)") == (
        "The format .xls is not read. Save the file as XLSX or CSV."
    )
    assert explain_skip("it is made of cheese") == "It is made of cheese."
