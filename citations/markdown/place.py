"""Places in the words of a document, without markup, badges and addresses."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .tree import Badge, Break, Mark, Node, Text

_ADDRESS: Final = re.compile(r"\w+://\S+")


class TextPlace(NamedTuple):
    """An offset: in which inline text of the document, behind how many characters of :func:`shown_words`."""

    inline: int
    end: int


def shown_words(node: Node) -> str:
    """The words of a node, with blanks in place of an address, and of what is no text."""
    match node:
        case Text(text):
            return _ADDRESS.sub(lambda found: " " * len(found[0]), text) if "://" in text else text
        case Break():
            return "\n"
        case Mark():
            return ""
        case Badge(positions) if positions:
            return ""
    return "  "  # something is left out here
