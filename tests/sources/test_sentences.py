"""The sentences around what is shown."""

from __future__ import annotations

from bot.languages import speaking
from bot.sources.sentences import write_nearest
from citations import Reference
from citations.model import Place, PlaceKind


def test_passages_of_one_name_are_told_apart_by_their_pages() -> None:
    references = [
        Reference(id="1", name="Statutes › Officers", page=3),
        Reference(id="2", name="Statutes › Officers", page=4),
        Reference(id="3", name="Statutes › Removal", page=5),
    ]
    with speaking("de"):
        titles = [line for line in write_nearest(references, ["…"] * 3).split("\n") if line.startswith("*")]
    assert titles == [
        "*Statutes › Officers, S. 3* [1]", "*Statutes › Officers, S. 4* [2]", "*Statutes › Removal* [3]"
    ]  # fmt: skip


def test_rows_of_one_sheet_are_told_apart_by_their_numbers() -> None:
    rows = [
        Reference(id=str(row), name="prices.csv", place=Place(kind=PlaceKind.ROW, first=row))
        for row in (2, 3)
    ]
    titles = [line for line in write_nearest(rows, ["…"] * 2).split("\n") if line.startswith("*")]
    assert titles == ["*prices.csv, row 2* [2]", "*prices.csv, row 3* [3]"]
