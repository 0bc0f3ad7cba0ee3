"""The environment variables of the bot, and the faults that were found in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables that are not blank. Each method that reads one adds its faults to ``faults``."""

    variables: Mapping[str, str]
    faults: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Environment:
        """The variables of ``environ``, in which a blank variable counts as absent."""
        return cls({name: value.strip() for name, value in environ.items() if value.strip()})

    def __contains__(self, name: str) -> bool:
        """Whether the variable is set."""
        return name in self.variables

    def get(self, name: str, default: str = "") -> str:
        """A variable's text."""
        return self.variables.get(name, default)

    def read_switch(self, name: str, *, default: bool) -> bool:
        """Read a boolean, such as ``true``, ``1`` or ``no``."""
        value = self.get(name)
        if value and value.lower() not in _WORDS:
            self.faults.append(f"{name}={value} is neither true nor false")
        return _WORDS.get(value.lower(), default)

    def read_integer(self, name: str, *, default: int, among: range) -> int:
        """Read one of the integers in ``among``."""
        value = self.get(name)
        if value.isascii() and value.isdigit() and len(value) < 19 and int(value) in among:
            return int(value)
        if value:
            self.faults.append(f"{name}={value} is not a whole number from {among[0]} to {among[-1]}")
        return default

    def read_port(self, name: str) -> int | None:
        """Read a port, where 0 means any free one; None if it is absent or invalid."""
        value = self.get(name)
        if re.fullmatch(r"[0-9]{1,5}", value) and int(value) < 65536:
            return int(value)
        if value:
            self.faults.append(f"{name}={value} is not a port: use a number from 0 (any free one) to 65535")
        return None

    def read_ids(self, name: str, form: re.Pattern[str], fault: str) -> tuple[str, ...]:
        """Read ids, separated by commas or spaces. ``fault`` is that of an id that has not this ``form``."""
        ids = tuple(self.get(name).replace(",", " ").split())
        self.faults.extend(fault.format(one) for one in ids if not form.fullmatch(one))
        return ids

    def read_url(self, name: str, *, example: str) -> str:
        """Read an http or https URL, without a slash at its end; empty if it is absent."""
        url = self.get(name).rstrip("/")
        if url and not _is_web_url(url):
            self.faults.append(f"{name} is not an http or https URL such as {example}")
        return url


def _is_web_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
