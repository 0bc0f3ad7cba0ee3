"""Fields of the neutral JSON that nothing shows: it doesn't have ``refs`` or ``link``, or a date is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final

import msgspec

from ..model.errors import Problem
from ..text.json_path import at
from .conversion import iso_date

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
_DATES: Final[Mapping[str, int | None]] = {"modified": None, "accessed": len("2025-06-24")}
"""The characters of each date that are shown; None is all of them."""
_NO_DATE: Final = "is no date of ISO 8601, such as 2025-06-24: nothing shows it"
Parts = Mapping[type[msgspec.Struct], Mapping[str, type[msgspec.Struct]]]
"""The fields of a type whose values, or whose items, have a type of their own."""


class UnknownFields:
    """Finds each field that nothing shows once, in any number of values of the same kind."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._reported: set[str] = set()

    def find(self, data: object, kind: type[msgspec.Struct], path: str = "$") -> Iterator[Problem]:
        """The problems of the fields of ``data``, and of its parts, of which ``kind`` shows nothing."""
        if isinstance(data, list):
            for index, item in enumerate(data):
                yield from self.find(item, kind, f"{path}[{index}]")
        for key, value in data.items() if isinstance(data, dict) else ():
            place = at(path, str(key)[:_LONGEST])
            is_known = key in kind.__struct_fields__
            if is_known and not _is_wrong_date(key, value):
                part = self._parts.get(kind, {}).get(key)
                yield from self.find(value, part, place) if part else ()
            elif (anywhere := _INDEX.sub("", place)) not in self._reported:
                self._reported.add(anywhere)
                if is_known:
                    yield Problem("unknown-date", place, f"{value[:_LONGEST]!r} {_NO_DATE}")
                else:
                    yield Problem(
                        "unknown-field", place, _explain(str(key)[:_LONGEST], kind.__struct_fields__)
                    )


def _is_wrong_date(key: str, value: object) -> bool:
    if key not in _DATES or not isinstance(value, str) or not value.strip():
        return False
    return iso_date(value[: _DATES[key]]) is None


def _explain(key: str, known: tuple[str, ...]) -> str:
    near = [_MEANT.get(key.lower(), ""), *get_close_matches(key.lower(), known, n=1)]
    meant = next((name for name in near if name in known), None)
    return f"nothing reads this field{f': did you mean {meant}?' if meant else ''}"
