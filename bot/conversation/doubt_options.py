"""What becomes of doubts about an answer, and the model that judges whether its sources support it."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..access.callable import load_callable


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


def read_doubt_options(given: Mapping[str, str], faults: list[str]) -> DoubtOptions:
    """Read ``DOUBTS`` and ``SUPPORT_JUDGE``."""
    value = given.get("DOUBTS", "").lower()
    if value not in ("", "mark"):
        faults.append(f"DOUBTS={value} is not known: use mark, or leave it out")
    return DoubtOptions(marks=value == "mark", judge=_read_judge(given, faults))


def _read_judge(given: Mapping[str, str], faults: list[str]) -> SupportJudge | None:
    spec = given.get("SUPPORT_JUDGE")
    if spec is None:
        return None
    try:
        judge: SupportJudge = load_callable(spec, example="grounding:judge")
    except ValueError as error:
        faults.append(f"SUPPORT_JUDGE={spec} {error}")
        return None
    return judge
