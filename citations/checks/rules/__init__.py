"""Every rule of ``check`` as a row: :data:`SECTIONS` has them all, and a problem's sentences are theirs.

A code has one row, or one for each kind of client that it means something else in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ...model.channel_id import Client
from ...model.errors import Problem
from . import activity, claims, doubts, labels, message, stream, teams, text
from .rule import Rule, RuleTable


def _rows(*tables: RuleTable) -> tuple[Rule, ...]:
    return tuple(replace(rule, code=code) for table in tables for code, rule in table.items())


SECTIONS: Final[Mapping[str, tuple[Rule, ...]]] = {
    "The activity": _rows(activity.ROWS, activity.TEAMS_ROWS),
    "The Message": _rows(message.ROWS),
    "Claims and definitions": _rows(claims.ROWS),
    "Sensitivity labels": _rows(labels.ROWS, labels.TEAMS_ROWS),
    "The text": _rows(text.ROWS),
    "Streams": _rows(stream.ROWS, stream.TEAMS_ROWS),
    "Doubts": _rows(doubts.ROWS),
    "The Message and its badges in Teams": _rows(teams.ROWS),
}
RULES: Final = tuple(rule for rows in SECTIONS.values() for rule in rows)

_FIRST: Final = {rule.code: rule for rule in reversed(RULES)}
_OF_TEAMS: Final = {rule.code: rule for rule in RULES if Client.TEAMS in rule.kinds}

__all__ = ["RULES", "SECTIONS", "Rule", "problem", "rules_of", "teams_problem"]


def problem(code: str, path: str, /, **values: object) -> Problem:
    """A problem of the first row of ``code``, which is Web Chat's where several clients have one."""
    return _FIRST[code].problem(path, **values)


def teams_problem(code: str, path: str, /, **values: object) -> Problem:
    """A problem of the row that ``code`` has for Teams."""
    return _OF_TEAMS[code].problem(path, **values)


def rules_of(code: str) -> tuple[Rule, ...]:
    """The rows of a code, none if it is unknown."""
    return tuple(rule for rule in RULES if rule.code == code)
