"""The citations of an answer that has none: what it was made from, listed below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from citations import Answer, AnswerEvent, Dialect, Reference, ReferencesFound, TextDelta, cite

from .escaped import escaped

LONGEST_LIST: Final = 8
_PLAIN: Final = str.maketrans("[]<>`\\", "()()'/")
"""What would end a marker's name, or begin something else in it."""
_NO_MARKERS: Final = "{} did not say which source supports which statement. It answered from:"


class Heard:
    """An answer on its way: what has been passed on of it, to be looked at when it has ended."""

    def __init__(self) -> None:
        self.references: list[Reference] = []
        self._text: list[str] = []

    def note(self, event: AnswerEvent) -> None:
        """The next event."""
        match event:
            case TextDelta():
                self._text.append(event.text)
            case ReferencesFound():
                self.references.extend(event.references)

    def uncited(self, dialect: Dialect) -> tuple[Reference, ...]:
        """The first references of each source, if there is a text and it cites none of them."""
        answer = Answer(text="".join(self._text), references=tuple(self.references), dialect=dialect)
        if not self._text or not self.references or cite(answer).citations:
            return ()
        first: dict[str, Reference] = {}
        for reference in self.references:
            first.setdefault(reference.id, reference)
        return tuple(first.values())[:LONGEST_LIST]


def listed(who: str, sources: Sequence[Reference], names: Mapping[str, str]) -> str:
    """Markdown that names and cites each of ``sources``, to stand below the answer of ``who``."""
    items = [
        _item(one.name or names.get(one.id) or f"Document {place}", one.id)
        for place, one in enumerate(sources, 1)
    ]
    return "\n\n" + _NO_MARKERS.format(who) + "\n\n" + "\n".join(items)


def _item(name: str, identifier: str) -> str:
    """The name to read, and a marker, whose own name is the citation's title."""
    name = " ".join(name.split())
    return f"- {escaped(name)} [{name.translate(_PLAIN)}]({identifier})"
