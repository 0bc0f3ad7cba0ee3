"""Names words of a document, so that a link can lead to them.

Words are written as ``120-166-3f2a91c7``: their offsets in the text that the document's reader returns, and
the beginning of their SHA-256. The words themselves are not in the link. So the link reveals nothing of a
passage that a label withholds. Other words at the same place of a changed document are not taken for them.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

VIEW: Final = "view"
"""The parameter of a document's URL that asks for its view; its value is an anchor, or empty."""
_WRITTEN: Final = re.compile(r"(\d{1,9})-(\d{1,9})-([0-9a-f]{8})")
_PASSAGE_SIGN: Final = "p"
_MOST: Final = 8
"""A link leads to at most so many words."""


@dataclass(frozen=True, slots=True)
class CitedWords:
    """``text[start:end]`` of a document; ``digest`` is that of these words."""

    start: int
    end: int
    digest: str

    @classmethod
    def of(cls, start: int, words: str) -> CitedWords:
        """The name of ``words``, which stand at the offset ``start``."""
        return cls(start, start + len(words), _compute_digest(words))

    def find_in(self, text: str) -> str | None:
        """The words; None if other words stand at their place in ``text``."""
        words = text[self.start : self.end]
        return words if _compute_digest(words) == self.digest else None


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a link to a document leads to: sentences or, where ``is_passage`` is true, passages."""

    words: tuple[CitedWords, ...] = ()
    is_passage: bool = False

    def write(self) -> str:
        """Write the anchor for a link."""
        written = (f"{one.start}-{one.end}-{one.digest}" for one in self.words[:_MOST])
        return _PASSAGE_SIGN * self.is_passage + ",".join(written)


def read_anchor(written: str) -> Anchor:
    """Read what :meth:`Anchor.write` wrote, and leave out everything else.

    >>> read_anchor("12-34-0123abcd,<b>,5-6-7").words
    (CitedWords(start=12, end=34, digest='0123abcd'),)
    """
    parts = written.removeprefix(_PASSAGE_SIGN).split(",", _MOST)[:_MOST]
    found = filter(None, map(_WRITTEN.fullmatch, parts))
    words = tuple(CitedWords(int(one[1]), int(one[2]), one[3]) for one in found)
    return Anchor(words, written.startswith(_PASSAGE_SIGN))


def _compute_digest(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:8]
