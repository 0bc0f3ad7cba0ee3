"""A proxy that refuses every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest


@asynccontextmanager
async def refusing_proxy(monkeypatch: pytest.MonkeyPatch, status: str) -> AsyncIterator[list[str]]:
    """The heads of the requests to it, while ``HTTPS_PROXY`` names it, without a scheme."""
    heads: list[str] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    for name in ("NO_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        yield heads
