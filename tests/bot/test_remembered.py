"""What was answered last: for how long it is kept, and of how many conversations."""

from __future__ import annotations

from bot.remembered import AnswersInMemory, RememberedAnswer
from bot.state import ConversationKey


def answer(text: str) -> RememberedAnswer:
    return RememberedAnswer(text=text)


def conversation(name: str, channel_id: str = "webchat") -> ConversationKey:
    return ConversationKey(channel_id, name)


async def test_the_last_answer_of_each_conversation() -> None:
    memory = AnswersInMemory()
    await memory.remember(conversation("a"), answer("first"))
    await memory.remember(conversation("a"), answer("second"))
    await memory.remember(conversation("a", "msteams"), answer("third"))
    assert await memory.recall(conversation("a")) == answer("second")
    assert await memory.recall(conversation("a", "msteams")) == answer("third")
    assert await memory.recall(conversation("b")) is None


async def test_an_answer_is_forgotten_in_time() -> None:
    now = [0.0]
    memory = AnswersInMemory(lifetime=10, clock=lambda: now[0])
    await memory.remember(conversation("a"), answer("first"))
    now[0] = 9.0
    await memory.remember(conversation("b"), answer("second"))
    assert await memory.recall(conversation("a")) == answer("first")
    now[0] = 10.0
    assert await memory.recall(conversation("a")) is None
    assert await memory.recall(conversation("b")) == answer("second")


async def test_the_conversation_that_was_answered_longest_ago_makes_room() -> None:
    memory = AnswersInMemory(capacity=2)
    for name in "abac":
        await memory.remember(conversation(name), answer(name))
    kept = [name for name in "abc" if await memory.recall(conversation(name))]
    assert kept == ["a", "c"]
