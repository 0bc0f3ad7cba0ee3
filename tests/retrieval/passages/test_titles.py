"""What a source is called: the document's title, told apart where titles repeat or say nothing."""

from __future__ import annotations

import pytest

from bot.retrieval.files import read
from bot.retrieval.files.outline import clean_title
from bot.retrieval.passages.titles import is_same_title, name_documents

NAMES = {
    "a title": ({"leave.md": "Leave and holidays"}, ["Leave and holidays"]),
    "no title": ({"notes/todo.txt": None}, ["todo.txt"]),
    "equal titles in files of other names": (
        {"hr/leave.md": "Leave", "hr/leave-2023.md": "LEAVE"},
        ["Leave (leave.md)", "LEAVE (leave-2023.md)"],
    ),
    "equal titles in files of one name": (
        {"de/index.html": "Leave", "ch/zug/index.html": "Leave"},
        ["Leave (de)", "Leave (ch/zug)"],
    ),
    "equal titles, folders and names": (
        {"a/x.md": "Leave", "a/y.md": "Leave", "b/x.md": "Leave"},
        ["Leave (a/x.md)", "Leave (a/y.md)", "Leave (b/x.md)"],
    ),
    "files of one name": (
        {"a/notes.txt": None, "b/notes.txt": None, "notes.txt": None},
        ["notes.txt (a)", "notes.txt (b)", "notes.txt"],
    ),
    "a title that says nothing": (
        {"billing.md": "Introduction", "guide/README.md": "README", "README.md": "Readme"},
        ["billing.md", "README (guide)", "Readme (README.md)"],
    ),
    "titles that differ only where they are cut": (
        {"a.md": "Policy on " + "very " * 20 + "long leave", "b.md": "Policy on " + "very " * 20 + "short leave"},
        ["Policy on very very very very very very very very… (a.md)", "Policy on very very very very very very very very… (b.md)"],
    ),
    "a title of many files, and a file's name that says more": (
        {"7294-17 Responsible Pet Ownership By-Law.pdf": "The Corporation of the Town", "6917-14 Noise.pdf": "The Corporation of the Town"},
        ["7294-17 Responsible Pet Ownership By-Law.pdf", "The Corporation of the Town (6917-14 Noise.pdf)"],
    ),
    "equal titles in long folders": (
        {"guides/for/people/in/the/north/index.md": "What to do in the first week", "guides/for/people/in/the/south/index.md": "What to do in the first week"},
        ["What to do in the first week (guides/for/people/in/the/north)", "What to do in the first week (guides/for/people/in/the/south)"],
    ),
    "the heading of a first day": ({"minutes.md": "March 1", "b.md": "12. Mai"}, ["minutes.md", "b.md"]),
    "a table of contents": (
        {"statutes.pdf": "Contents", "satzung.pdf": "Inhalt", "statuts.pdf": "Sommaire", "estatutos.pdf": "Índice"},
        ["statutes.pdf", "satzung.pdf", "statuts.pdf", "estatutos.pdf"],
    ),
    "a heading that many files share, but for its numbers": (
        {f"meeting-{day}.pdf": f"Present on {day} May" for day in (1, 2, 3)},
        ["meeting-1.pdf", "meeting-2.pdf", "meeting-3.pdf"],
    ),
    "the heading of a first section": (
        {
            "minutes.odt": "1. Welcome by the board",
            "annual-leave.md": "2.1 Annual leave",
            "statuts.md": "Article premier - Nom",
            "satzung.md": "Name",
            "estatutos.md": "Artículo primero. Nombre",
            "vereinssatzung.md": "Artikel 1 Zweck",
        },
        ["minutes.odt", "2.1 Annual leave", "statuts.md", "satzung.md", "estatutos.md", "vereinssatzung.md"],
    ),
    "a title that the file's name does not confirm": (
        {"bylaws.pdf": "The Chess Club, Inc.", "satzung.pdf": "Zweck des Vereins und noch vieles andere, was lang ist", "ab.pdf": "ACME"},
        ["The Chess Club, Inc. (bylaws.pdf)", "Zweck des Vereins und noch vieles andere, was… (satzung.pdf)", "ACME"],
    ),
    "a file's name in other letters, or with the words joined": (
        {"gebuehren_2024.md": "Gebühren", "agegroups.md": "Age Groups", "mitgliedsantrag.pdf": "Antrag auf Mitgliedschaft", "capitulo-01.md": "Capítulo I"},
        ["Gebühren", "Age Groups", "Antrag auf Mitgliedschaft", "Capítulo I"],
    ),
    "a title and a file's name that are too long for each other": (
        {"CovenantsConditionsRestrictionsOfAll.md": "What the owners of a lot have to do"},
        ["CovenantsConditionsRestrictionsOfAll.md"],
    ),
    "a number is all that a file's name says": ({"laws/oruro/063.html": None, "laws/101.html": "Water"}, ["063.html (laws/oruro)", "Water"]),
    "a long title without spaces": ({"a.md": "設" * 100}, ["設" * 59 + "…"]),
}  # fmt: skip


