"""What becomes of doubts about an answer, and the model that judges whether its sources support it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Annotated, NamedTuple, Protocol

from pydantic import BeforeValidator, Field, SkipValidation

from ..access.callable import load_callable
from ..config.env import Variables, Words


class ClaimAndPassage(NamedTuple):
    """A sentence of an answer, without markup, and the text of the sources that it cites."""

    claim: str
    passage: str


class SupportJudge(Protocol):
    """A model that says of each pair whether the passage supports the claim; None where it cannot say."""

    def __call__(self, pairs: Sequence[ClaimAndPassage], /) -> Awaitable[Sequence[bool | None]]:
        """Called once for each complete answer that cites something; may raise."""


def _read_mark(value: object) -> object:
    if isinstance(value, str) and value.lower() != "mark":
        raise ValueError("is not known: use mark, or leave it out")
    return bool(value)


def _load_judge(value: object) -> object:
    return load_callable(value, example="grounding:judge") if isinstance(value, str) else value


class DoubtOptions(Variables):
    """Whether doubts are shown below an answer, and who judges support beside the library's rules."""

    marks: Annotated[bool, BeforeValidator(_read_mark), Words()] = Field(
        default=False, validation_alias="DOUBTS"
    )
    """`mark`: what is [doubtful](doubts.md) about an answer stands below it, such as "Not found in the
    source: 50 days"."""
    judge: Annotated[SupportJudge | None, SkipValidation, BeforeValidator(_load_judge)] = Field(
        default=None, validation_alias="SUPPORT_JUDGE"
    )
    """`module:callable`, [your code](doubts.md#a-model-that-judges) that asks a model whether sources
    support what cites them."""
