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
    if isinstance(node, Text):
        text = node.text
        return _ADDRESS.sub(lambda found: " " * len(found[0]), text) if "://" in text else text
    if isinstance(node, Mark) or (isinstance(node, Badge) and node.positions):
        return ""
    return "\n" if isinstance(node, Break) else "  "  # something is left out here
