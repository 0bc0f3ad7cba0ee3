"""What clients make live that CommonMark doesn't: bare addresses, and accessible names in braces."""

from __future__ import annotations

import re
from typing import Final

ADDRESS: Final = re.compile(
    # `://`, `//localhost`, an e-mail address, a word with a dot. To linkify-it all but spaces and
    # punctuation makes a word.
    r"://|//(?=\w)|@|\.(?<=[Ww]{3}\.)|\.(?<=[^\s!-#%-*,\-./:;?@\[-\]{}]\.)(?=[^\W\d_])"
)
"""Where a bare address may be, of which Web Chat's two Markdown engines make a link."""
DELIMITER: Final = re.compile(r"(?<=\n)(?::(?=[-|])|\|(?=[-: |])|-(?=[:|-]))")
"""A line below text that cmark-gfm or micromark takes for the delimiter row of a table, and others don't."""
DELIMITER_ROW: Final = re.compile(r"\n[|:\-][|:\- \t]*\n")
"""The whole of such a line."""
FLOW_MATH: Final = re.compile(r"\n(?:\$\$|\\[\[(])")
"""A line that begins with mathematics: Web Chat's main build looks for that before it looks for code."""
ATTRIBUTE: Final = re.compile(r"\{(?=\s*aria-label)|[⟬⟭]", re.IGNORECASE)
"""What Web Chat 4.18.1 reads as the accessible name of what stands in front of it (``ariaLabel.ts``)."""
JOINED_LINES: Final = re.compile(r'\{\s*aria-label(?:=(?:"[^"]*"|[^\s}]*))?\s*\}', re.IGNORECASE)
"""What Web Chat 4.18.1 writes anew as one line before it reads Markdown, in code, too."""
