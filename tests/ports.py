"""A port of this machine for a program that a test starts.

A port that the system chose may be given to another process before the program listens. So each process of
the suite has ports of its own, below those that systems choose from (32768 on Linux, 49152 elsewhere).
"""

from __future__ import annotations

import os
import socket
from itertools import cycle
from typing import Final

_EACH: Final = 1000
_PROCESS: Final = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 12
_FIRST: Final = 20_000 + _PROCESS * _EACH
_PORTS: Final = cycle(_FIRST + (os.getpid() + place) % _EACH for place in range(_EACH))
"""From another place in each run, since runs may overlap."""


def free_port() -> int:
    """A port of 127.0.0.1 on which nothing listens."""
    while True:
        port = next(_PORTS)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
