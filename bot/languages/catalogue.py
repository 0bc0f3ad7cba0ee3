"""The sentences of one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from citations import Wording

from .sentence import Sentence

_IN_DATA: Final = ("page_", "view_", "skipped_")
"""How the keys begin that no code names: pages and tables have them."""


class Plural(NamedTuple):
    """A sentence that depends on its ``count`` (CLDR, "Language Plural Rules")."""

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All sentences of the bot in one language.

    ``language`` is its BCP 47 tag (``de``), ``name`` its name in :mod:`bot.retrieval.words.language`.
    The counts in ``singular`` take the singular. ``wording`` has the sentences of the library.
    """

    language: str
    name: str
    sentences: Mapping[str, str | Plural]
    wording: Wording
    singular: frozenset[int] = frozenset({1})

    def write(self, sentence: str, fields: Mapping[str, object]) -> str:
        """``sentence`` with ``fields`` filled in. Raises ``KeyError`` if this language lacks it."""
        text = self.sentences[sentence]
        if isinstance(text, Plural):
            text = text.one if fields["count"] in self.singular else text.other
        return text.format(**fields)


def read_catalogue(tag: str, file: Mapping[str, Any]) -> Catalogue:
    """The sentences in the file of a language. Raises ``ValueError`` for keys that are not known."""
    others = {key for key in file["sentences"] if key.startswith(_IN_DATA)}
    known = {"sentences": {*Sentence, *others}, "wording": {field.name for field in fields(Wording)}}
    for table, keys in known.items():
        if unknown := file.get(table, {}).keys() - keys:
            raise ValueError(f"{tag}.toml has unknown keys in [{table}]: {', '.join(sorted(unknown))}")
    return Catalogue(
        language=tag,
        name=file.get("name", tag),
        sentences={
            key: Plural(**text) if isinstance(text, dict) else text for key, text in file["sentences"].items()
        },
        wording=Wording(**file.get("wording", {})),
        singular=frozenset(file.get("singular", [1])),
    )
