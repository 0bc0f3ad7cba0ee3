"""The command, with a source that takes its time, as a process of its own.

``SECONDS`` is how long each answer takes, ``STUCK=1`` makes it take them in a thread, and
``CLOUD`` is where the cloud's Entra ID is, if not in the cloud. ``NAME`` says who answers, and ``LEASE``
is how many seconds of silence it is dead after.
"""

from __future__ import annotations

import asyncio
import functools
import os
import socket
import time
from collections.abc import AsyncGenerator
from dataclasses import replace

from bot.app import command
from bot.app.settings import Settings
from bot.config.cloud import Cloud
from bot.config.timeouts import Timeouts
from bot.sources import AnswerSource
from bot.telemetry.log import configure_logging
from citations import AnswerEvent, TextDelta


class SlowSource(AnswerSource):
    title = "Plant care"

    async def facts(self) -> dict[str, str | int]:
        return {"source": "slow", "answers": "ok"}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        seconds = float(os.environ["SECONDS"])
        await (asyncio.to_thread(time.sleep, seconds) if os.environ.get("STUCK") else asyncio.sleep(seconds))
        name = os.environ.get("NAME")
        yield TextDelta(f"The {name} answers {question}." if name else f"Answer {question}.")


def here(cloud: Cloud) -> Cloud:
    url = os.environ.get("CLOUD")
    metadata = f"{url}/v1/.well-known/openidconfiguration"
    return replace(cloud, login=f"{url}/", metadata=metadata) if url else cloud


if __name__ == "__main__":
    command.choose_folder = lambda *_: None  # type: ignore[attr-defined]
    command.choose = lambda *_: SlowSource()  # type: ignore[attr-defined]
    if lease := os.environ.get("LEASE"):
        command.build_app = functools.partial(command.build_app, timeouts=Timeouts(lease=float(lease)))  # type: ignore[attr-defined]
    given = Settings.from_env(os.environ)
    configure_logging()
    with socket.create_server(("127.0.0.1", given.port)) as listener:
        asyncio.run(command.serve(given.model_copy(update={"cloud": here(given.cloud)}), listener))
