"""One Chromium for all pages of the Playground."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.browser.browser import shared_chromium


@pytest.fixture(scope="session", autouse=True)
async def one_chromium() -> AsyncIterator[None]:
    async with shared_chromium():
        yield
