"""What a person reads of each kind of answer: quotes, the nearest passages, or what was searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.languages import speaking
from bot.retrieval.answer.excerpts import find_sources, write_excerpts
from bot.retrieval.answer.found import Found
from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import SearchResult, search
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.question.query import read_question
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels
from bot.sources.folder.result_events import compose_reply
from bot.sources.room import Room, replying_in
from citations import (
    AnswerEvent,
    AnswerKind,
    OriginKnown,
    ReferencesFound,
    Rendering,
    RenderingStream,
    TextDelta,
    channel,
    check,
)
from citations.model import KindKnown, QuestionsSuggested

LEAVE = """\
# Leave
## How many days of holiday do I have?
You have 30 days. Part-time employees have their share of it. Unused days lapse in March.
## Sabbatical
Ask your lead half a year before. It is not paid.
"""
TRAVEL = "# Travel\nTrains go second class. The days of a journey are working days.\n"
NOT_ALL = {
    "en": "Not everything in the documents could be read.",
    "de": "Nicht alles in den Dokumenten konnte gelesen werden.",
    "fr": "Tout n’a pas pu être lu dans les documents.",
    "es": "No todo se ha podido leer en los documentos.",
}
UNKNOWN = {
    "en": "Your documents seem not to say this. Not in any document: “vacation”.",
    "de": "Ihre Dokumente sagen das anscheinend nicht. In keinem Dokument: „vacation“.",
    "fr": "Vos documents ne semblent pas le dire. Dans aucun document\u202f: «\u202fvacation\u202f».",
    "es": "Parece que sus documentos no lo dicen. En ningún documento: «vacation».",
}


@dataclass(frozen=True)
class Handbook:
    """An index, and its documents."""

    index: FolderIndex
    documents: Documents


@pytest.fixture
def handbook(folder: Path, indexed: Callable[[], FolderIndex]) -> Handbook:
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "travel.md").write_text(TRAVEL, encoding="utf-8")
    return Handbook(indexed(), Documents("http://localhost/d/", FolderLabels(None)))


def find(folder: Handbook, kind: AnswerKind, question: str = "How many vacation days?") -> SearchResult:
    """A result that was decided to be of this kind."""
    found = search(question, *folder.documents.select(folder.index))
    return replace(found, kind=kind)


def text_of(events: list[AnswerEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def questions_in(events: list[AnswerEvent]) -> list[QuestionsSuggested]:
    return [event for event in events if isinstance(event, QuestionsSuggested)]


@pytest.mark.parametrize("kind", AnswerKind)
def test_each_answer_says_its_kind_before_its_text(kind: AnswerKind, handbook: Handbook) -> None:
    events = compose_reply(
        Found(find(handbook, kind, "How many days of holiday do I have?"), handbook.documents), ()
    )
    assert isinstance(events[0], OriginKnown)
    assert events[1] == KindKnown(kind)
    assert text_of(events)


def test_the_nearest_passages_are_shown_as_passages_with_what_matches_in_bold(handbook: Handbook) -> None:
    events = compose_reply(Found(find(handbook, AnswerKind.UNSURE), handbook.documents), ("Never shown?",))
    assert text_of(events) == (
        "The nearest passages in your documents:\n\n"
        "*Leave › How many days of holiday do I have?* [1]\n\n"
        "> **You have 30 days.** Part-time employees have their share of it. Unused days lapse in March.\n\n"
        "*Travel* [2]\n\n"
        "> Trains go second class. **The days of a journey are working days.**"
    )
    assert [event.origin.generated for event in events if isinstance(event, OriginKnown)] == [False]
    assert questions_in(events) == []


EXCERPTS = {
    "what matches best, and what stands beside it": (
        "A fern needs shade. It comes from the woods. {0} Water it twice in a week. {0} A fern in a pot needs more water.",
        "A fern needs shade. It comes from the woods. … **Water it twice in a week.** … A fern in a pot needs more water.",
    ),
    "what trails off": (
        "A fern needs water twice in a week … {0}",
        "**A fern needs water twice in a week …**",
    ),
    "a line with its list": (
        "{0} A fern needs this water:\n\n- Of rain.\n- As warm as the room.\n- In the morning.\n\n{0}",
        "… **A fern needs this water:**\n\n- Of rain.\n- As warm as the room.\n- In the morning.",
    ),
    "an item below the line that forbids it": (
        "{0} Nobody may give to a plant:\n\n- Cold coffee. {0}\n- How much water a fern needs in a week, at once.\n\n{0}",
        "… Nobody may give to a plant:\n\n- Cold coffee. …\n- **How much water a fern needs in a week, at once.**",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), EXCERPTS.values(), ids=EXCERPTS)
def test_an_excerpt_has_what_matches_best(
    text: str, shown: str, folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "fern.md").write_text(
        text.format("Of all the rest we speak elsewhere" + ", and once more" * 12 + "."), encoding="utf-8"
    )
    result = find(
        Handbook(indexed(), Documents("", FolderLabels(None))),
        AnswerKind.UNSURE,
        "How much water does a fern need in a week?",
    )
    assert write_excerpts(result, find_sources(result), is_brief=True)[0] == shown


def test_no_sentence_is_shown_of_two_sources(folder: Path, indexed: Callable[[], FolderIndex]) -> None:
    same = "Lenses that are worn at night harm the eye."
    (folder / "a.md").write_text(f"# Eyes\n\n{same} A doctor looks at them.", encoding="utf-8")
    (folder / "b.md").write_text(
        f"# Care\n\n{same.replace(' ', '  ')} Clean lenses after each day.", encoding="utf-8"
    )
    (folder / "c.md").write_text(f"# Copy\n\n{same}", encoding="utf-8")
    handbook = Handbook(indexed(), Documents("", FolderLabels(None)))
    result = find(handbook, AnswerKind.UNSURE, "May I wear lenses at night?")
    first, *others = write_excerpts(result, find_sources(result), is_brief=False)
    assert same in first
    assert sorted(others) == ["… A doctor looks at them.", "… Clean lenses after each day."]


def test_passages_below_one_heading_are_one_source(folder: Path, indexed: Callable[[], FolderIndex]) -> None:
    paragraphs = (f"Rule {number}. " + "A fern needs water and shade. " * 60 for number in range(9))
    (folder / "fern.md").write_text("# Ferns\n## Care:\n" + "\n\n".join(paragraphs), encoding="utf-8")
    handbook = Handbook(indexed(), Documents("", FolderLabels(None)))
    result = find(handbook, AnswerKind.UNSURE, "How much water does a fern need?")
    assert len(result.ranked) > 7
    events = compose_reply(Found(result, handbook.documents), ())
    assert text_of(events).count("*Ferns › Care* [1]\n\n> ") == text_of(events).count("[") == 1
    found = Found(result, handbook.documents)
    shown = found.describe(found.find_given(7))
    assert [(one.id, one.name) for one in shown] == [("1", "Ferns › Care")]
    assert sum(len(one.references) for one in events if isinstance(one, ReferencesFound)) == 1


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email", "sms"])
def test_the_nearest_passages_are_cited_on_every_channel(channel_id: str, handbook: Handbook) -> None:
    stream = RenderingStream(channel(channel_id))
    for event in compose_reply(Found(find(handbook, AnswerKind.UNSURE), handbook.documents), ()):
        stream.feed(event)
    rendering = stream.close()
    assert (rendering.problems, len(stream.cited.citations)) == ((), 2)
    assert check(rendering.to_activity(), channel_id=channel_id) == ()
    assert "\n> " in rendering.text
    slogan = "Quoted from your documents"
    interpreters = [
        claim["claimInterpreter"]["slogan"]
        for node in rendering.entities
        for claim in node["citation"]  # type: ignore[attr-defined]
        if channel_id == "webchat"
    ]
    assert interpreters == ([slogan] * 2 if channel_id == "webchat" else [])


@pytest.mark.parametrize("tag", UNKNOWN)
def test_where_nothing_is_found_it_says_which_words_no_document_has(tag: str, handbook: Handbook) -> None:
    with speaking(tag):
        text = text_of(compose_reply(Found(find(handbook, AnswerKind.NOTHING), handbook.documents), ()))
    assert text.split("\n\n")[0] == UNKNOWN[tag]


def test_where_nothing_is_found_the_nearest_are_named(handbook: Handbook) -> None:
    text = text_of(compose_reply(Found(find(handbook, AnswerKind.NOTHING), handbook.documents), ()))
    assert text.endswith("\n\nNearest: [1] [2]")


def test_of_a_document_that_some_channel_withholds_nothing_is_said(handbook: Handbook) -> None:
    withheld = Scope(handbook.index.whole.listing, withheld=frozenset({"leave.md"}))
    result = replace(find(handbook, AnswerKind.NOTHING), scope=withheld)
    text = text_of(compose_reply(Found(result, handbook.documents), ()))
    assert text == "Your documents seem not to say this.\n\nNearest: [1]"


MESSAGES = {
    AnswerKind.UNSURE: """\
