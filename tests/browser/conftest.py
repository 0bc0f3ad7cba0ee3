"""One Chromium for the whole session; every page has a context of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from .browser import shared_chromium


@pytest.fixture(scope="session", autouse=True)
async def one_chromium() -> AsyncIterator[None]:
    async with shared_chromium():
        yield
