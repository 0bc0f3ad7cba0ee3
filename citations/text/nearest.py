"""What was probably meant by a name that is not known: a command, an option, a channel, a code or a field."""

from __future__ import annotations

from collections.abc import Iterable

CUTOFF = 0.6
"""How alike two names are at least, from 0 to 1 (``difflib``)."""


def nearest(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str:
    """The one of ``known`` that is most like ``name``, whatever its capitals; empty where none is like it.

    >>> nearest("--dcos", ["--port", "--docs"])
    '--docs'
    """
    from difflib import get_close_matches  # noqa: PLC0415 - few names are misspelt

    by_letters = {one.casefold(): one for one in known}
    return next((by_letters[one] for one in get_close_matches(name.casefold(), by_letters, 1, cutoff)), "")


def did_you_mean(name: str, known: Iterable[str], cutoff: float = CUTOFF) -> str:
    """`` (did you mean --docs?)``, to follow a sentence; empty where no known name is near."""
    near = nearest(name, known, cutoff)
    return f" (did you mean {near}?)" if near else ""
