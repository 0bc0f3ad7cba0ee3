"""The store of a URL."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from . import State
from .memory import StateInMemory
from .outage import StateThroughOutages
from .sqlite import StateInSQLite

IN_MEMORY: Final = "memory:"
"""The URL of :class:`StateInMemory`."""


def create_store(url: str) -> State:
    """Create the store for ``url``, without connecting to it.

    ``memory:``, ``sqlite:///relative/file``, ``sqlite:////absolute/file``, ``sqlite:///C:/file`` or
    ``redis://host:6379/0``. Raises ``ValueError``, whose message follows "STATE_URL".
    """
    match url.partition(":")[0].lower():
        case "memory":
            return StateInMemory()
        case "sqlite":
            return StateThroughOutages(StateInSQLite(file_of(url)))
        case "redis" | "rediss" | "unix":
            return StateThroughOutages(_create_redis(url))
    raise ValueError("is not known: use memory:, sqlite:///FILE or redis://HOST:PORT")


def file_of(url: str) -> Path:
    """The file of a ``sqlite`` URL: three slashes before a relative path, four before an absolute one."""
    rest = url.partition(":")[2]
    file = rest.removeprefix("///")
    if file in (rest, "", ":memory:") or file.endswith(("/", "\\")):
        raise ValueError("names no file: use sqlite:///FILE, or memory:")
    return Path(file)


def _create_redis(url: str) -> State:
    from .redis import StateInRedis  # noqa: PLC0415 - the import takes half a second

    try:
        return StateInRedis(url)
    except (ValueError, TypeError) as error:
        # The client's message may quote the URL, which may contain a password.
        raise ValueError("is not a URL that Redis' client understands: use redis://HOST:PORT/0") from error
