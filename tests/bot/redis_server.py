"""A redis-server on a port of its own, which can be killed, stopped and started again."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..ports import free_port
from ..programs import find_program


@dataclass(slots=True)
class RedisServer:
    """A server that keeps nothing on disk: what it had is gone when it is started again."""

    folder: Path
    port: int
    password: str = ""
    config: Path | None = None
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"redis://{f':{self.password}@' if self.password else ''}127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = find_program("redis-server")
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        options += ["--requirepass", self.password] if self.password else []
        config = [str(self.config)] if self.config else []
        self._process = subprocess.Popen([program, *config, *options], stdout=subprocess.DEVNULL)
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("redis-server didn't start")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def start_again(self) -> None:
        """Start it, unless it is there."""
        if self._process is None:
            self.start()

    def hang(self) -> None:
        """From now on it takes connections and answers nothing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """It answers again, first of all what it was asked meanwhile."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        """It takes connections and answers nothing."""
        self.hang()
        try:
            yield
        finally:
            self.resume()


@contextlib.contextmanager
def redis_server(folder: Path, *, password: str = "", config: Path | None = None) -> Iterator[RedisServer]:
    port = free_port()
    server = RedisServer(folder, port, password, config)
    server.start()
    try:
        yield server
    finally:
        server.kill()
