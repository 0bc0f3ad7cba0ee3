"""What was answered last: what is kept of it, for how long, and what can't be read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.last_answer import (
    LARGEST,
    LIFETIME,
    AnswerMemory,
    RememberedAnswer,
    read_record,
    remember,
    write_record,
)
from bot.telemetry.conversation_key import ConversationKey
from citations import Answer, Citation, Reference, cite
from citations.model import Place, PlaceKind
from tests.bot.stores import in_memory

HERE = ConversationKey("webchat", "here")
THERE = ConversationKey("msteams", "here")

PAGES = (
    Reference(id="1", name="Ferns", url="https://example.com/ferns", text="Ferns like shade.", page=3),
    Reference(id="2", name="Ferns", url="https://example.com/ferns", text="Water them.", label="secret"),
    Reference(id="3", text="Not cited \U0001f33f", media_type="text/plain", modified="2026-01-01"),
)
WHOLE = replace(
    remember("Shade [1].", cite(Answer(text="Shade [1].", references=PAGES)), interrupted=True),
    rest=("second", "third"),
    passage=(1, 4000),
)


def answer(text: str) -> RememberedAnswer:
    return RememberedAnswer(text=text)


async def test_the_last_answer_of_each_conversation() -> None:
    async with in_memory() as store:
        memory = AnswerMemory(store.state)
        await memory.remember(HERE, answer("first"))
        await memory.remember(HERE, WHOLE)
        await memory.remember(THERE, answer("third"))
        assert await memory.recall(HERE) == WHOLE
        assert await memory.recall(THERE) == answer("third")
        await store.advance(LIFETIME)
        assert await memory.recall(HERE) is None


def test_two_snippets_of_one_source_are_one_citation() -> None:
    [citation] = WHOLE.citations
    assert citation.parts == PAGES[:2]
    read = read_record(write_record(WHOLE) or b"")
    assert read is not None
    assert read.citations == WHOLE.citations
    assert read.references == PAGES


UNREADABLE = [b"", b"{}", b"null", b"[1]", b'{"text":1}', b'{"text":"x","references":[7]}', b"\xff\xfe"]
UNREADABLE += [b'{"text":"x","citations":[[1,-1,[]]]}', b'{"text":"x","sources":[{}]}']


@pytest.mark.parametrize("record", UNREADABLE)
async def test_a_record_that_cannot_be_read_is_no_answer(record: bytes) -> None:
    async with in_memory() as store:
        await store.state.put(HERE, "answer", "", record, lifetime=60)
        assert await AnswerMemory(store.state).recall(HERE) is None


def test_a_record_of_a_later_version_is_read_as_far_as_it_is_known() -> None:
    later = json.loads(write_record(WHOLE) or b"") | {"mood": "sunny"}
    assert read_record(json.dumps(later).encode()) == WHOLE


def test_a_large_answer_keeps_its_sources_and_loses_the_ends_of_their_passages() -> None:
    references = tuple(Reference(id=str(number), text="word " * 10_000) for number in range(1, 60))
    cited = cite(Answer(text="x [1] " * 5_000, references=references))
    record = write_record(remember(cited.text, cited, interrupted=False))
    assert record is not None
    assert len(record) <= LARGEST
    read = read_record(record)
    assert read is not None
    assert [reference.id for reference in read.references] == [reference.id for reference in references]
    assert 0 < len(read.citations[0].reference.text or "") <= 8000


async def test_an_answer_that_is_too_large_leaves_none_behind() -> None:
    # A number must not lead to a source of the answer before.
    parts = tuple(Reference(id="1", name=f"{number:03900}") for number in range(100))
    async with in_memory() as store:
        memory = AnswerMemory(store.state)
        await memory.remember(HERE, WHOLE)
        await memory.remember(HERE, RememberedAnswer(text="x", citations=(Citation(1, parts[0], parts),)))
        assert await memory.recall(HERE) is None


@pytest.mark.parametrize("field", ["id", "name", "url", "document_url", "label"])
def test_a_source_is_not_kept_by_half_of_what_its_label_is_found_by(field: str) -> None:
    long = replace(PAGES[0], **{field: "x" * 5000})  # type: ignore[arg-type] # each is a string
    kept = RememberedAnswer(text="x", citations=(Citation(1, long, (long,)),), references=(long, PAGES[2]))
    read = read_record(write_record(kept) or b"")
    assert read == RememberedAnswer(text="x", references=(PAGES[2],))


def test_a_source_is_not_kept_by_some_of_its_aliases() -> None:
    many = replace(PAGES[0], aliases=tuple(f"board/{number}.pdf" for number in range(1000)))
    kept = RememberedAnswer(text="x", citations=(Citation(1, many, (many,)),), references=(many, PAGES[2]))
    read = read_record(write_record(kept) or b"")
    assert read == RememberedAnswer(text="x", references=(PAGES[2],))


@pytest.mark.parametrize("last", [Reference(id="last"), Reference(id="last", aliases=("x" * 5000,))])
@pytest.mark.parametrize("count", [2, 60])
def test_the_rest_is_kept_with_all_sources_by_which_it_may_be_read(count: int, last: Reference) -> None:
    """Whether it may be sent is decided by its sources at that time."""
    found = (*(Reference(id=str(number)) for number in range(count)), last)
    kept = read_record(write_record(RememberedAnswer(text="x", references=found, rest=("more",))) or b"")
    assert kept is not None
    assert (kept.rest == ("more",)) == (kept.references == found)
    assert bool(kept.rest) == (count == 2 and not last.aliases)


def test_what_is_no_character_is_replaced() -> None:
    kept = RememberedAnswer(text="\ud800", references=(Reference(id="\udc00", text="\ud800x"),))
    read = read_record(write_record(kept) or b"")
    assert read == RememberedAnswer(text="?", references=(Reference(id="?", text="?x"),))


TEXTS = st.text(min_size=1, max_size=20)
REFERENCES = st.builds(
    Reference,
    id=TEXTS,
    name=st.none() | TEXTS,
    url=st.none() | TEXTS,
    text=st.none() | TEXTS,
    page=st.none() | st.integers(-(2**63), 2**63 - 1),
    place=st.none()
    | st.builds(Place, kind=st.sampled_from(PlaceKind), first=st.integers(1, 99), sheet=st.none() | TEXTS),
    aliases=st.lists(TEXTS, max_size=3).map(tuple),
    ordinal=st.booleans(),
)


@given(TEXTS, st.lists(REFERENCES, max_size=4).map(tuple), st.lists(TEXTS, max_size=3).map(tuple))
def test_what_is_written_is_read(text: str, found: tuple[Reference, ...], rest: tuple[str, ...]) -> None:
    citations = tuple(Citation(number, reference, found) for number, reference in enumerate(found, 1))
    kept = RememberedAnswer(text=text, citations=citations, references=found, rest=rest)
    assert read_record(write_record(kept) or b"") == kept
