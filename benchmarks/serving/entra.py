"""A token service, as a process of its own, that takes its time for each call."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time

from tests.bot.fake_entra import entra_running


async def main() -> None:
    """Give tokens until the standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--service-url", help="which the channel's token is to name")
    parser.add_argument("--delay", type=float, help="seconds")
    options = parser.parse_args()
    async with entra_running() as entra:
        entra.delay = options.delay
        bearer = entra.bearer(options.service_url, exp=int(time.time()) + 24 * 3600)
        ready = {"url": entra.url, "bearer": bearer, "authority": os.environ["SSL_CERT_FILE"]}
        print(json.dumps(ready), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
