"""A folder for somebody who may see a part of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from citations import AnswerEvent

from ..permission import Permission


class Folder(Protocol):
    """What a folder does for one person."""

    @property
    def title(self) -> str:
        """The folder's name."""

    def answer_for(self, question: str, permission: Permission) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what may be seen."""
        ...

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Questions that are answered from what may be seen."""

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """How much there is of what may be seen."""


@dataclass(frozen=True, slots=True)
class FolderWithin:
    """``folder`` as an answer source that has no more than ``permission`` lets be seen."""

    folder: Folder
    permission: Permission

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.folder.title

    async def open(self) -> None:
        """Nothing: the folder is open."""

    async def close(self) -> None:
        """Nothing: the folder stays open."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from what may be seen."""
        return self.folder.answer_for(question, self.permission)

    async def suggestions(self) -> tuple[str, ...]:
        """Questions that are answered from what may be seen."""
        return await self.folder.suggestions_for(self.permission)

    async def facts(self) -> dict[str, str | int]:
        """How much there is of what may be seen."""
        return await self.folder.facts_for(self.permission)
