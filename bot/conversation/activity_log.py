"""Makes sure that one replica answers each activity, although channels deliver at least once.

A replica takes a lease of an activity in the store before it answers. The replica renews it
every few seconds until its answer is sent. A dead replica renews nothing, so another replica that
receives the activity again takes its lease over.
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
"""Seconds that the store keeps a lease. Teams sends an activity again when the bot took 15 s."""
LEASE: Final = Timeouts().lease
"""Seconds without a renewal after which a replica counts as dead.

They end within the 12 s of the request in which the activity comes again. If a renewal meets a Redis that
hangs for its whole timeout, the next renewal still comes within the lease.
"""
RENEWALS: Final = 4
"""Renewals in a lease."""
AT_ONCE: Final = 5000
"""The most leases in one step to the store. Redis has two seconds, and takes about 30,000 in that time.

A process has some hundreds. In an outage those that are finished wait for the store, for their lifetime.
"""

LEASE_KEY: Final = "activity lease"
"""The key of the :class:`ActivityLease` in the state of its turn."""

_KIND: Final = "seen"
_UNDER_WAY: Final = b"under way "
"""The stored value of a lease is this prefix, a random token and the number of renewals."""
_SETTLED: Final = b""
"""The stored value once the answer is sent."""

log = logger(__name__)


class ActivityKey(NamedTuple):
    """The key of an activity, whose id is unique in its conversation only."""

    conversation: ConversationKey
    activity_id: str

    @property
    def address(self) -> tuple[ConversationKey, str, str]:
        """Where the store has its lease."""
        return self.conversation, _KIND, self.activity_id


@dataclass(slots=True, eq=False)
class ActivityLease:
    """This process's lease of an activity. It is finished when all its holders have released it.

    All times are those of the log's clock, in seconds.
    """

    key: ActivityKey
    _activity_log: ActivityLog
    _token: bytes = field(default_factory=lambda: _UNDER_WAY + secrets.token_bytes(16))
    stored: bytes = field(init=False)
    """The value in the store, as far as this process knows."""
    lost: bool = False
    """Whether another replica has taken the activity over."""
    valid_until: float = 0.0
    """The time until which no other replica can take the activity over."""
    expires_at: float = 0.0
    """The time at which the store drops the lease: a lifetime after the last renewal."""
    _holders: int = 1
    _renewals: int = 0

    def __post_init__(self) -> None:
        self.stored = self._token

    @property
    def finished(self) -> bool:
        """Whether the answer is sent, or will not be sent."""
        return self._holders == 0

    def retain(self) -> None:
        """Add a holder, for work that goes on after the first one has released the lease."""
        self._holders += 1

    def release(self) -> None:
        """Remove a holder; call it once for the lease itself and once for each :meth:`retain`."""
        self._holders -= 1
        if self.finished:
            self._activity_log.settle(self)

    async def is_valid(self) -> bool:
        """Whether this process may still answer; ask before every activity that is sent.

        Another replica may have taken the activity over from a process that was suspended.
        """
        return await self._activity_log.confirm(self)

    async def give_back(self) -> None:
        """Drop the lease of an activity that was not answered, so that another can be taken."""
        await self._activity_log.give_back(self)

    def build_swap(self) -> Swap:
        """The next change of the store: another renewal, or the end of the lease."""
        self._renewals += 1
        new = _SETTLED if self.finished else self._token + self._renewals.to_bytes(4, "big")
        return Swap(*self.key.address, self.stored, new, LIFETIME)

    def apply(self, found: bytes | None, now: float) -> None:
        """Learn from the value that the store has now whether the lease is lost."""
        if found is None and now >= self.expires_at and not self.finished:
            # The process was suspended for a lifetime: the next replica that gets the activity has it.
            self.lost = True
        # The value is missing if the conversation was deleted, or the store was restarted or never written.
        elif found is None or found.startswith(self._token) or (self.finished and found == _SETTLED):
            self.stored = found or self.stored
        else:
            self.lost = True


class ActivityLog:
    """The leases of activities, in ``state``, so that no restart or replica answers one again.

    Of all replicas that receive an activity within :data:`LIFETIME`, one at a time has its lease. Another
    replica gets it only if the first one gives it back, or dies before its answer is sent. Each replica may
    take one of its own while ``state`` can't be reached, or after ``state`` has lost its data. The
    lease is settled right after the answer. A replica that stops between the two counts as one that did
    not answer. ``lease`` is in seconds, as are ``clock`` and the argument of ``sleep``.
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
        self._local = StateInMemory(clock=clock)
        """What this process has taken itself. It outlives a conversation that is forgotten."""
        self._leases: dict[ActivityKey, ActivityLease] = {}
        """The leases under way, and the finished ones that the store has not confirmed yet."""
        self._renewing: asyncio.Task[None] | None = None
        self._finished: list[ActivityLease] = []
        """The finished leases that are written next."""
        self._settling: asyncio.Task[None] | None = None
        self._store_lock = asyncio.Lock()

    async def take_lease(self, key: ActivityKey) -> ActivityLease | None:
        """Lease a new activity for this process; None if another process has it, or it is answered.

        If another replica has an unsettled lease, this waits until that is renewed, or as long as one lasts.
        """
        lease = ActivityLease(key, self)
        if not await self._local.put_new(*key.address, lease.stored, lifetime=LIFETIME):
            return None
        won = False
        try:
            won = await self._store_lease(lease) or await self._take_over(lease)
        finally:
            if not won:
                await self._local.drop(*key.address)
        return self._hold(lease) if won else None

    async def renew(self) -> None:
        """Renew all leases under way, and settle the finished ones."""
        async with self._store_lock:
            await self._write(list(self._leases.values()))

    def settle(self, lease: ActivityLease) -> None:
        """Write soon that ``lease`` is finished.

        Without it, another replica would send a second answer after the lease.
        """
        if self._leases.get(lease.key) is not lease:
            return
        self._finished.append(lease)
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle(), name="settling", context=detached_context())

    async def close(self) -> None:
        """Settle the finished leases, and stop renewing the others, which can be taken over."""
        for task in (self._renewing, self._settling):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        self._leases = {key: lease for key, lease in self._leases.items() if lease.finished}
        await self.renew()

    async def confirm(self, lease: ActivityLease) -> bool:
        """Whether this process still has the lease; ask the store once it may be lost."""
        if not lease.lost and self._leases.get(lease.key) is lease and self._clock() >= lease.valid_until:
            await self.renew()
        return not lease.lost

    async def give_back(self, lease: ActivityLease) -> None:
        """Drop the lease, unless another replica has it."""
        if await self.confirm(lease):
            await self.drop(lease.key)

    async def drop(self, key: ActivityKey) -> None:
        """Let the lease of an activity be taken anew."""
        self._leases.pop(key, None)
        await self._local.drop(*key.address)
        await self._state.drop(*key.address)

    async def _store_lease(self, lease: ActivityLease) -> bool:
        lease.valid_until = self._clock() + self._validity
        return await self._state.put_new(*lease.key.address, lease.stored, lifetime=LIFETIME)

    async def _take_over(self, lease: ActivityLease) -> bool:
        """Whether the replica with the lease does not renew it while it lasts, or gives it back."""
        address = lease.key.address
        first = found = await self._state.get(*address)
        for _ in range(RENEWALS):
            if found != first or found is None or not found.startswith(_UNDER_WAY):
                break
            await self._sleep(self._lease / RENEWALS)
            # Every read must succeed: a store that was away in between could not be written either.
            found = await self._state.get(*address)
        if found is None:
            return await self._store_lease(lease)
        if found != first or not found.startswith(_UNDER_WAY):
            return False
        lease.valid_until = self._clock() + self._validity
        [stored] = await self._state.swap([Swap(*address, found, lease.stored, LIFETIME)])
        if stored == lease.stored:
            _warn("taken over", lease.key)
        return stored == lease.stored

    @property
    def _validity(self) -> float:
        """Seconds for which a renewal is valid: less than the lease, since a message may be on its way."""
        return 0.9 * self._lease

    def _hold(self, lease: ActivityLease) -> ActivityLease:
        """Keep a lease until it is settled, and renew it from now on."""
        if before := self._leases.get(lease.key):
            # This process was suspended until its first lease had expired, and the activity came again.
            before.lost = True
        self._leases[lease.key] = lease
        # The lifetime counts from before the request to the store.
        lease.expires_at = lease.valid_until - self._validity + LIFETIME
        if self._renewing is None or self._renewing.done():
            # The task renews the leases of all turns, so it must not have one turn's context.
            self._renewing = asyncio.create_task(
                self._renew_regularly(), name="under way", context=detached_context()
            )
        return lease

    async def _renew_regularly(self) -> None:
        """Renew the leases as long as there are any."""
        while self._leases:
            await self._sleep(self._lease / RENEWALS)
            await self.renew()

    async def _settle(self) -> None:
        """Write the finished leases; those that finish during a step share the next one."""
        while self._finished:
            async with self._store_lock:
                finished, self._finished = self._finished, []
                unsettled = [lease for lease in finished if self._leases.get(lease.key) is lease]
                await self._write(unsettled)

    async def _write(self, leases: list[ActivityLease]) -> None:
        """Write the state of the leases in as few steps as possible, and learn which are lost."""
        for start in range(0, len(leases), AT_ONCE):
            await self._write_at_once(leases[start : start + AT_ONCE])

    async def _write_at_once(self, leases: list[ActivityLease]) -> None:
        begin = self._clock()
        swaps = [lease.build_swap() for lease in leases]
        try:
            values = await self._state.swap(swaps)
        except StateError:
            values = [swap.old for swap in swaps]
        for lease, swap, value in zip(leases, swaps, values, strict=True):
            lease.apply(value, begin)
            if value == swap.new:
                lease.expires_at = begin + LIFETIME
            # Another value: the store is away, or has an earlier write whose response was lost. Try again.
            written = value is None or value == swap.new
            lease.valid_until = begin + (self._validity if written else self._lease / RENEWALS)
            settled = swap.new == _SETTLED and (written or begin > lease.expires_at)
            if (settled or lease.lost) and self._leases.get(lease.key) is lease:
                del self._leases[lease.key]
            if lease.lost:
                _warn("lost to another replica", lease.key)


def _warn(event: str, key: ActivityKey) -> None:
    log.warning(event, channel=key.conversation.channel_id, conversation=short(key.conversation))
