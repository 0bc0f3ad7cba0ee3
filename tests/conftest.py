"""What holds for every test: it shares its event loop with the others, and leaves nothing running in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import settings

settings.register_profile("tests", deadline=None)  # a busy machine is no fault of what is tested
settings.load_profile("tests")


@pytest.fixture(autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """Tasks that a test began end with it."""
    before = asyncio.all_tasks()
    yield
    begun = asyncio.all_tasks() - before - {asyncio.current_task()}
    if begun:
        _, begun = await asyncio.wait(begun, timeout=10)
    assert not begun
