"""What becomes of doubts about an answer, and the model that judges whether its sources support it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..access.callable import load_callable
from ..config.env import Environment


class ClaimAndPassage(NamedTuple):
    """A sentence of an answer, without markup, and the text of the sources that it cites."""

    claim: str
    passage: str


class SupportJudge(Protocol):
    """A model that says of each pair whether the passage supports the claim; None where it cannot say."""

    def __call__(self, pairs: Sequence[ClaimAndPassage], /) -> Awaitable[Sequence[bool | None]]:
        """Called once for each complete answer that cites something; may raise."""


@dataclass(frozen=True, slots=True)
class DoubtOptions:
    """Whether doubts are shown below an answer, and who judges support beside the library's rules."""

    marks: bool = False
    judge: SupportJudge | None = None


def read_doubt_options(env: Environment) -> DoubtOptions:
    """Read ``DOUBTS`` and ``SUPPORT_JUDGE``."""
    value = env.get("DOUBTS").lower()
    if value not in ("", "mark"):
        env.faults.append(f"DOUBTS={value} is not known: use mark, or leave it out")
    return DoubtOptions(marks=value == "mark", judge=_read_judge(env))


def _read_judge(env: Environment) -> SupportJudge | None:
    spec = env.get("SUPPORT_JUDGE")
    if not spec:
        return None
    try:
        judge: SupportJudge = load_callable(spec, example="grounding:judge")
    except ValueError as error:
        env.faults.append(f"SUPPORT_JUDGE={spec} {error}")
        return None
    return judge
