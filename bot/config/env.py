"""Parsers of environment variables. Each adds the faults that it finds to a list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_WORDS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class SettingsError(Exception):
    """The environment is invalid. ``faults`` has all faults, each in one line."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read_switch(name: str, given: Mapping[str, str], faults: list[str], *, default: bool) -> bool:
    """Read a boolean, such as ``true``, ``1`` or ``no``."""
    value = given.get(name)
    if value is None:
        return default
    if value.lower() not in _WORDS:
        faults.append(f"{name}={value} is neither true nor false")
    return _WORDS.get(value.lower(), default)


def read_integer(
    name: str, given: Mapping[str, str], faults: list[str], *, default: int, among: range
) -> int:
    """Read one of the integers in ``among``."""
    value = given.get(name)
    if value is None:
        return default
    if value.isascii() and value.isdigit() and len(value) < 19 and int(value) in among:
        return int(value)
    faults.append(f"{name}={value} is not a whole number from {among[0]} to {among[-1]}")
    return default


def read_port(name: str, given: Mapping[str, str], faults: list[str]) -> int | None:
    """Read a port, where 0 means any free one; None if it is absent or invalid."""
    value = given.get(name)
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,5}", value) and int(value) < 65536:
        return int(value)
    faults.append(f"{name}={value} is not a port: use a number from 0 (any free one) to 65535")
    return None


def read_ids(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    """Read ids, separated by commas or spaces."""
    return tuple(given.get(name, "").replace(",", " ").split())


def read_url(name: str, given: Mapping[str, str], faults: list[str], *, example: str) -> str:
    """Read an http or https URL, without a slash at its end; empty if it is absent."""
    url = given.get(name, "").rstrip("/")
    if url and not re.match(r"https?://[^/]", url):
        faults.append(f"{name} is not an http or https URL such as {example}")
    return url
