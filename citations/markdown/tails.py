"""The target and the title of a link or a definition, read at once where they are plain.

markdown-it-py reads them character by character. What has no escape, entity or parenthesis in it ends
where its own reading ends, and says the same; all else is left to that.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle

_PLAIN_TARGET: Final = re.compile(r"(?!<)[^\x00-\x20\x7f\\&()]++(?![\\&(])")
_PLAIN_TITLE: Final = re.compile(r'"([^"\\&]*)"')


class Found(NamedTuple):
    """What markdown-it-py's rules look at, by the names that they use."""

    ok: bool
    pos: int
    str: str
    can_continue: bool = False


class Tails:
    """Stands for ``markdown_it.helpers``."""

    parseLinkLabel = staticmethod(parseLinkLabel)  # noqa: N815 - the name that the rules call

    @staticmethod
    def parseLinkDestination(string: str, pos: int, maximum: int) -> Any:  # noqa: N802
        """``https://example.com``, from ``pos`` on."""
        if found := _PLAIN_TARGET.match(string, pos, maximum):
            return Found(ok=True, pos=found.end(), str=found[0])
        return parseLinkDestination(string, pos, maximum)

    @staticmethod
    def parseLinkTitle(string: str, start: int, maximum: int, before: Any = None) -> Any:  # noqa: N802
        """``"A title"``, from ``start`` on; ``before`` is what was read of it in the lines above."""
        if before is None and (found := _PLAIN_TITLE.match(string, start, maximum)):
            return Found(ok=True, pos=found.end(), str=found[1])
        return parseLinkTitle(string, start, maximum, before)
