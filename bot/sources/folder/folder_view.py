"""This module limits a folder to the documents that one person may see."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from citations import AnswerEvent

from .. import EarlierTurn
from ..permission import Permission


class Folder(Protocol):
    """A folder that answers within the permission of one person."""

    @property
    def title(self) -> str:
        """The folder's name."""

    def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the visible documents, after the person's earlier turns."""
        ...

    async def suggestions_for(self, permission: Permission) -> tuple[str, ...]:
        """Return questions that the visible documents answer."""

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:
        """Return the numbers of visible documents and passages."""


@dataclass(frozen=True, slots=True)
class FolderWithin:
    """An answer source that has only the documents of ``folder`` that ``permission`` lets a person see."""

    folder: Folder
    permission: Permission

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.folder.title

    async def open(self) -> None:
        """Do nothing, because the folder is open already."""

    async def close(self) -> None:
        """Do nothing, because the folder stays open for others."""

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the visible documents."""
        return self.folder.answer_for(question, self.permission)

    def answer_after(
        self, question: str, earlier: tuple[EarlierTurn, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the visible documents, after the person's earlier turns."""
        return self.folder.answer_for(question, self.permission, earlier)

    async def suggestions(self) -> tuple[str, ...]:
        """Return questions that the visible documents answer."""
        return await self.folder.suggestions_for(self.permission)

    async def facts(self) -> dict[str, str | int]:
        """Return the numbers of visible documents and passages."""
        return await self.folder.facts_for(self.permission)
