"""The direction of writing, which in what we write the letters alone decide."""

import re
from typing import Final

TURNS: Final = "\u202a-\u202e\u2066-\u2069"
"""The nine controls that turn it (UAX #9 § 2), as a class has them. No Arabic or Hebrew needs them."""
_TURNS: Final = re.compile(f"[{TURNS}]")


def without_turns(text: str) -> str:
    """``text`` without controls behind which a reader sees letters, and badges, in another order."""
    return text if text.isascii() else _TURNS.sub("", text)
