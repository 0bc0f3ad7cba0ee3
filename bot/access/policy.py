"""The operator's access policy, which is called before anything is retrieved.

A policy is any callable, sync or async, that takes an :class:`Asker` and returns a :class:`Permission`,
or None to refuse. It fails closed: an exception, a timeout or another result refuses too.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any, Final, Protocol

from ..config.env import load_callable
from ..sources.permission import EVERYTHING, AccessRefused, AccessUndecided, Permission
from ..telemetry.log import cause, logger
from .asker import Asker

TIMEOUT: Final = 10.0
"""Seconds for one call of the policy."""

log = logger(__name__)


class AccessPolicy(Protocol):
    """Decides what may be searched for an asker. With None nothing is, and the bot tells them so."""

    def __call__(self, asker: Asker, /) -> Permission | Awaitable[Permission | None] | None:
        """Called once for each question; may block, wait or raise."""


def load_policy(spec: str) -> AccessPolicy:
    """Import the policy ``module:callable``. Raises ``ValueError``, whose message follows the variable."""
    policy: AccessPolicy = load_callable(spec, example="access:policy")
    return policy


async def permission_for(asker: Asker, policy: AccessPolicy | None) -> Permission:
    """The permission that ``policy`` grants; without a policy, everything.

    Raises :class:`AccessRefused` where it refuses, and :class:`AccessUndecided` where it fails.
    """
    if policy is None:
        return EVERYTHING
    try:
        async with asyncio.timeout(TIMEOUT):
            permission = await _call_policy(policy, asker)
    except Exception as error:  # noqa: BLE001 - a policy that fails grants nothing
        log.error("access policy failed", channel=asker.channel_id, cause=cause(error))
        raise AccessUndecided("the access policy failed") from None
    if permission is None:
        raise AccessRefused("the access policy refused")
    if not isinstance(permission, Permission):
        returned = type(permission).__name__
        log.error("access policy failed", channel=asker.channel_id, cause=f"returned {returned}")
        raise AccessUndecided("the access policy returned no Permission")
    return permission


async def _call_policy(policy: AccessPolicy, asker: Asker) -> object:
    if inspect.iscoroutinefunction(policy) or inspect.iscoroutinefunction(type(policy).__call__):
        result: Any = policy(asker)
    else:
        # A sync policy may block, for example on a directory server, so it runs in a thread.
        result = await asyncio.to_thread(policy, asker)
    return await result if inspect.isawaitable(result) else result
