"""Who may have what searched: the deployment's policy, asked before anything is retrieved.

The policy is any callable, sync or async, that takes an :class:`Asker` and returns a
:class:`Permission`, or None to refuse. What fails, takes too long, or returns anything else means that
nothing may be seen.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
from collections.abc import Awaitable
from typing import Any, Final, Protocol

from ..sources.permission import EVERYTHING, AccessRefused, AccessUndecided, Permission
from ..telemetry.log import cause, logger
from .asker import Asker

PATIENCE: Final = 10.0
"""Seconds that the policy has to say what may be searched."""

_FORM: Final = re.compile(r"\w+(?:\.\w+)*:\w+(?:\.\w+)*")

log = logger(__name__)


class AccessPolicy(Protocol):
    """Says what may be searched for whoever asks; None: nothing, and the person is told so."""

    def __call__(self, asker: Asker, /) -> Permission | Awaitable[Permission | None] | None:
        """May block, wait or raise; it is asked once for each question."""


def load_policy(written: str) -> AccessPolicy:
    """The policy that ``module:callable`` names. Raises ``ValueError``, in words that follow the name."""
    if not _FORM.fullmatch(written):
        raise ValueError("is not module:callable, such as access:policy")
    module, _, name = written.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ValueError(f"can't be loaded: {cause(error)}") from error
    if not callable(found):
        raise ValueError("can't be called")
    policy: AccessPolicy = found
    return policy


async def permission_for(asker: Asker, policy: AccessPolicy | None) -> Permission:
    """What ``policy`` lets be searched; without one, everything.

    Raises :class:`AccessRefused` where it refuses, and :class:`AccessUndecided` where it fails.
    """
    if policy is None:
        return EVERYTHING
    try:
        async with asyncio.timeout(PATIENCE):
            said = await _ask_policy(policy, asker)
    except Exception as error:  # noqa: BLE001 - whatever it raises, nothing may be seen
        log.error("access policy failed", channel=asker.channel_id, cause=cause(error))
        raise AccessUndecided("the access policy failed") from None
    if said is None:
        raise AccessRefused("the access policy refused")
    if not isinstance(said, Permission):
        log.error("access policy failed", channel=asker.channel_id, cause=f"returned {type(said).__name__}")
        raise AccessUndecided("the access policy returned no Permission")
    return said


async def _ask_policy(policy: AccessPolicy, asker: Asker) -> object:
    if inspect.iscoroutinefunction(policy) or inspect.iscoroutinefunction(type(policy).__call__):
        said: Any = policy(asker)
    else:
        # It may wait for a directory, and nobody else should.
        said = await asyncio.to_thread(policy, asker)
    return await said if inspect.isawaitable(said) else said
