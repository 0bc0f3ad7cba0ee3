"""The sentences of one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from citations import Wording

from .sentence import Sentence


class Plural(NamedTuple):
    """A sentence that depends on its ``count`` (CLDR, "Language Plural Rules")."""

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All sentences of the bot in one language.

    ``language`` is its BCP 47 tag (``de``), ``name`` its name in :mod:`bot.retrieval.language`.
    ``is_one`` says whether a count takes the singular. ``wording`` has the sentences of the library.
    """

    language: str
    name: str
    sentences: Mapping[Sentence, str | Plural]
    wording: Wording
    is_one: Callable[[int], bool] = lambda count: count == 1

    def write(self, sentence: Sentence, fields: Mapping[str, object]) -> str:
        """``sentence`` with ``fields`` filled in. Raises ``KeyError`` if this language lacks it."""
        text = self.sentences[sentence]
        if isinstance(text, Plural):
            count = fields["count"]
            text = text.one if isinstance(count, int) and self.is_one(count) else text.other
        return text.format(**fields)
