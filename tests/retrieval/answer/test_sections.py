"""Sections that are asked for by their numbers, in laws and manuals, with headings and without."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.retrieval.answer.documents import Scope
from bot.retrieval.answer.search_result import SearchResult, search
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.question.section import find_section
from bot.sources.folder import FolderSource
from citations import AnswerKind, TextDelta

LEAVE = """\
# Urlaubsgesetz
## § 3 Dauer des Urlaubs
(1) Der Urlaub beträgt jährlich mindestens 24 Werktage.

(2) Als Werktage gelten alle Tage, die keine Feiertage sind.
## § 12 Heimarbeit
Für die Heimarbeit gelten die vorstehenden Regeln. Ausgenommen ist § 3 Abs. 1.
## § 12a Übergang
Die Regel endet 2030.
"""
MANUAL = """\
# Manual
## 3.2 Proxy
Set the proxy in the settings. Then restart.
## 3.2.1 Exceptions
Hosts in the list are reached directly.
## 12. Maintenance
Clean the filter once a year.
## Article 5 Liability
Nobody is liable for 3.2 million euros.
"""
RULES = """\
ORDNUNG

§ 7 Anmeldung
Die Anmeldung ist schriftlich. Sie ist frei.

§ 8 Gebühr
Die Gebühr beträgt 5 Euro. Siehe § 44.
"""
MOTHERS = (
    "# Gesetz zum Schutz von Müttern (MuSchG)\n## § 1 Fristen\nSechs Wochen vorher wird nicht gearbeitet.\n"
)
FEES = (
    "# Gebührenordnung\n## § 1 Anträge\nEin Antrag kostet 5 Euro. Das Mutterschutzgesetz bleibt unberührt.\n"
)
PART_TIME = "# Gesetz über Teilzeitarbeit und befristete Verträge\n## § 1 Abruf\nDie Arbeit auf Abruf wird vereinbart.\n"
SPANISH = "# Convenio\n## Artículo 9 Vacaciones\nLas vacaciones duran treinta días al año para todos.\n"
FRENCH = "# Règlement\n## Article 4 Congés\nLes congés sont à demander par écrit et à l'avance.\n"


@pytest.fixture(scope="module")
def laws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("laws")
    files = {"leave.md": LEAVE, "manual.md": MANUAL, "rules.txt": RULES, "es.md": SPANISH, "fr.md": FRENCH}
    files |= {"mothers.md": MOTHERS, "fees.md": FEES, "part-time.md": PART_TIME}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def index(laws: Path) -> FolderIndex:
    made = FolderIndex(laws, None)
    made.update()
    return made


def ask(index: FolderIndex, question: str) -> SearchResult:
    return search(question, index.whole, Scope(index.whole.listing))


LEANS = {
    "Was steht in § 12? Und § 13?": ("§ 13", "13", None),
    "Was steht in § 12? Und Abs. 2?": ("§ 12 Abs. 2", "12", "2"),
    "What does § 12 say about § 3?": ("§ 12", "12", None),
    "What does Section 3.2 say? and section 3.3?": ("section 3.3", "3.3", None),
    "What does § 12 say? And for part-timers?": ("§ 12", "12", None),
}


@pytest.mark.parametrize("question", LEANS)
def test_of_questions_that_lean_on_each_other_the_last_section_counts(question: str) -> None:
    section = find_section(question)
    assert section
    assert (section.name, section.number, section.part) == LEANS[question]


FOUND = {
    "What does § 12 say?": [
        "Für die Heimarbeit gelten die vorstehenden Regeln.",
        "Ausgenommen ist § 3 Abs. 1.",
    ],
    "§12": ["Für die Heimarbeit gelten die vorstehenden Regeln.", "Ausgenommen ist § 3 Abs. 1."],
    "Was regelt § 12a?": ["Die Regel endet 2030."],
    "Was steht in § 3 Abs. 2?": ["(2) Als Werktage gelten alle Tage, die keine Feiertage sind."],
    "Was steht in § 3 (1)?": ["(1) Der Urlaub beträgt jährlich mindestens 24 Werktage."],
    "What is in Section 3.2?": ["Set the proxy in the settings.", "Then restart."],
    "What does 3.2.1 say?": ["Hosts in the list are reached directly."],
    "What does chapter 12 say?": ["Clean the filter once a year."],
    "What does Art. 5 say?": ["Nobody is liable for 3.2 million euros."],
    "¿Qué dice el artículo 9?": ["Las vacaciones duran treinta días al año para todos."],
    "Que dit l'article 4 ?": ["Les congés sont à demander par écrit et à l'avance."],
    # A law without headings.
    "Was steht in § 7?": ["§ 7 Anmeldung", "Die Anmeldung ist schriftlich.", "Sie ist frei."],
    # What is asked about the section, and whose section it is.
    "§ 1 MuSchG": ["Sechs Wochen vorher wird nicht gearbeitet."],
    "Was steht in § 1 Mutterschutzgesetz?": ["Sechs Wochen vorher wird nicht gearbeitet."],
    "Was steht in § 1 Teilzeit- und Befristungsgesetz?": ["Die Arbeit auf Abruf wird vereinbart."],
    "Was steht in § 1 der Gebührenordnung?": ["Ein Antrag kostet 5 Euro."],
    "What does section 3.2 say about a restart?": ["Then restart."],
}


@pytest.mark.parametrize(("question", "quoted"), FOUND.items())
def test_a_section_is_found_by_its_number(question: str, quoted: list[str], index: FolderIndex) -> None:
    result = ask(index, question)
    assert result.kind is AnswerKind.ANSWERED
    assert [quote.text for quote in result.quotes][: len(quoted)] == quoted


@pytest.mark.parametrize("question", ["What does § 99 say?", "§ 3 Abs. 9", "article 12", "Was regelt § 12b?"])
def test_a_section_that_no_document_has_is_no_other_section(question: str, index: FolderIndex) -> None:
    result = ask(index, question)
    assert result.kind is AnswerKind.NOTHING
    assert result.missing in question
    assert (result.ranked, result.quotes) == ([], ())


@pytest.mark.parametrize("question", ["What does § 44 say?", "What does § 3 say about dogs?"])
def test_a_section_that_does_not_say_it_is_shown_and_nothing_is_claimed(
    question: str, index: FolderIndex
) -> None:
    result = ask(index, question)
    assert result.kind is AnswerKind.UNSURE
    assert result.ranked


NO_SECTIONS = (
    "How long is the warranty of Aurora 3.2?",
    "Does it support 2.4 GHz?",
    "Who won in 2012?",
    "What happens at 12.30?",
    "para 5 personas",
)


@pytest.mark.parametrize("question", NO_SECTIONS)
def test_any_other_number_is_a_word(question: str, index: FolderIndex) -> None:
    section = find_section(question)
    assert section is None or section.kind is None
    assert ask(index, question).missing == ""


def test_a_decimal_is_not_a_section_because_one_has_that_number(index: FolderIndex) -> None:
    result = ask(index, "Is anybody liable for 3.2 million euros?")
    assert [quote.text for quote in result.quotes] == ["Nobody is liable for 3.2 million euros."]


async def test_the_answer_says_that_the_documents_do_not_have_the_section(laws: Path, tmp_path: Path) -> None:
    source = FolderSource(laws, document_base="", cache=tmp_path)
    await source.open()
    await source.wait_until_read()
    events = [event async for event in source.answer("What does § 99 say?")]
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert text.startswith("Your documents have no § 99.\n\nYour documents seem not to say this.")
    await source.close()
