"""Text that clients make live and CommonMark doesn't: bare addresses, and accessible names in braces.

Each alternative of an expression begins with one character, so that the search skips all others fast.
"""

from __future__ import annotations

import re
from typing import Final

ADDRESS: Final = re.compile(
    # `://`, `//localhost`, an e-mail address, a word with a dot. To linkify-it all but spaces and
    # punctuation makes a word.
    r"://|//(?=[^\s!-#%-*,\-./:;?@\[-\]{}])|@|\.(?<=[Ww]{3}\.)"
    r"|\.(?<=[^\s!-#%-*,\-./:;?@\[-\]{}]\.)(?=[^\W\d_])"
)
"""The sign of a bare address, which Web Chat's two Markdown engines may turn into a link."""
DELIMITER: Final = re.compile(r":(?<=\n:)(?=[-|])|\|(?<=\n\|)(?=[-: |])|-(?<=\n-)(?=[:|-])")
"""A line below text that only some engines take for the delimiter row of a table: cmark-gfm or micromark."""
FOOTNOTE: Final = re.compile(r"\n\[\^")
"""A line that may begin with a footnote. In GFM it interrupts a paragraph, and the code in it."""
INTERRUPTS: Final = re.compile(rf"\n(?:[|:\-][|:\- \t]*\n|</?[A-Za-z]|\$\$|\\[\[(])|{FOOTNOTE.pattern}")
"""A line that ends a paragraph to some engine, and the code in it.

It is a whole delimiter row; or it begins with a tag, which micromark takes for HTML if the line continues a
quote or an item; or with mathematics, for which Web Chat's main build looks before code; or with a footnote.
"""
ATTRIBUTE: Final = re.compile(r"\{(?=\s*(?i:aria-label))|⟬|⟭")
"""The accessible name that Web Chat 4.18.1 gives to the content before it (``ariaLabel.ts``)."""
BARE: Final = re.compile(rf"{ADDRESS.pattern}|{ATTRIBUTE.pattern}")
"""An address or an accessible name."""
_BRACKET: Final = r"\[(?![^\[\]\\0-9`<>&!(){}\n@:./]{0,64}\](?![\[(:]))"
"""A bracket, except for a group without digits that nothing follows: `[ ]`, `[sic]`. With only our
numbers defined, no reading takes such a group for a link."""
LIVE: Final = rf"{_BRACKET}|<(?=[A-Za-z/!?])|{BARE.pattern}"
_BADGE: Final = r"(?<![\]!]\[)[0-9]+\](?![\[(:])"
ALIVE: Final = re.compile(rf"{_BRACKET}(?!{_BADGE})|<(?=[A-Za-z/!?])|{BARE.pattern}")
"""Text that some client could turn into a link, an image, HTML or an accessible name. Badges are left out:
they lead to our own sources."""
JOINED_LINES: Final = re.compile(r'\{\s*aria-label(?:=(?:"[^"]*"|[^\s}]*))?\s*\}', re.IGNORECASE)
"""Text that Web Chat 4.18.1 joins into one line before it reads Markdown, in code, too."""