The nearest passage: (1)

> You have 30 days. Part-time employees have their share of it. Unused days lapse in March.

Reply MORE for the rest.

(1) Leave > How many days of holiday do I have?""",
    AnswerKind.NOTHING: """\
Your documents seem not to say this. Not in any document: "vacation".

Nearest: (1) (2)

(1) Leave > How many days of holiday do I have?

(2) Travel""",
}
SPOKEN = {
    AnswerKind.UNSURE: """\
The nearest passage:
You have 30 days. Part-time employees have their share of it. Unused days lapse in March.
Say “more” for the rest.
According to Leave › How many days of holiday do I have?.""",
    AnswerKind.NOTHING: """\
Your documents seem not to say this. Not in any document: “vacation”.
Nearest: Leave › How many days of holiday do I have?; Travel.""",
}


def show_in(room: Room, channel_id: str, found: Found) -> Rendering:
    stream = RenderingStream(channel(channel_id))
    with replying_in(room):
        for event in compose_reply(found, ("A question to ask?",)):
            stream.feed(event)
    return stream.close()


@pytest.mark.parametrize("kind", MESSAGES)
def test_a_short_message_and_a_voice_name_each_source_once(kind: AnswerKind, handbook: Handbook) -> None:
    found = Found(find(handbook, kind), handbook.documents)
    message = show_in(Room.MESSAGE, "sms", found)
    assert (message.text, len(message.parts)) == (MESSAGES[kind], 1)
    assert show_in(Room.VOICE, "directlinespeech", found).speak == SPOKEN[kind]


def test_a_question_of_stop_words_has_no_unknown_words(handbook: Handbook) -> None:
    result = find(handbook, AnswerKind.NOTHING, "And what is it?")
    assert (
        text_of(compose_reply(Found(result, handbook.documents), ()))
        == "Your documents seem not to say this."
    )


MAIL = (
    b"Subject: Summer\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"
    b"The office stays open.\n--b\nContent-Disposition: attachment; filename=dates.xlsx\n\nAA\n--b--\n"
)


@pytest.mark.parametrize(("language", "said"), NOT_ALL.items())
def test_what_is_in_no_document_may_be_in_what_was_not_read(
    language: str, said: str, folder: Path, handbook: Handbook
) -> None:
    """It is said of the documents that the person may see, and of no others."""
    (folder / "summer.eml").write_bytes(MAIL)
    handbook.index.update()
    for may_see, is_said in ((None, True), (lambda one: one.name != "summer.eml", False)):
        found = search("How many vacation days?", *handbook.documents.select(handbook.index, may_see))
        nothing = Found(replace(found, kind=AnswerKind.NOTHING), handbook.documents)
        with speaking(language):
            text = text_of(compose_reply(nothing, ()))
        assert text.split("\n")[0] == UNKNOWN[language] + is_said * f" {said}"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is who?", "*Club › Who is who?* [1]\n\n> **Ada is the chair.**"),
        ("Who is it?", None),
        ("Is it who?", None),
    ],
)
def test_small_words_alone_are_answered_below_the_heading_that_they_are(
    question: str, said: str | None, folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    text = "# Club\nWho is late, is late. It is so.\n## Who is who?\nAda is the chair.\n"
    (folder / "club.md").write_text(text, encoding="utf-8")
    club = Handbook(indexed(), Documents("http://localhost/d/", FolderLabels(None)))
    result = search(question, *club.documents.select(club.index))
    assert result.kind is (AnswerKind.ANSWERED if said else AnswerKind.NOTHING)
    if said:
        assert text_of(compose_reply(Found(result, club.documents), ())) == said


def test_the_stop_words_of_a_language_that_no_document_has_were_not_searched(handbook: Handbook) -> None:
    result = find(handbook, AnswerKind.NOTHING, "Où est-ce que je trouve la cantine de la maison ?")
    text = text_of(compose_reply(Found(result, handbook.documents), ()))
    assert "“cantine”" in text
    assert not any(f"“{word}”" in text for word in ("que", "je", "la", "de"))


def test_a_word_that_the_documents_have_in_another_form_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Leave\n\nDays that were taken are written down.\n", "utf-8")
    index = FolderIndex(tmp_path, tmp_path / "cache")
    index.update()
    unknown = read_question("Who may take, write or steal a zebra?", index.whole).unknown
    assert unknown == ("steal", "zebra")
    index.close()


def test_nor_is_one_that_begins_a_word_of_a_heading(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Hotelkosten\n\nIn Berlin zahlt die Firma bis zu 120 Euro.\n", "utf-8")
    index = FolderIndex(tmp_path, tmp_path / "cache")
    index.update()
    query = read_question("Was kostet ein Hotel in Prag?", index.whole)
    assert "Hotel" not in query.unknown
    assert ("hotelkost",) in {term.spellings for term in query.terms}
    index.close()


NAMED = {
    "the name as it is typed": ("Räumliste.md", "Wo ist Räumliste.md?"),
    "a name beside digits": ("2024Preise.md", "Wo sind die Preise?"),
    "an abbreviation beside digits": ("AGB24.md", "Wo sind die AGB?"),
    "words that only capitals divide": ("RaumListe.md", "Gibt es eine Liste?"),
    "words that hyphens divide": ("Raum-Liste_neu.md", "Gibt es eine neue Liste?"),
    "a name as macOS writes it": ("Ra\u0308ume.md", "Wo sind die Räume?"),
}


@pytest.mark.parametrize(("name", "question"), NAMED.values(), ids=NAMED)
def test_a_word_of_a_file_s_name_is_not_called_missing(name: str, question: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("# Haus\n\nDas ist der Plan, und er gilt für das ganze Haus.\n", "utf-8")
    index = FolderIndex(tmp_path, None)
    index.update()
    assert not read_question(question, index.whole).unknown
    index.close()


def test_a_slip_is_corrected_to_a_word_of_a_file_s_name(tmp_path: Path) -> None:
    (tmp_path / "Räumliste.md").write_text("# Haus\n\nDas ist der Plan, und er gilt für das Haus.\n", "utf-8")
    index = FolderIndex(tmp_path, None)
    index.update()
    (replaced,) = read_question("Wo ist die Räumlsite?", index.whole).replaced
    assert replaced.shown == "Räumliste"
    index.close()


LIST = """\
# Expenses
## What is not paid?
- Fines and parking tickets
- Alcohol, except at a meal with a customer
- Upgrades of *flights* and hotels
- Anything without a receipt above 20 euros

