"""What is doubtful about a sentence of an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..markdown import TextPlace
from ..model.errors import Problem


class DoubtCode(StrEnum):
    """The kinds of doubts. Their values are the codes of the problems."""

    SOURCE = "source-doubtful"
    """Another source of the answer has far more of the sentence's words than the cited one."""
    NUMBER = "number-not-in-source"
    """No cited passage has the number or the date."""
    ANYWHERE = "number-in-no-source"
    """A sentence that cites nothing has a number that neither a source nor the question has."""
    QUOTATION = "quotation-not-in-source"
    """No cited passage has the quotation."""
    SUPPORT = "support-doubtful"
    """A model that judges support, which a program asks itself, doubts the sentence."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding about a sentence that cites ``positions``: a reason to look, and no verdict.

    ``words`` are the answer's: a number with its unit, a quotation, or the whole sentence. ``better`` is the
    id of the reference that has them, or fits better, if there is one. ``instead`` is what the cited source
    has in the place of a number, where that is clear.
    """

    code: DoubtCode
    words: str
    positions: tuple[int, ...] = ()
    better: str = ""
    instead: str = ""
    place: TextPlace = field(default=TextPlace(0, 0), compare=False)

    @property
    def problem(self) -> Problem:
        """The problem to report for it."""
        cited = ", ".join(f"[{position}]" for position in self.positions)
        match self.code:
            case DoubtCode.SUPPORT:
                fault = f"a model doubts that {cited} supports {self.words!r}"
            case DoubtCode.SOURCE:
                fault = f"reference {self.better!r} has far more of the words of {self.words!r} than {cited}"
            case DoubtCode.ANYWHERE:
                fault = f"{self.words!r} is in no source and not in the question"
            case _:
                fault = f"{self.words!r} is not in the text of {cited}"
                if self.better:
                    fault += f", but in that of reference {self.better!r}"
        return Problem(self.code.value, "$.text", f"{fault}: compare the answer with its sources")
