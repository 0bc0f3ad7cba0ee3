"""Parsers of environment variables. Each adds the faults that it finds to a list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
GUID_EXAMPLE: Final = "00000000-0000-0000-0000-000000000000"

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


def read_ids(
    name: str, given: Mapping[str, str], faults: list[str], form: re.Pattern[str], fault: str
) -> tuple[str, ...]:
    """Read ids, separated by commas or spaces. ``fault`` is the fault of one that is not of this ``form``."""
    ids = tuple(given.get(name, "").replace(",", " ").split())
    faults.extend(fault.format(identifier) for identifier in ids if not form.fullmatch(identifier))
    return ids


def read_url(name: str, given: Mapping[str, str], faults: list[str], *, example: str) -> str:
    """Read an http or https URL, without a slash at its end; empty if it is absent."""
    url = given.get(name, "").rstrip("/")
    if url and not _is_web_url(url):
        faults.append(f"{name} is not an http or https URL such as {example}")
    return url


def _is_web_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
