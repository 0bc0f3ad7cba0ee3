"""What clients make live that CommonMark doesn't: bare addresses, and accessible names in braces."""

from __future__ import annotations

import re
from typing import Final

ADDRESS: Final = re.compile(
    # `://`, `//localhost`, an e-mail address, a word with a dot. To linkify-it all but spaces and
    # punctuation makes a word.
    r"://|//(?=[^\s!-#%-*,\-./:;?@\[-\]{}])|@|\.(?<=[Ww]{3}\.)"
    r"|\.(?<=[^\s!-#%-*,\-./:;?@\[-\]{}]\.)(?=[^\W\d_])"
)
"""Where a bare address may be, of which Web Chat's two Markdown engines make a link."""
DELIMITER: Final = re.compile(r"(?<=\n)(?::(?=[-|])|\|(?=[-: |])|-(?=[:|-]))")
"""A line below text that cmark-gfm or micromark takes for the delimiter row of a table, and others don't."""
DELIMITER_ROW: Final = re.compile(r"\n[|:\-][|:\- \t]*\n")
"""The whole of such a line."""
TAG_LINE: Final = re.compile(r"\n</?[A-Za-z]")
"""A line that begins with a tag: micromark takes it for HTML where it goes on with a quote or an item."""
FLOW_MATH: Final = re.compile(r"\n(?:\$\$|\\[\[(])")
"""A line that begins with mathematics: Web Chat's main build looks for that before it looks for code."""
ATTRIBUTE: Final = re.compile(r"\{(?=\s*aria-label)|[⟬⟭]", re.IGNORECASE)
"""What Web Chat 4.18.1 reads as the accessible name of what stands in front of it (``ariaLabel.ts``)."""
BARE: Final = re.compile(rf"(?=[:/@.{{⟬⟭])(?:{ADDRESS.pattern}|(?i:{ATTRIBUTE.pattern}))")
"""Either of them. To look at the first character first makes the search three times faster."""
_BRACKET: Final = r"\[(?![^\[\]\\0-9`<>&!(){}\n@:./]{0,64}\](?![\[(:]))"
"""A bracket, unless it is a group without digits that nothing follows: `[ ]`, `[sic]`. With only our
numbers defined, such a group is no link in any reading."""
LIVE: Final = rf"{_BRACKET}|<(?=[A-Za-z/!?])|{ADDRESS.pattern}|(?i:{ATTRIBUTE.pattern})"
ALIVE: Final = re.compile(rf"(?=[\[<:/@.{{⟬⟭])(?:{LIVE})")
"""What some client could make a link, an image, HTML or a name of, wherever it takes it for text."""
JOINED_LINES: Final = re.compile(r'\{\s*aria-label(?:=(?:"[^"]*"|[^\s}]*))?\s*\}', re.IGNORECASE)
"""What Web Chat 4.18.1 writes anew as one line before it reads Markdown, in code, too."""
