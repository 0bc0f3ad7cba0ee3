"""Which store keeps the bot's state: one name, one module."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from . import State
from .memory import StateInMemory
from .outage import StateThroughOutages
from .sqlite import StateInSQLite

IN_MEMORY: Final = "memory:"
"""What ends with the process."""


def choose(url: str) -> State:
    """The store at ``url``, which is not reached yet.

    ``memory:``, ``sqlite:///relative/file``, ``sqlite:////absolute/file``, ``sqlite:///C:/file`` or
    ``redis://host:6379/0``. Raises ``ValueError`` with words that continue "STATE_URL".
    """
    match url.partition(":")[0].lower():
        case "memory":
            return StateInMemory()
        case "sqlite":
            return StateThroughOutages(StateInSQLite(file_of(url)))
        case "redis" | "rediss" | "unix":
            return StateThroughOutages(_redis(url))
    raise ValueError("is not known: use memory:, sqlite:///FILE or redis://HOST:PORT")


def file_of(url: str) -> Path:
    """The file of a ``sqlite`` URL: three slashes before a relative path, four before an absolute one."""
    place = url.partition(":")[2]
    file = place.removeprefix("///")
    if file in (place, "", ":memory:") or file.endswith(("/", "\\")):
        raise ValueError("names no file: use sqlite:///FILE, or memory:")
    return Path(file)


def _redis(url: str) -> State:
    from .redis import StateInRedis  # noqa: PLC0415 - half a second, for those who use it

    try:
        return StateInRedis(url)
    except (ValueError, TypeError) as error:
        # Its words may quote the URL, which may have a password.
        raise ValueError("is not a URL that Redis' client understands: use redis://HOST:PORT/0") from error
