"""Rules of what an activity says, beside the passages that it brings: reasons to look, and no verdicts."""

from __future__ import annotations

from typing import Final

from .rule import STABLE, TEAMS, Rule, RuleTable

_SOURCE: Final = "seen in answers that people judged (docs/doubts.md has how often it is right)"
_MEND: Final = "compare the sentence with its source"

ROWS: RuleTable = {
    "source-doubtful": Rule(
        clients=(STABLE, TEAMS),
        wrong="{words!r} cites [{cited}], and another source of the message has far more of its words",
        shown="A badge that may open the wrong source.",
        mend=_MEND,
        source=_SOURCE,
    ),
    "number-not-in-source": Rule(
        clients=(STABLE, TEAMS),
        wrong="{words!r} is not in the passage of [{cited}] (asked with --complete)",
        shown="A number beside a badge whose passage has another, or none.",
        mend=_MEND,
        source=_SOURCE,
    ),
    "quotation-not-in-source": Rule(
        clients=(STABLE, TEAMS),
        wrong="{words!r} is not in the passage of [{cited}] (asked with --complete)",
        shown="A quotation beside a badge whose passage has other words.",
        mend=_MEND,
        source=_SOURCE,
    ),
}
