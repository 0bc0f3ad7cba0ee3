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
    if not isinstance(value, str):
        return value
    if value.lower() not in ("mark", "off"):
        raise ValueError("is not known: use mark or off, or leave it out")
    return value.lower() == "mark"


def _load_judge(value: object) -> object:
    return load_callable(value, example="grounding:judge") if isinstance(value, str) else value


class DoubtOptions(Variables):
    """Whether doubts are shown in an answer, and who judges support beside the library's rules."""

    marks: Annotated[bool | None, BeforeValidator(_read_mark), Words()] = Field(
        default=None, validation_alias="DOUBTS"
    )
    """`mark`: what is [doubtful](doubts.md) about an answer stands at its sentence: "Source 1 does not say
    “50 days”". `off`: never. Without it, numbers and quotations are marked where a model words the answer
    over complete sources."""
    judge: Annotated[SupportJudge | None, SkipValidation, BeforeValidator(_load_judge)] = Field(
        default=None, validation_alias="SUPPORT_JUDGE"
    )
    """`module:callable`, [your code](doubts.md#a-model-that-judges) that asks a model whether sources
    support what cites them."""
