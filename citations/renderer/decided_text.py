"""The lines of a growing text whose blocks are decided."""

from __future__ import annotations

import re
from typing import Final

_CONTAINERS: Final = r"(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)*"
_DECIDED: Final = re.compile(
    rf" {{0,3}}{_CONTAINERS}(?:#{{1,6}}[ \t]+)?"
    # Words, also behind a quotation mark or asterisks; a number that counts no item.
    r"(?:[^\W\d_]|[^\x00-\x7f]|[\"'“‘„«(]+[^\W_]|\*{1,3}[^\W_]|[0-9]{1,9}[^0-9.)|]|[0-9]{10}"
    # Signs that begin no block with what stands behind them.
    r"|`[^`]|~[^~]|\$[^$]|:[ \t]*[^\W\d_]|\[(?![ xX]\]))"
)
"""The beginning of a line whose block no more text of the line changes."""
_PIPED: Final = re.compile(rf" {{0,3}}{_CONTAINERS}\|")
_DELIMITERS: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*")
"""The delimiter row of a table."""


def decided(text: str, *, appends: bool) -> tuple[str, bool]:
    """``text`` without a last line that may still become another block, and whether its end alone decides.

    With ``appends``, a line with a pipe may become a table's header.
    """
    head, _, line = text.rpartition("\n")
    cut = len(text) if _DECIDED.match(line) else len(text) - len(line)
    waits = "|" in line and bool(appends or _PIPED.match(line) or _in_table(head))
    if waits:
        table = _PIPED.match(line) or _in_table(head)
        cut = min(cut, len(text) - len(line) + (0 if table else _before_pipe(line)))
    if cut <= len(text) - len(line):
        above = head.rpartition("\n")[2]
        # The line above may be the header of a table.
        if "|" in above and not _in_table(head) and (appends or _PIPED.match(above)):
            cut = min(cut, len(head) - len(above) + (_before_pipe(above) if appends else 0))
    return text[:cut], waits


def _before_pipe(line: str) -> int:
    """The length of what is shown in front of a pipe: nothing where it alone would be another block."""
    before = line[: line.index("|")].rstrip()
    return len(before) if _DECIDED.match(before) else 0


def _in_table(text: str) -> bool:
    """Whether ``text`` ends in a table."""
    block = text.rstrip("\n").rpartition("\n\n")[2].split("\n") if not text.endswith("\n\n") else []
    return any(_DELIMITERS.fullmatch(line) for line in block[1:])
