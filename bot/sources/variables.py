"""Environment variables that several sources read in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_WORDS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def switch(name: str, given: Mapping[str, str], faults: list[str], *, default: bool) -> bool:
    """Whether ``name`` is on; what is neither on nor off is added to ``faults``."""
    written = given.get(name)
    if written is None:
        return default
    if written.lower() not in _WORDS:
        faults.append(f"{name}={written} is neither true nor false")
    return _WORDS.get(written.lower(), default)


def whole_number(
    name: str, given: Mapping[str, str], faults: list[str], *, default: int, among: range
) -> int:
    """The number in ``name``; what is none, or not one of ``among``, is added to ``faults``."""
    written = given.get(name)
    if written is None:
        return default
    if written.isascii() and written.isdigit() and len(written) < 19 and int(written) in among:
        return int(written)
    faults.append(f"{name}={written} is not a whole number from {among[0]} to {among[-1]}")
    return default


def listed_ids(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    """The ids in ``name``, with commas or spaces between them."""
    return tuple(given.get(name, "").replace(",", " ").split())
