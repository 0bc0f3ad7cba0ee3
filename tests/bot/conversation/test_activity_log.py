"""What was taken up already, for how long, and by whom."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.conversation.activity_log import LEASE, LIFETIME, RENEWALS, ActivityKey, ActivityLog
from bot.state import StateError, Swap
from bot.state.redis import TIMEOUT
from bot.state.sqlite import StateInSQLite
from bot.telemetry.conversation_key import ConversationKey
from tests.bot.stores import in_memory, in_sqlite, put_first

ONE = ConversationKey("msteams", "one")
OTHER = ConversationKey("msteams", "other")


async def test_an_activity_is_first_once_within_its_lifetime() -> None:
    async with in_memory() as store:
        seen, replica = (ActivityLog(state, clock=store.clock) for state in (store.state, store.other))
        assert await seen.take_lease(ActivityKey(ONE, "a"))
        assert not await seen.take_lease(ActivityKey(ONE, "a"))
        assert not await replica.take_lease(ActivityKey(ONE, "a"))
        assert await seen.take_lease(ActivityKey(ONE, "b"))
        assert await seen.take_lease(ActivityKey(OTHER, "a"))
        await store.advance(LIFETIME - 1)
        assert not await seen.take_lease(ActivityKey(ONE, "a"))
        await store.advance(1)
        assert await seen.take_lease(ActivityKey(ONE, "a"))
        await seen.close()


async def test_an_activity_that_is_given_back_is_first_again() -> None:
    async with in_memory() as store:
        seen = ActivityLog(store.state)
        taken = await seen.take_lease(ActivityKey(ONE, "a"))
        assert taken
        await taken.give_back()
        assert await seen.take_lease(ActivityKey(ONE, "a"))
        await seen.close()


KEY = ActivityKey(ONE, "a")
KEY_PLACE = (ONE, "seen", "a")


async def never(_: float) -> None:
    await asyncio.Event().wait()


async def test_a_process_that_stood_still_has_lost_what_another_took_over(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        still = ActivityLog(store.state, clock=store.clock, sleep=never)
        other = ActivityLog(store.other, clock=store.clock, sleep=store.advance)
        before = await still.take_lease(KEY)
        assert before
        assert await before.is_valid()
        after = await other.take_lease(KEY)
        assert after
        after.release()
        assert not await before.is_valid()
        await before.give_back()
        assert await after.is_valid()
        await asyncio.gather(still.close(), other.close())
        assert not await ActivityLog(store.state).take_lease(KEY)


async def settle() -> None:
    """The store has been told of what is over."""
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "settling"))


async def test_a_process_that_stands_still_after_its_answer_has_answered(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        still = ActivityLog(store.state, clock=store.clock, sleep=never)
        taken = await still.take_lease(KEY)
        assert taken
        taken.release()
        await settle()
        other = ActivityLog(store.other, clock=store.clock, sleep=store.advance)
        assert not await other.take_lease(KEY)
        await still.close()


async def test_a_process_that_stood_still_for_a_lifetime_leaves_it_to_whoever_is_given_it(
    tmp_path: Path,
) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        still = ActivityLog(store.state, clock=store.clock, sleep=never)
        before = await still.take_lease(KEY)
        assert before
        await store.advance(LIFETIME)
        assert not await before.is_valid()
        other = ActivityLog(store.other, clock=store.clock, sleep=never)
        after = await other.take_lease(KEY)
        assert after
        assert await after.is_valid()
        await asyncio.gather(still.close(), other.close())


async def test_signs_of_life_keep_it_for_longer_than_a_lifetime(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        seen = ActivityLog(store.state, clock=store.clock, sleep=never)
        taken = await seen.take_lease(KEY)
        assert taken
        for _ in range(3):
            await store.advance(LIFETIME - 1)
            assert await taken.is_valid()
        await store.state.forget(ONE)
        assert await taken.is_valid()
        await seen.close()


async def test_what_comes_again_after_its_lifetime_takes_the_place_of_what_is_still_under_way(
    tmp_path: Path,
) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        still = ActivityLog(store.state, clock=store.clock, sleep=never)
        before = await still.take_lease(KEY)
        await store.advance(LIFETIME)
        after = await still.take_lease(KEY)
        assert before
        assert after
        assert not await before.is_valid()
        before.release()
        assert await after.is_valid()
        await still.close()


async def test_a_process_that_is_slow_keeps_what_it_has(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        slow = ActivityLog(store.state, clock=store.clock, sleep=never)

        async def sleep(seconds: float) -> None:
            await store.advance(seconds)
            await slow.renew()

        other = ActivityLog(store.other, clock=store.clock, sleep=sleep)
        taken = await slow.take_lease(KEY)
        assert taken
        for _ in range(10):
            assert await other.take_lease(KEY) is None
        assert await taken.is_valid()
        await slow.close()


async def test_what_is_given_back_while_another_waits_is_taken_up_by_it(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        failing = ActivityLog(store.state, clock=store.clock, sleep=never)
        taken = await failing.take_lease(KEY)
        assert taken

        async def sleep(_: float) -> None:
            await taken.give_back()

        other = ActivityLog(store.other, clock=store.clock, sleep=sleep)
        again = await other.take_lease(KEY)
        assert again
        again.release()
        await asyncio.gather(failing.close(), other.close())


async def test_what_another_version_has_taken_up_is_left_to_it(tmp_path: Path) -> None:
    """It gives no signs of life, whether it is alive or not."""
    async with in_sqlite(tmp_path / "state.db") as store:
        assert await put_first(store.state, ONE, "seen", "a", lifetime=LIFETIME)
        assert not await ActivityLog(store.other, sleep=never).take_lease(KEY)


class Deaf(StateInSQLite):
    """What it answers to a swap may be lost."""

    deaf = False

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        found = await super().swap(swaps)
        if self.deaf:
            raise StateError("the answer was lost")
        return found


async def test_a_sign_of_life_whose_answer_is_lost_is_a_sign(tmp_path: Path) -> None:
    state = Deaf(tmp_path / "state.db")
    await state.open()
    seen = ActivityLog(state, sleep=never)
    taken = await seen.take_lease(KEY)
    assert taken
    state.deaf = True
    await seen.renew()
    state.deaf = False
    assert await taken.is_valid()
    taken.release()
    await seen.close()
    await seen.renew()
    assert await state.get(*KEY_PLACE) == b""
    assert not await ActivityLog(state, sleep=never).take_lease(KEY)
    await state.close()


class Counted(StateInSQLite):
    """How often it is asked for anything."""

    asked = 0

    async def _run(self, *arguments: object) -> object:  # type: ignore[override] # whatever it is
        self.asked += 1
        return await super()._run(*arguments)  # type: ignore[arg-type]


async def test_a_hundred_answers_at_once_are_told_in_one_step(tmp_path: Path) -> None:
    """Each turn asks once whether it is the first; what ends together is told together."""
    state = Counted(tmp_path / "state.db")
    await state.open()
    state.asked = 0
    seen = ActivityLog(state, sleep=never)
    turns = [await seen.take_lease(ActivityKey(ONE, f"{number}")) for number in range(100)]
    for taken in turns:
        assert taken
        assert await taken.is_valid()
    assert state.asked == 100
    for taken in turns:
        assert taken
        taken.release()
    await settle()
    assert state.asked == 101
    await seen.close()
    assert state.asked == 101
    # Whoever comes later is told at once, and nothing wakes anybody up.
    assert not await ActivityLog(state, sleep=never).take_lease(ActivityKey(ONE, "1"))
    assert [task for task in asyncio.all_tasks() if task.get_name() in ("under way", "settling")] == []
    await state.close()


async def test_what_ends_while_the_store_is_told_shares_the_next_step(tmp_path: Path) -> None:
    state = Counted(tmp_path / "state.db")
    await state.open()
    seen = ActivityLog(state, sleep=never)
    turns = [await seen.take_lease(ActivityKey(ONE, f"{number}")) for number in range(100)]
    state.asked = 0
    for number, taken in enumerate(turns):
        assert taken
        taken.release()
        if number == 0:
            await asyncio.sleep(0)
    await settle()
    assert state.asked == 2
    await seen.close()
    await state.close()


class SlowToSwap(StateInSQLite):
    """It takes a hundred swaps in time, and no more."""

    away = True

    async def swap(self, swaps: Sequence[Swap]) -> list[bytes | None]:
        if self.away or len(swaps) > 100:
            raise StateError("no answer within 2 s")
        return await super().swap(swaps)


async def test_what_has_piled_up_in_an_outage_is_told_in_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.conversation.activity_log.AT_ONCE", 100)
    state = SlowToSwap(tmp_path / "state.db")
    await state.open()
    seen = ActivityLog(state, sleep=never)
    under_way = await seen.take_lease(KEY)
    assert under_way
    for number in range(250):
        taken = await seen.take_lease(ActivityKey(OTHER, f"{number}"))
        assert taken
        taken.release()
    await settle()
    state.away = False
    await seen.renew()
    assert [await state.get(OTHER, "seen", f"{number}") for number in range(250)] == [b""] * 250
    assert await under_way.is_valid()
    await seen.close()
    await state.close()


async def test_nothing_wakes_a_process_up_that_has_nothing_under_way(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path / "state.db") as store:
        seen = ActivityLog(store.state, lease=0.04)
        taken = await seen.take_lease(ActivityKey(ONE, "a"))
        assert taken
        [signalling] = [task for task in asyncio.all_tasks() if task.get_name() == "under way"]
        taken.release()
        async with asyncio.timeout(60):
            await signalling


def test_a_dead_replica_is_found_out_within_a_request() -> None:
    """Within the 12 s of its budget, with some to spare for the store's own answers."""
    assert LEASE <= 10
    # A signal that waits for Redis in vain, and the next one.
    assert 2 * LEASE / RENEWALS + TIMEOUT < 0.9 * LEASE
