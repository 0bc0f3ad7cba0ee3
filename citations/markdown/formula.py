r"""Formulas: ``$$…$$``, ``\(…\)`` and ``\[…\]``, which Web Chat's main build shows as mathematics.

A formula stays one only where every engine without mathematics reads harmless text in it. All else between
the same signs is text.
"""

from __future__ import annotations

import re
from typing import Final

MAX_FORMULA: Final = 1000
"""Characters between the signs. Web Chat's ``mathExtension/tokenizer.ts`` has the same limit."""
CLOSING: Final = {"(": "\\)", "[": "\\]", "$": "$$"}
OPENING: Final = {"$$": "$$", "\\)": "\\(", "\\]": "\\["}
_HARMFUL: Final = re.compile(
    # Code, addresses, names in braces and wide brackets; an image; a link's target; formulas in formulas.
    # Entities, which engines decode before they look for an address. At its end, a backslash that would
    # escape the closing sign.
    r"[`%@⟬⟭【［$]|!\[|\](?=[\[(:])|//|\{\s*aria-label|www\.|&(?=#|[A-Za-z][A-Za-z0-9]*;)"
    r"|\.(?<=\w\.)(?=[^\W\d_]{2})|\\[(\[\])]"
    r"|(?<!\\)(?:\\\\)*\\\Z",
    re.IGNORECASE,
)
_LIST_OF_NUMBERS: Final = re.compile(r"[\s\d,;\[\]\\–-]*")
"""``\\[1\\]`` is an escaped marker, and no formula."""
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_NUMBER: Final = re.compile(r"\[(?=\s*\d+\s*\])|(?<!\\)\[(?=\s*\d)")
"""What would be a badge, or a marker to who reads the message. TeX has lengths behind ``\\\\[``."""


def is_formula(content: str, closing: str) -> bool:
    """Whether ``content`` in front of ``closing`` may be written as a formula."""
    bare = content.strip()
    if not bare or _HARMFUL.search(bare) or (closing == "\\)" and "\n" in content):
        return False
    return closing == "$$" or not _LIST_OF_NUMBERS.fullmatch(content)


def write_formula(closing: str, content: str) -> str | None:
    """A formula in which engines without mathematics see no tag and no badge; None if that can't be.

    Such an engine would search for an unpaired bracket's partner up to the end of the text.
    """
    if content.count("[") != content.count("]"):
        return None
    content = _NUMBER.sub("[{}", _TAG.sub("< ", content))
    return f"{OPENING[closing]}{content}{closing}"