@pytest.mark.parametrize(("titles", "names"), NAMES.values(), ids=NAMES)
def test_names(titles: dict[str, str | None], names: list[str]) -> None:
    found = name_documents(titles)
    assert list(found) == list(titles)
    assert list(found.values()) == names


MADE_UP = ("", "Microsoft Word - travel.docx", "travel_policy_v2", "Untitled", "Document1", "12", "PowerPoint Presentation", "Présentation PowerPoint", "book.indd", "( 7)/h-\ufffdcd", "{{ title|e }} - Site", None)  # fmt: skip


@pytest.mark.parametrize("title", MADE_UP)
def test_no_person_wrote_this_title(title: str | None) -> None:
    assert clean_title(title) is None


def test_a_title_is_the_same_in_another_case() -> None:
    assert is_same_title("Leave  and holidays", "LEAVE and Holidays")
    assert not is_same_title("Leave", "Leave and holidays")


TITLES = {
    "front matter": ("a.md", "---\nlayout: x\nTitle: 'Leave'\n---\n# Other\ntext", "Leave"),
    "front matter of two lines": ("a.md", "---\ntitle: Leave\n  and holidays\nx: y\n---\ntext", "Leave and holidays"),
    "front matter in JSON": ("a.md", '{\n  "layout": "x",\n  "title": "Leave"\n}\n\n# Other\ntext', "Leave"),
    "the first heading": ("a.md", "# Leave\ntext\n# More\ntext", "Leave"),
    "one heading of level 2": ("a.md", "## Leave\ntext\n### More\ntext", "Leave"),
    "several headings of level 2": ("a.md", "## Leave\ntext\n## More\ntext", None),
    "a title line": ("a.txt", "Leave\n\nYou get thirty days.", "Leave"),
    "a directive is no title": ("a.txt", ".. note:\n\nYou get thirty days.", None),
    "a heading between two lines": ("a.txt", "=====\nLeave\n=====\n\nYou get thirty days.", "Leave"),
    "a page's title": ("a.html", "<title>Leave</title><h1>Nordlicht</h1>text", "Leave"),
    "a page's title with the site": ("a.html", "<title>Leave | Nordlicht</title><h1>Leave</h1>text", "Leave"),
    "properties of the file that was copied": ("a.rtf", r"{\rtf1{\info{\title Identity theft prevention}}Parental leave of theft victims}", None),
    "properties that the text has most words of": ("a.rtf", r"{\rtf1{\info{\title Parental leave policy}}You get parental leave.}", "Parental leave policy"),
    "a page's heading": ("a.html", "<h1>Leave</h1>text", "Leave"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "title"), TITLES.values(), ids=TITLES)
def test_titles(name: str, text: str, title: str | None) -> None:
    assert read(text.encode(), name).title == title
