"""The names of all Schema.org types and properties. They tell a misspelt name from one that no client reads.

The names are those of ``schema.d.ts`` in the npm package ``schema-dts`` 2.1.0: each ``"@type"`` and each
property there. That file was generated from the vocabulary of its day, pending terms included.
Schema.org's definitions are CC BY-SA 3.0; ``types.txt`` and ``properties.txt`` have only their names. Only
:mod:`.json_ld` imports this module, so that ``import citations`` doesn't read them.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import resources
from typing import Final


def _read_names(file: str) -> frozenset[str]:
    return frozenset((resources.files(__package__ or "") / file).read_text("utf-8").split())


TYPES: Final = _read_names("types.txt")
PROPERTIES: Final = _read_names("properties.txt")
_MARKS: Final = ("-input", "-output")
"""The ends of annotated properties of an action: "Potential Actions" (Schema.org)."""


def is_property(name: str) -> bool:
    """Whether Schema.org has a property of this name, with or without an annotation."""
    return name in PROPERTIES or any(
        name.endswith(mark) and name.removesuffix(mark) in PROPERTIES for mark in _MARKS
    )


def nearest_term(name: str, terms: frozenset[str]) -> str | None:
    """The most similar of ``terms``; None if none is similar."""
    spelt = {term.casefold(): term for term in terms}
    found = get_close_matches(name.casefold(), spelt, n=1, cutoff=0.7)
    return spelt[found[0]] if found else None
