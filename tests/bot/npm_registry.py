"""A registry of npm on a socket, which sends packages as it is told to; it is a proxy, too."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from typing import Final

SILENT: Final = "silent"
DRIPPING: Final = "dripping"
CUT: Final = "cut"


class NpmRegistryServer:
    """``archives`` are the packages by their path; ``way`` is how they are sent; ``asked`` are the request lines.

    With ``tls``, a tunnel through it leads to itself.
    """

    def __init__(self, archives: Mapping[str, bytes], way: str, tls: ssl.SSLContext | None) -> None:
        self.archives = archives
        self.way = way
        self.asked: list[str] = []
        self.ended = threading.Event()
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def run(self) -> None:
        """Answer one request after the other, until the listener is closed."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), connection:
                self._answer(connection)

    def close(self) -> None:
        """End :meth:`run`."""
        self.ended.set()
        # Closing alone wakes nobody who waits in accept.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _answer(self, connection: socket.socket) -> None:
        line = _read_head(connection)
        self.asked.append(line)
        if line.startswith("CONNECT ") and self._tls:
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            with self._tls.wrap_socket(connection, server_side=True) as inner:
                self._answer(inner)
            return
        path = (
            "/" + line.split()[1].partition("://")[2].partition("/")[2] if "://" in line else line.split()[1]
        )
        content = self.archives.get(path)
        if content is None:
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content))
        if self.way == SILENT:
            self.ended.wait()
        elif self.way == DRIPPING:
            for byte in content:
                connection.sendall(bytes([byte]))
                self.ended.wait(0.001)
        else:
            connection.sendall(content[: len(content) // 2] if self.way == CUT else content)


def _read_head(connection: socket.socket) -> str:
    head = b""
    while b"\r\n\r\n" not in head and (piece := connection.recv(65536)):
        head += piece
    return head.partition(b"\r\n")[0].decode("ascii")


@contextlib.contextmanager
def registry_server(
    archives: Mapping[str, bytes], way: str = "", tls: ssl.SSLContext | None = None
) -> Iterator[NpmRegistryServer]:
    """A registry that has these packages."""
    server = NpmRegistryServer(archives, way, tls)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
