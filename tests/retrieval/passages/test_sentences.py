"""Text into units: the table reads as prose, the properties hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retrieval.document import Section, SourceDocument
from bot.retrieval.passages.sentences import LONGEST, split_units
from bot.retrieval.passages.split import SIZE, split_passages

UNITS = {
    "two sentences": ("One is here. Two is there.", ["One is here.", "Two is there."]),
    "a question and a shout": ("Is it? Yes! Good.", ["Is it?", "Yes!", "Good."]),
    "abbreviations of four languages": (
        "Nach dem sog. Tarif (BGBl. I Nr. 66) gem. § 11, lt. Urteil v. 19.6.2019, mind. 6 Wochen. Mag. Engel: le 1er juill. 1997, Tél. : (221) 33, en alemán, pág. 5.",
        [
            "Nach dem sog. Tarif (BGBl. I Nr. 66) gem. § 11, lt. Urteil v. 19.6.2019, mind. 6 Wochen.",
            "Mag. Engel: le 1er juill. 1997, Tél. : (221) 33, en alemán, pág. 5.",
        ],
    ),
    "abbreviations": (
        "See Fig. 3 by Smith et al. for e.g. Paris. Dr. Wu agreed.",
        ["See Fig. 3 by Smith et al. for e.g. Paris.", "Dr. Wu agreed."],
    ),
    "initials": ("It was J. R. Tolkien. He wrote.", ["It was J. R. Tolkien.", "He wrote."]),
    "numbers": ("It costs 3.50 euros. Not 4.", ["It costs 3.50 euros.", "Not 4."]),
    "a German date": ("Am 3. Mai ist frei. Am 4. nicht.", ["Am 3. Mai ist frei.", "Am 4. nicht."]),
    "days, months and sections before a number": (
        "Retour dim. 9 sept. 2018 : 15h30. Am Fr. 8.00 bis 12.00 Uhr. Bis 3. Okt. 2024 kostet es Fr. 50.-. See O. Reg. 332/12 for it.",
        ["Retour dim. 9 sept. 2018 : 15h30.", "Am Fr. 8.00 bis 12.00 Uhr.", "Bis 3. Okt. 2024 kostet es Fr. 50.-.", "See O. Reg. 332/12 for it."],
    ),
    "a number word at the end": ("Ils sont sept. Ils restent.", ["Ils sont sept.", "Ils restent."]),
    "numbers of clauses": (
        "No one sells. 2.16. Every person pays. 2.17.1. The fee is 3.5. It is due.",
        ["No one sells.", "2.16. Every person pays.", "2.17.1. The fee is 3.5.", "It is due."],
    ),
    "a lower-case start goes on": ("The web site example.com. it works.", ["The web site example.com. it works."]),
    "an ellipsis or a shout within a sentence": (
        "The glyph (… or U+2026) is used. Yahoo! is one word.",
        ["The glyph (… or U+2026) is used.", "Yahoo! is one word."],
    ),
    "a parenthesis within": ("Hats (caps, hoods, etc.) are not allowed. Why?", ["Hats (caps, hoods, etc.) are not allowed.", "Why?"]),
    "single letters": (
        "Nimm Papier (z.\nB. einen Block) i. S. v. § 11 o. Ä. mit. Es kostet 1,7 Mio. € im Jahr.",
        ["Nimm Papier (z.\nB. einen Block) i. S. v. § 11 o. Ä. mit.", "Es kostet 1,7 Mio. € im Jahr."],
    ),
    "a single letter at the end": ("Choose plan b. It is cheap.", ["Choose plan b.", "It is cheap."]),
    "closing quotes": ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
    "wrapped lines": ("This sentence is wrapped over\nthree lines\nof text.", ["This sentence is wrapped over\nthree lines\nof text."]),
    "wrapped before a long word": (
        "Ist die Befristung rechtsunwirksam, so gilt der befristete\nArbeitsvertrag als auf unbestimmte Zeit geschlossen, wie es heißt.",
        ["Ist die Befristung rechtsunwirksam, so gilt der befristete\nArbeitsvertrag als auf unbestimmte Zeit geschlossen, wie es heißt."],
    ),
    "entries of several words": ("The lead of the finance team: Tomasz\nThe lead of the office: Ana", ["The lead of the finance team: Tomasz", "The lead of the office: Ana"]),
    "Chinese": ("今天下雨。明天晴天！", ["今天下雨。", "明天晴天！"]),
    "Hindi": ("यह पहला है। यह दूसरा है।", ["यह पहला है।", "यह दूसरा है।"]),
    "list items": ("- first thing\n- second thing\n  goes on", ["- first thing", "- second thing\n  goes on"]),
    "an item that is wrapped before a capital": (
        "-   **Worms:** This kind of attack on the\n    Internet spreads.\n- See [Travel\n  Guide](a.md)",
        ["-   **Worms:** This kind of attack on the\n    Internet spreads.", "- See [Travel\n  Guide](a.md)"],
    ),
    "an item with a break": ("- **Phone**\\\n  Call us.", ["- **Phone**\\", "Call us."]),
    "breaks before lines": (
        "Send it to this address:\n<br />\n<br />Ana Grob\n<br>9000 St. Gallen\n<br /> <br />\n<br />It takes\ntwo months.",
        ["Send it to this address:", "<br />Ana Grob", "<br>9000 St. Gallen", "<br />It takes\ntwo months."],
    ),
    "numbered items": ("1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]),
    "table rows": ("| A | B |\n|---|---|\n| 1 | 2 |", ["| A | B |", "| 1 | 2 |"]),
    "code": ("```python\nx = 1. \ny = 2\n```\nDone.", ["x = 1. \ny = 2", "Done."]),
    "code in an item": ("1. Run it:\n\n   ~~~\n   make\n   ~~~\n2. Wait.", ["1. Run it:", "   make", "2. Wait."]),
    "entries": ("Phone: 1100\nFax: 1101", ["Phone: 1100", "Fax: 1101"]),
    "rules": ("Above.\n\n---\n\nBelow.", ["Above.", "Below."]),
    "blanks to be filled in": ("- Date\n- ________ _____\n- Name: ____", ["- Date", "- Name: ____"]),
    "what says nothing": (
        '\\\nP2PU is open.\n\n**\n\n[](../services/.md)\n\n![the map](my map.png) <a id="x"></a>\n\n*    *\n\n&#x20;\n\n- Ana\n- **\n',
        ["P2PU is open.", "- Ana"],
    ),
    "signs behind a sentence": ("**Who may ask ? **\n\n“We all. You, too!” »", ["**Who may ask ? **", "“We all.", "You, too!” »"]),
    "nothing": (" \n\t\n", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), UNITS.values(), ids=UNITS)
def test_units(text: str, expected: list[str]) -> None:
    assert [text[unit.start : unit.end] for unit in split_units(text)] == expected


KINDS = {
    "A whole sentence stands here.": "sentence",
    "- an item": "item",
    "Finance lead: Tomasz Wrona": "item",
    "| a | row |": "row",
    "```\ncode\n```": "code",
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=KINDS.values())
def test_kinds(text: str, kind: str) -> None:
    assert [unit.kind for unit in split_units(text)] == [kind]


PROSE = st.text(
    alphabet=st.sampled_from("ab AZ\n.!?。-|`~#*1 \t> "), max_size=3000
) | st.text(max_size=400)  # fmt: skip


@given(PROSE)
def test_units_are_in_order_bounded_and_leave_out_no_letter(text: str) -> None:
    found = split_units(text)
    end = 0
    for unit in found:
        assert end <= unit.start < unit.end <= len(text)
        assert unit.end - unit.start <= LONGEST
        assert not any(
            character.isalpha() and character not in "xo" for character in _between(text, end, unit.start)
        )
        end = unit.end
    assert not any(character.isalpha() for character in _between(text, end, len(text)))


def _between(text: str, start: int, end: int) -> str:
    """What lies between two units, without lines that open or close code: those may name a language."""
    lines = text[start:end].split("\n")
    return "".join(line for line in lines if "`" not in line and "~" not in line)


@given(PROSE, st.integers(0, 3000))
def test_passages_slice_back_and_hold_every_unit(text: str, cut: int) -> None:
    cut = min(cut, len(text))
    document = SourceDocument(
        text=text, sections=(Section(0, cut, ("A",)), Section(cut, len(text), ("A", "B")))
    )
    found = list(split_passages(document, "a.txt", None))
    assert all(text[passage.start : passage.end] == passage.text for passage in found)
    assert all(len(passage.text) <= SIZE for passage in found)
    for section in document.sections:
        for unit in split_units(text, section.start, section.end):
            assert any(one.start <= unit.start and unit.end <= one.end for one in found)


def test_a_long_paragraph_is_cut_into_equal_parts_that_say_so() -> None:
    text = " ".join(f"This is sentence number {number:03} of a long text." for number in range(80))
    found = list(split_passages(SourceDocument(text=text, sections=(Section(0, len(text)),)), "a.txt", None))
    assert [len(passage.units) for passage in found] == [40, 40]
    assert [(one.goes_on_before, one.goes_on_after) for one in found] == [(False, True), (True, False)]


def test_a_paragraph_that_fits_is_never_cut() -> None:
    paragraphs = ["One of many sentences here. " * length for length in (60, 20, 40, 16)]
    text = "\n\n".join(paragraphs)
    found = list(split_passages(SourceDocument(text=text, sections=(Section(0, len(text)),)), "a.txt", None))
    assert [len(passage.units) for passage in found] == [60, 60, 16]
    assert not any(passage.goes_on_before or passage.goes_on_after for passage in found)


def test_a_lead_stays_with_its_list() -> None:
    text = "Filler is here. " * 100 + "\n\nBring these things:\n\n" + "- a thing to bring\n" * 25
    found = list(split_passages(SourceDocument(text=text, sections=(Section(0, len(text)),)), "a.md", None))
    assert [passage.text.split("\n")[0][:20] for passage in found] == [
        "Filler is here. Fill",
        "Bring these things:",
    ]


def test_a_unit_knows_the_pages_on_which_it_stands() -> None:
    text = "Page one. It begins on one page and ends on the next. Page two."
    sections = (Section(0, 30, ("H",), 1), Section(30, len(text), ("H",), 2))
    (passage,) = split_passages(SourceDocument(text=text, sections=sections), "a.pdf", None)
    assert [passage.find_places([unit]) for unit in passage.units] == [(1, 1), (1, 2), (2, 2)]
    assert passage.find_places() == (1, 2)


def test_rows_far_below_know_their_header() -> None:
    rows = "\n".join(f"| city number {number} | {number} € |" for number in range(80))
    text = f"| City | Limit |\n| --- | --- |\n{rows}"
    found = list(split_passages(SourceDocument(text=text, sections=(Section(0, len(text)),)), "a.md", None))
    assert len(found) > 1
    assert [passage.table for passage in found] == [""] + ["| City | Limit |"] * (len(found) - 1)
