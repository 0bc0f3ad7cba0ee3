"""The last questions of each person: what is stored of them, for how long, and what of it may be used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.connector.activity_reader import read_activity
from bot.conversation.last_answer import LIFETIME
from bot.conversation.question_turn import conversation_of
from bot.conversation.turn_memory import TurnMemory, restrict_turns
from bot.sources import EarlierTurn
from bot.sources.permission import EVERYTHING, Permission
from citations import Answer, AnswerKind, CitedAnswer, Reference, cite
from tests.bot.running import message
from tests.bot.stores import in_memory

FERNS = Reference(id="1", name="Ferns", document_url="ferns.md", text="Ferns like shade.")
PAY = Reference(id="2", name="Pay", document_url="hr/pay.md", text="Everybody earns the same.", extract=True)
SHADE = cite(Answer(text="In the shade [1].", references=(FERNS,)))


def asked_by(person: str, conversation: str = "c1") -> Any:
    fields: dict[str, Any] = {"from": {"id": person}, "conversation": {"id": conversation}}
    return read_activity(message("http://127.0.0.1:1/", "x", **fields))


ANNE, BEN, ANNE_ELSEWHERE = asked_by("anne"), asked_by("ben"), asked_by("anne", "c2")


def cite_text(text: str, *references: Reference) -> CitedAnswer:
    return cite(Answer(text=text, references=references))


async def questions(memory: TurnMemory, asked: Any) -> list[str]:
    return [turn.question for turn in await memory.recall(asked)]


async def test_each_person_has_the_last_three_questions_of_a_conversation() -> None:
    async with in_memory() as store:
        memory = TurnMemory(store.state)
        for question in ("one?", "two?", "three?", "four?"):
            await memory.remember(ANNE, question, SHADE)
        await memory.remember(BEN, "five?", SHADE)
        assert await questions(memory, ANNE) == ["two?", "three?", "four?"]
        assert await questions(memory, BEN) == ["five?"]
        assert await questions(memory, ANNE_ELSEWHERE) == []
        await store.advance(LIFETIME)
        assert await questions(memory, ANNE) == []


async def test_what_a_conversation_had_is_forgotten_with_it() -> None:
    async with in_memory() as store:
        memory = TurnMemory(store.state)
        await memory.remember(ANNE, "one?", SHADE)
        await store.state.forget(conversation_of(ANNE))
        assert await memory.recall(ANNE) == ()


async def test_a_turn_has_its_sources_without_their_texts() -> None:
    async with in_memory() as store:
        memory = TurnMemory(store.state)
        await memory.remember(ANNE, "Where?", SHADE)
        sources = (replace(FERNS, text=None),)
        assert await memory.recall(ANNE) == (EarlierTurn("Where?", "In the shade [1].", sources),)


UNUSABLE = {
    "more sources than are stored": cite_text(
        "x [1]", *(Reference(id=str(number), url=f"https://example.com/{number}") for number in range(21))
    ),
    "questions of other documents": replace(SHADE, kind=AnswerKind.NOTHING),
    "a name that is too long": cite_text("x [1]", replace(FERNS, name="x" * 20_000)),
    "a name that is no text": cite_text("x [1]", replace(FERNS, name="\ud800")),
}


@pytest.mark.parametrize("cited", UNUSABLE.values(), ids=UNUSABLE)
async def test_an_answer_whose_sources_cannot_all_be_stored_is_not_stored(cited: CitedAnswer) -> None:
    async with in_memory() as store:
        memory = TurnMemory(store.state)
        await memory.remember(ANNE, "Where \ud800?", cited)
        assert await memory.recall(ANNE) == (EarlierTurn("Where ??"),)


@pytest.mark.parametrize("record", [b"", b"{}", b"[1]", b'[{"question":1}]', b"\xff"])
async def test_a_record_that_cannot_be_read_is_no_turn(record: bytes) -> None:
    async with in_memory() as store:
        await store.state.put(conversation_of(ANNE), "turns", "anne", record, lifetime=60)
        assert await TurnMemory(store.state).recall(ANNE) == ()


TURNS = (
    EarlierTurn("Where?", "In the shade.", (FERNS,)),
    EarlierTurn("How much?", "The same.", (FERNS, PAY)),
)


def test_an_answer_is_dropped_where_one_of_its_sources_may_not_be_seen() -> None:
    permission = Permission(sees=lambda reference: reference.document_url == "ferns.md")
    assert restrict_turns(TURNS, permission) == (TURNS[0], EarlierTurn("How much?"))


def test_an_answer_is_dropped_where_an_encrypted_source_may_no_longer_be_quoted() -> None:
    assert restrict_turns(TURNS, Permission(extracts=lambda _: False)) == (TURNS[0], EarlierTurn("How much?"))
    assert restrict_turns(TURNS, Permission(extracts=lambda _: True)) == TURNS


def test_without_a_policy_all_of_it_may_be_used() -> None:
    assert restrict_turns(TURNS, EVERYTHING) == TURNS
