"""Remembers the last questions of each person in a conversation, with their answers.

A question may lean on the one before it: ``and for part-timers?``. In a group chat it leans on the
last question of the same person. Others may have asked in between, and may see other documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, Final

import msgspec

from citations import AnswerKind, CitedAnswer, Reference

from ..sources import EarlierTurn
from ..sources.permission import EVERYTHING, Permission
from ..state import State
from ..telemetry.conversation_key import ConversationKey
from .last_answer import LIFETIME, replace_surrogates
from .question_turn import conversation_of, memory_name, memory_names

_KIND: Final = "turns"
_TURNS: Final = 3
"""The most turns of one person that are stored."""
_MAX_QUESTION: Final = 500
_MAX_ANSWER: Final = 1000
_MAX_REFERENCES: Final = 20
_LARGEST: Final = 16 * 1024
"""The most bytes of one stored turn; of a larger one only the question is stored."""


class TurnMemory:
    """Stores the last turns of each person in ``state``, for :data:`LIFETIME`."""

    def __init__(self, state: State) -> None:
        self._state = state

    async def recall(self, asked: Any) -> tuple[EarlierTurn, ...]:
        """The last turns of the sender of an activity, the oldest first."""
        record = await self._state.get(*_key_of(asked))
        return _read_record(record) if record else ()

    async def remember(self, asked: Any, question: str, cited: CitedAnswer) -> None:
        """Store a question of the sender of an activity, and its answer, behind the earlier ones."""
        conversation, kind, person = _key_of(asked)
        earlier = await self.recall(asked)
        turns = (*earlier, _build_turn(question, cited))[-_TURNS:]
        await self._state.put(conversation, kind, person, msgspec.json.encode(turns), lifetime=LIFETIME)

    async def forget(self, asked: Any) -> None:
        """Delete the turns of the sender of an activity."""
        for name in memory_names(asked):
            await self._state.drop(conversation_of(asked), _KIND, name)


def restrict_turns(turns: Iterable[EarlierTurn], permission: Permission) -> tuple[EarlierTurn, ...]:
    """The turns as far as ``permission`` allows them now.

    The answer of a turn is dropped if one of its sources may not be seen, or no longer be quoted.
    Raises :class:`AccessUndecided` if the policy fails.
    """
    if permission is EVERYTHING:
        return tuple(turns)
    return tuple(
        turn if all(_is_permitted(one, permission) for one in turn.references) else EarlierTurn(turn.question)
        for turn in turns
    )


def _is_permitted(reference: Reference, permission: Permission) -> bool:
    return permission.may_see(reference) and (not reference.extract or permission.may_extract(reference))


def _key_of(asked: Any) -> tuple[ConversationKey, str, str]:
    return conversation_of(asked), _KIND, memory_name(asked)


def _build_turn(question: str, cited: CitedAnswer) -> EarlierTurn:
    """Build a turn that can be stored. Its references have no text, which is searched anew."""
    question = replace_surrogates(question[:_MAX_QUESTION])
    sources = tuple(replace(source, text=None) for source in islice(cited.sources, _MAX_REFERENCES + 1))
    turn = EarlierTurn(question, replace_surrogates(cited.text[:_MAX_ANSWER]), sources)
    try:
        fits = len(sources) <= _MAX_REFERENCES and len(msgspec.json.encode(turn)) <= _LARGEST
    except UnicodeError:
        fits = False
    # Without all of its sources nothing would tell whether the answer may still be read. One that the
    # documents do not give may end in questions of other documents.
    return turn if fits and cited.kind is not AnswerKind.NOTHING else EarlierTurn(question)


def _read_record(record: bytes) -> tuple[EarlierTurn, ...]:
    """Read a stored record; empty if it is malformed or of another version."""
    try:
        return msgspec.json.decode(record, type=tuple[EarlierTurn, ...])
    except (msgspec.MsgspecError, UnicodeError):
        return ()