## Meals
We pay for these:
- Lunch with a customer
- Dinner in a foreign country
"""
ITEMS = {
    "an item stands in its list, below its heading": (
        "Is alcohol at a meal with a customer paid?",
        ("*Expenses › What is not paid?* [1]\n\n> - Fines and parking tickets\n"
        "> - **Alcohol, except at a meal with a customer**\n> - Upgrades of flights and hotels\n"
        "> - Anything without a receipt above 20 euros"),
    ),
    "an item is below the line that introduces the list": (
        "Is dinner in a foreign country paid?",
        "*Expenses › Meals* [1]\n\n> We pay for these:\n>\n> - Lunch with a customer\n> - **Dinner in a foreign country**",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("question", "said"), ITEMS.values(), ids=ITEMS)
def test_nobody_has_to_guess_what_an_item_is_one_of(
    question: str, said: str, folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "expenses.md").write_text(LIST, encoding="utf-8")
    expenses = Handbook(indexed(), Documents("http://localhost/d/", FolderLabels(None)))
    found = find(expenses, AnswerKind.ANSWERED, question)
    assert text_of(compose_reply(Found(found, expenses.documents), ())).split("\n\nAlso")[0] == said


def test_where_nothing_is_found_questions_are_suggested(handbook: Handbook) -> None:
    unknown = find(handbook, AnswerKind.NOTHING, "Who wrote Hamlet?")
    (suggested,) = questions_in(compose_reply(Found(unknown, handbook.documents), ("How many [1] days?",)))
    assert suggested == QuestionsSuggested("You can ask, for example:", ("How many [1] days?",))


@pytest.mark.parametrize("kind", [AnswerKind.UNSURE, AnswerKind.NOTHING])
def test_a_document_that_may_only_be_named_is_named_and_not_shown(
    kind: AnswerKind, handbook: Handbook
) -> None:
    result = replace(find(handbook, kind), unquotable=("leave.md",))
    events = compose_reply(Found(result, handbook.documents), ("Never shown?",))
    assert text_of(events) == (
        "I may not quote what answers this, because its sensitivity label encrypts it. Look here:\n\n"
        "- leave.md [1]"
    )
    assert [event.kind for event in events if isinstance(event, KindKnown)] == [AnswerKind.UNSURE]
    slogans = [event.origin.slogan for event in events if isinstance(event, OriginKnown)]
    assert slogans == ["Quoted from your documents"]
    (found,) = (event for event in events if isinstance(event, ReferencesFound))
    assert [reference.text for reference in found.references] == [None]


def test_a_notice_stands_above_the_passages(handbook: Handbook) -> None:
    events = compose_reply(
        Found(find(handbook, AnswerKind.UNSURE), handbook.documents), (), "The model is away."
    )
    assert text_of(events).startswith("The model is away.\n\nThe nearest passages")
