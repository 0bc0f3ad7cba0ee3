"""The container's health check: exits with 0 if the bot is alive, and with 1 if not."""

from __future__ import annotations

import http.client
import os
import sys
from typing import Final

TIMEOUT: Final = 4.0
"""Seconds. Docker's own timeout is 5."""


def is_healthy(port: int) -> bool:
    """Whether ``/healthz`` on this machine answers with 200.

    This doesn't use urllib, which would send the request to the environment's proxy.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not is_healthy(int(os.environ.get("PORT", "3978"))))
