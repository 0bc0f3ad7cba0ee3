"""Long steps share the event loop: one in each of its rounds, in the order of arrival."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from bot.resilience.clock import OneStepPerTick


class Loop:
    """The event loop, with its rounds counted: whatever is ready runs in the same one."""

    def __init__(self) -> None:
        self.round = 0
        self._count()

    def _count(self) -> None:
        self.round += 1
        self._handle = asyncio.get_running_loop().call_soon(self._count)

    def end(self) -> None:
        self._handle.cancel()


async def steps(given_up: set[int], of: int) -> list[tuple[int, int]]:
    """Who ran, and in which round, of so many that came at once; some are cancelled while they wait."""
    ticks, loop, ran = OneStepPerTick(), Loop(), []

    async def step(number: int) -> None:
        await ticks.next()
        ran.append((number, loop.round))

    tasks = [asyncio.create_task(step(number)) for number in range(of)]
    await asyncio.sleep(0)
    for number in given_up:
        tasks[number].cancel()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks, return_exceptions=True)
    async with asyncio.timeout(60):
        await step(of)
    loop.end()
    return ran


async def test_who_is_alone_does_not_wait() -> None:
    ticks = OneStepPerTick()
    coroutine = ticks.next()
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("it waited")


@given(
    st.integers(0, 12).flatmap(
        lambda of: st.tuples(st.sets(st.integers(0, of - 1)) if of else st.just(set()), st.just(of))
    )
)
def test_each_has_a_round_of_its_own(drawn: tuple[set[int], int]) -> None:
    given_up, of = drawn
    ran = asyncio.run(steps(given_up, of))
    numbers, ticks = [number for number, _ in ran], [round_ for _, round_ in ran]
    # The first has run before anybody could be cancelled.
    assert numbers == [number for number in range(of) if number not in given_up or number == 0] + [of]
    assert ticks == sorted(set(ticks))
