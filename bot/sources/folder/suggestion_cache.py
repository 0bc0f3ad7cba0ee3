"""This module remembers the questions that all documents of a folder answer, until the index changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...messages import CATALOGUES, language
from ...retrieval.part import IndexPart
from ...retrieval.search import Scope, suggest


@dataclass(slots=True)
class SuggestionCache:
    """The suggestions in each language, for a state of the index and whether all of it has vectors."""

    _state: tuple[IndexPart, bool] | None = field(default=None, init=False)
    _found: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def find(self, scope: Scope) -> tuple[str, ...]:
        """Return suggestions in the language of the turn; ``scope`` has all documents."""
        meaning = scope.part.meaning
        state = (scope.part, bool(meaning and meaning.is_complete))
        if self._state != state:
            self._state, self._found = state, {}
        if language() not in self._found:
            self._found[language()] = suggest_in_language(scope)
        return self._found[language()]


def suggest_in_language(scope: Scope) -> tuple[str, ...]:
    """Return suggestions; those of documents in the language of the turn come first."""
    return suggest(scope, CATALOGUES[language()].name)
