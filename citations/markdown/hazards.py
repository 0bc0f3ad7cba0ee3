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
ATTRIBUTE: Final = re.compile(r"\{(?=\s*(?i:aria-label))|⟬|⟭")
"""The accessible name that Web Chat 4.18.1 gives to the content before it (``ariaLabel.ts``)."""
