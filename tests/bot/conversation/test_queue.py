"""Who is answered when: in order, so many at once, and nobody is forgotten."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.conversation.outcome import BUSY, CLOSING
from bot.conversation.queue import IN_ONE, AnswerQueue, NoTicketError, OverloadedError, Ticket
from bot.telemetry.conversation_key import ConversationKey
from tests.depth import examples


def conversation(name: str) -> ConversationKey:
    return ConversationKey("webchat", name)


# Arrivals (a letter is a conversation) and ends (a number is a question, in the order of arrival; with
# an arrow behind it, its answer is only being sent), and which questions have their turn afterwards;
# two at once, three may wait.
STORIES = [
    ("a", [0], "a free place is given at once"),
    ("a b", [0, 1], "two at once"),
    ("a b c", [0, 1], "a third waits"),
    ("a b c 0", [1, 2], "for the first that ends"),
    ("a a", [0], "in one conversation one after the other"),
    ("a a b", [0, 2], "who waits for the question before keeps nobody's place"),
    ("a a b 0", [1, 2], "and comes when that is answered"),
    ("a b a c 0", [1, 2], "the order is that of arrival, through all conversations"),
    ("a b a c 1", [0, 3], "among those whose turn it can be"),
    ("a b c d c 2", [0, 1], "who leaves the queue takes no place"),
    ("a b c d c 2 0", [1, 3], "and hands none on"),
    ("a b c d 0 0 0", [1, 2], "leaving twice is leaving once"),
    ("a b c 0>", [0, 1, 2], "while an answer is sent, another is read"),
    ("a b c d 0> 0>", [0, 1, 2], "one other"),
    ("a b c d e 0> 1> 2>", [0, 1, 2, 3], "as many are sent as are read, and no more"),
    ("a b c d e 0> 1> 2> 1", [0, 2, 3, 4], "until one has arrived"),
    ("a a 0>", [0], "the next of the conversation waits until it has arrived"),
    ("a b c 2>", [0, 1], "who waits has nothing to send"),
    ("a b c d e f", [0, 1], "the sixth has no place at all"),
    ("a b c d e f 0 g", [1, 2], "the seventh has the one that is free again"),
]


@pytest.mark.parametrize(("story", "held", "moral"), STORIES, ids=[row[2] for row in STORIES])
async def test_turns(story: str, held: list[int], moral: str) -> None:
    admission = AnswerQueue(answers=2, waiting=3)
    places: list[Ticket | None] = []
    for step in story.split():
        if step[0].isdigit():
            place = places[int(step[0])]
            assert place is not None
            if step.endswith(">"):
                place.start_sending()
            else:
                place.release()
            continue
        try:
            places.append(admission.enter(conversation(step)))
        except NoTicketError:
            places.append(None)
    assert [number for number, place in enumerate(places) if place and place.granted] == held
    assert admission.under_way == len(held)


async def test_one_conversation_does_not_take_all_places() -> None:
    admission = AnswerQueue(answers=100, waiting=400)
    for _ in range(IN_ONE):
        admission.enter(conversation("a"))
    with pytest.raises(NoTicketError) as refused:
        admission.enter(conversation("a"))
    assert refused.value.outcome is BUSY
    assert admission.enter(conversation("b")).granted


async def test_so_many_are_told_that_there_is_no_place() -> None:
    admission = AnswerQueue(answers=1)
    with admission.decline(), pytest.raises(OverloadedError), admission.decline():
        pass
    with admission.decline():
        pass


async def test_who_comes_when_it_is_over_is_told_so() -> None:
    admission = AnswerQueue()
    place = admission.enter(conversation("a"))
    admission.close()
    with pytest.raises(NoTicketError) as refused:
        admission.enter(conversation("b"))
    assert refused.value.outcome is CLOSING
    assert place.granted


async def test_waiting_ends_with_a_turn_or_without_one() -> None:
    admission = AnswerQueue(answers=1)
    first, second, third = (admission.enter(conversation(name)) for name in "abc")
    waiting = [asyncio.create_task(place.wait_turn()) for place in (first, second, third)]
    await asyncio.sleep(0)
    second.release()
    first.release()
    assert await asyncio.gather(*waiting) == [True, False, True]


class Admitting(RuleBasedStateMachine):
    """Any interleaving of arrivals and ends, against what is promised."""

    def __init__(self) -> None:
        super().__init__()
        self.admission = AnswerQueue(answers=3, waiting=5)
        self.places: list[Ticket] = []
        """Who is there, in the order of arrival."""

    @rule(name=st.sampled_from("abcdefghijkl"))
    def arrive(self, name: str) -> None:
        waiting = sum(not place.granted for place in self.places)
        could_begin = self._has_room() and conversation(name) not in self._held()
        try:
            place = self.admission.enter(conversation(name))
        except NoTicketError:
            assert waiting == 5
            assert not could_begin
            return
        assert place.granted == could_begin
        self.places.append(place)

    @precondition(lambda self: self.places)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        self.places.pop(data.draw(st.integers(0, len(self.places) - 1))).release()

    @precondition(lambda self: self.places)
    @rule(data=st.data())
    def send(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.places)).start_sending()

    @invariant()
    def bounds_hold(self) -> None:
        held = [place for place in self.places if place.granted]
        assert self.admission.under_way == len(held) <= 6
        assert sum(not place.answer_read for place in held) <= 3
        assert self.admission.waiting == len(self.places) - len(held) <= 5
        assert len(self._held()) == len(held)

    @invariant()
    def nobody_waits_who_could_be_answered(self) -> None:
        if self._has_room():
            assert all(place.granted or place.conversation in self._held() for place in self.places)

    @invariant()
    def in_one_conversation_it_goes_by_arrival(self) -> None:
        first = {place.conversation: place for place in reversed(self.places)}
        assert all(first[place.conversation] is place for place in self.places if place.granted)

    def teardown(self) -> None:
        """Whoever is still there is answered in the end, and nothing is left over."""
        while self.places:
            held = next(place for place in self.places if place.granted)
            self.places.remove(held)
            held.release()
        assert (self.admission.under_way, self.admission.waiting) == (0, 0)
        assert self.admission._in_one == {}

    def _has_room(self) -> bool:
        """Three are read at once, and as many others sent."""
        held = [place for place in self.places if place.granted]
        return len(held) < 6 and sum(not place.answer_read for place in held) < 3

    def _held(self) -> set[ConversationKey]:
        return {place.conversation for place in self.places if place.granted}


TestAdmitting = Admitting.TestCase
TestAdmitting.settings = settings(examples(50), stateful_step_count=40)
