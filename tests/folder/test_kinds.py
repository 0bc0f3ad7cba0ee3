"""What a person reads of each kind of answer: quotes, the nearest passages, or what was searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.messages import speaking
from bot.retrieval.index import FolderIndex
from bot.retrieval.labels import FolderLabels
from bot.retrieval.nearest_passages import PASSAGES
from bot.retrieval.search import Documents, Scope, SearchResult, search
from bot.sources.folder.result_events import describe_ranked, list_events
from citations import (
    AnswerEvent,
    AnswerKind,
    OriginKnown,
    ReferencesFound,
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
SEARCHED = {
    "en": "I looked for “vacation”, “days” in 2 documents: “Leave” and 1 more.",
    "de": "Ich habe nach „vacation“, „days“ in 2 Dokumenten gesucht: „Leave“ und 1 weiteres.",
    "fr": "J’ai cherché «\u202fvacation\u202f», «\u202fdays\u202f» dans 2 documents\u202f: «\u202fLeave\u202f» et 1 autre.",
    "es": "He buscado «vacation», «days» en 2 documentos: «Leave» y 1 más.",
}


@pytest.fixture
def documents(folder: Path, indexed: Callable[[], FolderIndex]) -> Documents:
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "travel.md").write_text(TRAVEL, encoding="utf-8")
    return Documents(indexed(), "http://localhost/d/", FolderLabels(None))


def find(documents: Documents, kind: AnswerKind, question: str = "How many vacation days?") -> SearchResult:
    """A result that was decided to be of this kind."""
    found = search(question, documents.find_scope())
    return replace(found, kind=kind, quotes=found.quotes if kind is AnswerKind.ANSWERED else ())


def text_of(events: list[AnswerEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def questions_in(events: list[AnswerEvent]) -> list[QuestionsSuggested]:
    return [event for event in events if isinstance(event, QuestionsSuggested)]


@pytest.mark.parametrize("kind", AnswerKind)
def test_each_answer_says_its_kind_before_its_text(kind: AnswerKind, documents: Documents) -> None:
    events = list_events(find(documents, kind, "How many days of holiday do I have?"), documents, ())
    assert isinstance(events[0], OriginKnown)
    assert events[1] == KindKnown(kind)
    assert text_of(events)


def test_the_nearest_passages_are_shown_as_passages_with_what_matches_in_bold(documents: Documents) -> None:
    events = list_events(find(documents, AnswerKind.UNSURE), documents, ("Never shown?",))
    assert text_of(events) == (
        "I have no clear answer. These passages come nearest:\n\n"
        "Leave › How many days of holiday do I have? [1]\n\n"
        "> **You have 30 days.** Part-time employees have their share of it. Unused days lapse in March.\n\n"
        "Travel [2]\n\n"
        "> Trains go second class. **The days of a journey are working days.**"
    )
    assert [event.origin.generated for event in events if isinstance(event, OriginKnown)] == [False]
    assert questions_in(events) == []


def test_passages_below_one_heading_are_one_source(folder: Path, indexed: Callable[[], FolderIndex]) -> None:
    paragraphs = (f"Rule {number}. " + "A fern needs water and shade. " * 60 for number in range(9))
    (folder / "fern.md").write_text("# Ferns\n## Care\n" + "\n\n".join(paragraphs), encoding="utf-8")
    documents = Documents(indexed(), "", FolderLabels(None))
    result = find(documents, AnswerKind.UNSURE, "How much water does a fern need?")
    assert len(result.ranked) > PASSAGES
    events = list_events(result, documents, ())
    assert text_of(events).count("Ferns › Care [1]\n\n> ") == text_of(events).count("[") == 1
    shown = describe_ranked(result, documents, PASSAGES)
    assert [(one.id, one.name) for one in shown] == [("1", "Ferns › Care")]
    assert sum(len(one.references) for one in events if isinstance(one, ReferencesFound)) == 1


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email", "sms"])
def test_the_nearest_passages_are_cited_on_every_channel(channel_id: str, documents: Documents) -> None:
    stream = RenderingStream(channel(channel_id))
    for event in list_events(find(documents, AnswerKind.UNSURE), documents, ()):
        stream.feed(event)
    rendering = stream.close()
    assert (rendering.problems, len(stream.cited.citations)) == ((), 2)
    assert check(rendering.to_activity(), channel_id=channel_id) == ()
    assert "\n> " in rendering.text
    slogan = "No clear answer: the nearest passages of your documents"
    interpreters = [
        claim["claimInterpreter"]["slogan"]
        for node in rendering.entities
        for claim in node["citation"]  # type: ignore[attr-defined]
        if channel_id == "webchat"
    ]
    assert interpreters == ([slogan] * 2 if channel_id == "webchat" else [])


@pytest.mark.parametrize("tag", SEARCHED)
def test_where_nothing_is_found_it_says_what_was_searched(tag: str, documents: Documents) -> None:
    unquotable = Scope(documents.find_scope().part, frozenset({"travel.md"}))
    result = replace(find(documents, AnswerKind.NOTHING), scope=unquotable)
    with speaking(tag):
        text = text_of(list_events(result, documents, ()))
    assert text.split("\n\n")[1:] == [SEARCHED[tag]]


def test_a_question_of_stop_words_says_where_it_was_searched(documents: Documents) -> None:
    result = find(documents, AnswerKind.NOTHING, "And what is it?")
    text = text_of(list_events(result, documents, ()))
    assert text.endswith("\n\nI looked in 2 documents: “Leave”, “Travel”.")


def test_the_stop_words_of_a_language_that_no_document_has_were_not_searched(documents: Documents) -> None:
    result = find(documents, AnswerKind.NOTHING, "Où est-ce que je trouve la cantine de la maison ?")
    text = text_of(list_events(result, documents, ()))
    assert "“cantine”" in text
    assert not any(f"“{word}”" in text for word in ("que", "je", "la", "de"))


def test_where_nothing_is_found_questions_are_suggested(documents: Documents) -> None:
    unknown = find(documents, AnswerKind.NOTHING, "Who wrote Hamlet?")
    (suggested,) = questions_in(list_events(unknown, documents, ("How many [1] days?",)))
    assert suggested == QuestionsSuggested("You can ask, for example:", ("How many [1] days?",))
    near = find(documents, AnswerKind.NOTHING, "How much holiday, how many days abroad in Madagascar?")
    (suggested,) = questions_in(list_events(near, documents, ("How many [1] days?",)))
    assert suggested == QuestionsSuggested("Perhaps you mean:", ("How many days of holiday do I have?",))


@pytest.mark.parametrize("kind", [AnswerKind.UNSURE, AnswerKind.NOTHING])
def test_a_document_that_may_only_be_named_is_named_and_not_shown(
    kind: AnswerKind, documents: Documents
) -> None:
    result = replace(find(documents, kind), unquotable=("leave.md",))
    events = list_events(result, documents, ("Never shown?",))
    assert text_of(events) == (
        "I may not quote what answers this, because its sensitivity label encrypts it. Look here:\n\n"
        "- leave.md [1]"
    )
    assert [event.kind for event in events if isinstance(event, KindKnown)] == [AnswerKind.UNSURE]
    (found,) = (event for event in events if isinstance(event, ReferencesFound))
    assert [reference.text for reference in found.references] == [None]


def test_a_notice_stands_above_the_passages(documents: Documents) -> None:
    events = list_events(find(documents, AnswerKind.UNSURE), documents, (), "The model is away.")
    assert text_of(events).startswith("The model is away.\n\nI have no clear answer.")
