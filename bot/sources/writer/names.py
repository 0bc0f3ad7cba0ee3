"""The names of files. An answer has no names for files that it does not cite."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

from citations import AnswerFormatError

from ..errors import SourceError

_PATIENCE: Final = 3.0
"""The timeout in seconds for all names together: it is short, because the answer's text is there."""
_KEPT: Final = 1000


class FileNames:
    """Looks up names concurrently, and caches the last 1,000 of them."""

    def __init__(self, look_up: Callable[[str], Awaitable[str]], *, patience: float = _PATIENCE) -> None:
        self._look_up = look_up
        self._patience = patience
        self._names: dict[str, str] = {}

    async def of(self, ids: Collection[str]) -> Mapping[str, str]:
        """The names of ``ids``, except those whose look-up fails or times out."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience), asyncio.TaskGroup() as group:
                for one in ids:
                    if one not in self._names:
                        group.create_task(self._learn(one))
        return {one: name for one in ids if (name := self._names.get(one))}

    async def _learn(self, one: str) -> None:
        with contextlib.suppress(SourceError, AnswerFormatError):
            name = await self._look_up(one)
            if len(self._names) >= _KEPT:
                del self._names[next(iter(self._names))]
            self._names[one] = name
