"""What a change has to know has limits: the lines that the modules of a subject reach by imports."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from typing import Final, NamedTuple

import pytest

from tests.reach import ROOT, count_lines, imports_of, module_files, reached_from


class Subject(NamedTuple):
    """Something that is changed, the modules where the change begins, and the most lines they may reach."""

    name: str
    roots: tuple[str, ...]
    most: int


SUBJECTS: Final = (
    Subject("how an answer is written", ("citations.renderer", "citations.channels"), 8_060),
    Subject("how a stream grows", ("citations.streaming",), 10_920),
    Subject("a provider's reader", ("citations.readers.anthropic",), 3_680),
    Subject("a check", ("citations.inspection.checks",), 6_935),
    Subject("a file format", ("bot.retrieval.files.docx",), 2_475),
    Subject("the search of a folder", ("bot.retrieval",), 14_740),
    Subject("a turn", ("bot.conversation",), 21_840),
    Subject("everything", ("citations", "bot"), 61_250),
)
SMALL: Final = 60
"""A module with fewer lines costs a head and an import for little."""
MOST_SMALL: Final = 50
OPEN_SETS: Final = ("citations.readers", "citations.channels", "bot.retrieval.files", "bot.sources")
PAGE: Final = ROOT / "docs" / "architecture.md"


@pytest.mark.parametrize("subject", SUBJECTS, ids=[one.name for one in SUBJECTS])
def test_a_change_has_to_know_no_more_than_this(subject: Subject) -> None:
    lines = count_lines(reached_from(*subject.roots))
    assert lines <= subject.most, f"{subject.name}: shorten it, or raise the limit here and in {PAGE.name}"


def test_the_page_has_these_limits() -> None:
    rows = re.findall(r"^\| (.+?) \| .+? \| ([\d,]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    said = [(name, int(most.replace(",", ""))) for name, most in rows]
    assert said == [(one.name, one.most) for one in SUBJECTS]


def test_a_name_of_a_lazy_door_counts_the_module_that_has_it() -> None:
    reached = imports_of("bot.conversation.answer_reader")
    assert "citations.streaming.stream" in reached  # RenderingStream, from `citations`
    assert "citations.model.answer_event" in reached
    assert {"bot.sources.room", "bot.sources"} <= reached
    assert "citations.readers.anthropic" not in reached


def test_each_module_is_reached_from_the_two_packages() -> None:
    assert reached_from("citations", "bot") == frozenset(module_files())


def test_no_modules_import_each_other() -> None:
    """Also within functions. The error names the circle."""
    TopologicalSorter({one: imports_of(one) for one in module_files()}).prepare()


def test_few_modules_are_small() -> None:
    """A small mechanism joins its only caller; a package's own module is its door.

    A member of an open set, such as a format of files, is as small as it can be.
    """
    files = [
        name
        for name, path in module_files().items()
        if path.name != "__init__.py" and name.rpartition(".")[0] not in OPEN_SETS
    ]
    small = [name for name in files if count_lines(frozenset({name})) < SMALL]
    assert len(small) <= MOST_SMALL, f"one of these joins what uses it: {sorted(small)}"
