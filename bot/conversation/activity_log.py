"""Which activities have been taken up already: channels deliver at least once, not exactly once.

A replica that takes one up says so in the store, and says it again every few seconds until its answer is
sent. What a dead replica has left unanswered stays silent, and another one that is given it takes it over.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ..config.timeouts import Timeouts
from ..state import State, StateError, Swap
from ..state.memory import StateInMemory
from ..telemetry import detached_context
from ..telemetry.conversation_key import ConversationKey, short
from ..telemetry.log import logger

LIFETIME: Final = 15 * 60.0
"""Seconds. Teams sends an activity again when the bot took 15 s."""
LEASE: Final = Timeouts().lease
"""Seconds of silence after which a replica counts as dead.

They end within the 12 s that the request has in which the activity comes again. A signal that meets a Redis
that hangs for its whole patience is followed by the next one before they are over.
"""
SIGNALS: Final = 4
"""In a lease."""
MOST: Final = 500
"""Activities in one step to the store."""

TAKEN: Final = "taken"
"""Under this name the state of a turn has its activity as :class:`ActivityClaim`."""

_KIND: Final = "seen"
_UNDER_WAY: Final = b"under way "
"""How what is kept of an activity begins until its answer is sent; then a random name and a number follow."""
_SETTLED: Final = b""

log = logger(__name__)


class ActivityKey(NamedTuple):
    """An activity: its id is unique in its conversation only."""

    conversation: ConversationKey
    activity_id: str


@dataclass(slots=True, eq=False)
class ActivityClaim:
    """An activity that this process has taken up. It is under way until everybody has let it go."""

    key: ActivityKey
    _seen: ActivityLog
    _name: bytes = field(default_factory=lambda: _UNDER_WAY + secrets.token_bytes(16))
    kept: bytes = field(init=False)
    """What the store has of it, as far as is known."""
    lost: bool = False
    """Whether another replica has taken it over."""
    sure_until: float = 0.0
    """Until when no other replica can have done so."""
    ends: float = 0.0
    """When the store keeps nothing of it any more: a lifetime after the last sign that it has."""
    _holders: int = 1
    _signals: int = 0

    def __post_init__(self) -> None:
        self.kept = self._name

    @property
    def over(self) -> bool:
        """Whether its answer is sent, or nobody will send it."""
        return self._holders == 0

    def hold(self) -> None:
        """It goes on after the one who took it up has let it go."""
        self._holders += 1

    def let_go(self) -> None:
        """For each :meth:`hold`, and for having taken it up: what became of it is known."""
        self._holders -= 1
        if self.over:
            self._seen.settle(self)

    async def ours(self) -> bool:
        """Whether it is still for this process to answer; asked before anything is said.

        A process that stood still for a while may have been taken for dead.
        """
        return await self._seen.holds(self)

    async def give_back(self) -> None:
        """Let it be taken up again: it was not done."""
        await self._seen.give_back(self)

    def signal(self) -> Swap:
        """What is to be kept of it now: another sign of life, or that it is over."""
        self._signals += 1
        new = _SETTLED if self.over else self._name + self._signals.to_bytes(4, "big")
        return _swap(self.key, self.kept, new)

    def learn(self, found: bytes | None, now: float) -> None:
        """What is kept of it now."""
        if found is None and now >= self.ends and not self.over:
            # The process stood still for a lifetime. Whoever is given it from then on has it.
            self.lost = True
        # Nothing: it was deleted with its conversation, or the store has forgotten, or was never told.
        elif found is None or found.startswith(self._name) or (self.over and found == _SETTLED):
            self.kept = found or self.kept
        else:
            self.lost = True


class ActivityLog:
    """Remembers activities in ``state``, so that neither a restart nor a replica answers one again.

    Of all replicas that are given an activity within :data:`LIFETIME`, one has it at a time, and another
    one only where that gives it back, or dies before its answer is sent. While they can't reach ``state``,
    or where that has lost what it had, each replica may have it once. The store is told of an answer right
    after it is sent: a replica that dies or stands still between the two may be taken for one that sent
    nothing. ``lease`` is in seconds, as are ``clock`` and what ``sleep`` waits for.
    """

    def __init__(
        self,
        state: State,
        *,
        lease: float = LEASE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._state = state
        self._lease = lease
        self._clock = clock
        self._sleep = sleep
        # What ends with the process needs nobody who takes it over.
        self._ours = None if isinstance(state, StateInMemory) else StateInMemory(clock=clock)
        self._held: dict[ActivityKey, ActivityClaim] = {}
        """What is under way, and what the store has not been told of yet that it is over."""
        self._signalling: asyncio.Task[None] | None = None
        self._over: list[ActivityClaim] = []
        """What is over, and the store is told of next."""
        self._settling: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def take(self, key: ActivityKey) -> ActivityClaim | None:
        """``key`` for this process to answer, if it is new; None where it is another's, or done.

        Where another replica has it and no answer was sent yet, that takes until it gives a sign of
        life, or a whole lease.
        """
        taken = ActivityClaim(key, self)
        if self._ours is None:
            return taken if await self._claim(taken) else None
        if not await self._ours.claim(*_place(key), taken.kept, lifetime=LIFETIME):
            return None
        won = False
        try:
            won = await self._claim(taken) or await self._take_over(taken)
        finally:
            if not won:
                await self._ours.drop(*_place(key))
        return self._hold(taken) if won else None

    async def signal(self) -> None:
        """Tell the store what is under way and what is over, in as few steps as it takes."""
        async with self._one_at_a_time:
            held = list(self._held.values())
            for begin in range(0, len(held), MOST):
                await self._tell(held[begin : begin + MOST])

    def settle(self, taken: ActivityClaim) -> None:
        """Tell the store soon that ``taken`` is over.

        Another replica that hears no sign of life for a lease would send a second answer.
        """
        if self._held.get(taken.key) is not taken:
            return
        self._over.append(taken)
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle(), name="settling", context=detached_context())

    async def close(self) -> None:
        """Tell the store what is over. What is not may be taken over."""
        for task in (self._signalling, self._settling):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        self._held = {key: taken for key, taken in self._held.items() if taken.over}
        await self.signal()

    async def holds(self, taken: ActivityClaim) -> bool:
        """Whether no other replica has taken it over."""
        if not taken.lost and self._held.get(taken.key) is taken and self._clock() >= taken.sure_until:
            await self.signal()
        return not taken.lost

    async def give_back(self, taken: ActivityClaim) -> None:
        """Let it be new again, unless another replica has it."""
        if not await self.holds(taken):
            return
        if self._ours is not None:
            self._held.pop(taken.key, None)
            await self._ours.drop(*_place(taken.key))
        await self._state.drop(*_place(taken.key))

    async def _claim(self, taken: ActivityClaim) -> bool:
        taken.sure_until = self._clock() + self._sure
        return await self._state.claim(*_place(taken.key), taken.kept, lifetime=LIFETIME)

    async def _take_over(self, taken: ActivityClaim) -> bool:
        """Whether whoever has it gives no sign of life, or gives it back."""
        place = _place(taken.key)
        first = found = await self._state.get(*place)
        for _ in range(SIGNALS):
            if found != first or found is None or not found.startswith(_UNDER_WAY):
                break
            await self._sleep(self._lease / SIGNALS)
            # Each time: a store that was away in between could not be given a sign.
            found = await self._state.get(*place)
        if found is None:
            return await self._claim(taken)
        if found != first or not found.startswith(_UNDER_WAY):
            return False
        taken.sure_until = self._clock() + self._sure
        [kept] = await self._state.swap([_swap(taken.key, found, taken.kept)])
        if kept == taken.kept:
            _log("taken over", taken.key)
        return kept == taken.kept

    @property
    def _sure(self) -> float:
        """Seconds from a sign of life on, with some to spare for what is on its way."""
        return 0.9 * self._lease

    def _hold(self, taken: ActivityClaim) -> ActivityClaim:
        if before := self._held.get(taken.key):
            # This process stood still until nothing was known of it any more; then it came again.
            before.lost = True
        self._held[taken.key] = taken
        # From before the store was asked on.
        taken.ends = taken.sure_until - self._sure + LIFETIME
        if self._signalling is None or self._signalling.done():
            # Whichever turn happens to begin it, the others' are told with it.
            self._signalling = asyncio.create_task(
                self._signal(), name="under way", context=detached_context()
            )
        return taken

    async def _signal(self) -> None:
        """While anything is under way, and no longer."""
        while self._held:
            await self._sleep(self._lease / SIGNALS)
            await self.signal()

    async def _settle(self) -> None:
        """What ends during a step to the store shares the next one."""
        while self._over:
            async with self._one_at_a_time:
                over, self._over = self._over[:MOST], self._over[MOST:]
                untold = [taken for taken in over if self._held.get(taken.key) is taken]
                if untold:
                    await self._tell(untold)

    async def _tell(self, held: list[ActivityClaim]) -> None:
        begun = self._clock()
        swaps = [taken.signal() for taken in held]
        try:
            found = await self._state.swap(swaps)
        except StateError:
            found = [swap.old for swap in swaps]
        for taken, swap, kept in zip(held, swaps, found, strict=True):
            taken.learn(kept, begun)
            if kept == swap.new:
                taken.ends = begun + LIFETIME
            # Otherwise the store is away, or has what it took before without our hearing of it: once more.
            made = kept is None or kept == swap.new
            taken.sure_until = begun + (self._sure if made else self._lease / SIGNALS)
            told = swap.new == _SETTLED and (made or begun > taken.ends)
            if (told or taken.lost) and self._held.get(taken.key) is taken:
                del self._held[taken.key]
            if taken.lost:
                _log("lost to another replica", taken.key)


def _log(event: str, key: ActivityKey) -> None:
    log.warning(event, channel=key.conversation.channel_id, conversation=short(key.conversation))


def _place(key: ActivityKey) -> tuple[ConversationKey, str, str]:
    return key.conversation, _KIND, key.activity_id


def _swap(key: ActivityKey, old: bytes, new: bytes) -> Swap:
    return Swap(*_place(key), old, new, LIFETIME)
