"""The dialects of markers."""

from __future__ import annotations

from enum import Enum


class Dialect(Enum):
    """How an answer source writes its markers, if it writes any."""

    NAMED_LINK = "named-link"
    """``[name](id)``, as Writer does. The target is a reference's id or URL."""
    NUMBERED = "numbered"
    """``[1]``, ``[1, 2]``, ``[1-3]``, ``[[1]]``, ``【1】``, ``【1†source】``, ``［1］``, ``[doc1]``,
    ``[Source #1]``, ``[1, p. 6]``, ``[1#x]``. The number is a reference's id."""
    NONE = "none"
    """No markers: a literal ``[1]`` is text. Spans say what is cited."""
