"""Whether the bot in this container is alive: exits with 0 if it is, and with 1 if not."""

from __future__ import annotations

import http.client
import os
import sys
from typing import Final

PATIENCE: Final = 4.0
"""Seconds; Docker waits for 5."""


def healthy(port: int) -> bool:
    """Whether ``/healthz`` on this machine answers with 200.

    Not with urllib, which would ask a proxy where the environment names one.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not healthy(int(os.environ.get("PORT", "3978"))))
