"""Fields of the neutral JSON that it doesn't have, such as ``refs`` or ``link``: nothing reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from ..model.errors import Problem, at
from ..text.name import nearest

_INDEX: Final = re.compile(r"\[\d+\]")
_LONGEST: Final = 60
"""Characters of a field's name in a problem."""
_MEANT: Final[Mapping[str, str]] = {
    "answer": "text", "content": "text", "snippet": "text", "passage": "text", "message": "text",
    "sources": "references", "citations": "references", "documents": "references", "refs": "references",
    "link": "url", "href": "url", "uri": "url", "address": "url",
    "title": "name", "filename": "name", "sensitivity": "label", "author": "editor", "date": "modified",
}  # fmt: skip
"""What other formats call the fields."""
Parts = Mapping[type[msgspec.Struct], Mapping[str, type[msgspec.Struct]]]
"""The fields of a type whose values, or whose items, have a type of their own."""


class UnknownFields:
    """Finds each unknown field once, in any number of values of the same kind."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._reported: set[str] = set()

    def find(self, data: object, kind: type[msgspec.Struct], path: str = "$") -> Iterator[Problem]:
        """The problems of the fields of ``data``, and of its parts, that ``kind`` doesn't have."""
        if isinstance(data, list):
            for index, item in enumerate(data):
                yield from self.find(item, kind, f"{path}[{index}]")
        for key, value in data.items() if isinstance(data, dict) else ():
            place = at(path, str(key)[:_LONGEST])
            if key in kind.__struct_fields__:
                part = self._parts.get(kind, {}).get(key)
                yield from self.find(value, part, place) if part else ()
            elif (anywhere := _INDEX.sub("", place)) not in self._reported:
                self._reported.add(anywhere)
                yield Problem("unknown-field", place, _explain(str(key)[:_LONGEST], kind.__struct_fields__))


def _explain(key: str, known: tuple[str, ...]) -> str:
    meant = next((name for name in (_MEANT.get(key.lower()), nearest(key, known)) if name in known), None)
    return f"nothing reads this field{f': did you mean {meant}?' if meant else ''}"
