"""Environment variables that are read in the same way in several places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_WORDS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class SettingsError(Exception):
    """The environment can't be used; ``faults`` holds every fault found, one line each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


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


def port(name: str, given: Mapping[str, str], faults: list[str]) -> int | None:
    """The port in ``name``, 0 for any free one; None where it is not set, or added to ``faults``."""
    written = given.get(name)
    if written is None:
        return None
    if re.fullmatch(r"[0-9]{1,5}", written) and int(written) < 65536:
        return int(written)
    faults.append(f"{name}={written} is not a port: use a number from 0 (any free one) to 65535")
    return None


def read_ids(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    """The ids in ``name``, with commas or spaces between them."""
    return tuple(given.get(name, "").replace(",", " ").split())


def web_url(name: str, given: Mapping[str, str], faults: list[str], *, example: str) -> str:
    """The URL in ``name``, without a slash at its end; empty where it is not set.

    What is no URL such as ``example`` is added to ``faults``.
    """
    url = given.get(name, "").rstrip("/")
    if url and not re.match(r"https?://[^/]", url):
        faults.append(f"{name} is not an http or https URL such as {example}")
    return url
