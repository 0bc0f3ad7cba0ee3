"""What was taken up already, for how long, and by whom."""

from __future__ import annotations

from bot.seen import LIFETIME, ActivityKey, Seen
from bot.state import ConversationKey

from .stores import in_memory

ONE = ConversationKey("msteams", "one")
OTHER = ConversationKey("msteams", "other")


async def test_an_activity_is_first_once_within_its_lifetime() -> None:
    async with in_memory() as store:
        seen, replica = (Seen(state, clock=store.clock) for state in (store.state, store.other))
        assert await seen.first(ActivityKey(ONE, "a"))
        assert not await seen.first(ActivityKey(ONE, "a"))
        assert not await replica.first(ActivityKey(ONE, "a"))
        assert await seen.first(ActivityKey(ONE, "b"))
        assert await seen.first(ActivityKey(OTHER, "a"))
        await store.advance(LIFETIME - 1)
        assert not await seen.first(ActivityKey(ONE, "a"))
        await store.advance(1)
        assert await seen.first(ActivityKey(ONE, "a"))


async def test_a_forgotten_activity_is_first_again() -> None:
    async with in_memory() as store:
        seen = Seen(store.state)
        assert await seen.first(ActivityKey(ONE, "a"))
        await seen.forget(ActivityKey(ONE, "a"))
        assert await seen.first(ActivityKey(ONE, "a"))
