"""What holds for every test: it shares its event loop with the others, and leaves nothing running in it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hypothesis import settings

from tests.tasks import all_ended

pytest.register_assert_rewrite("tests.agreement", "tests.rendering_promises", "tests.stream_assertions")

settings.register_profile("tests", deadline=None)  # a busy machine is no fault of what is tested
settings.load_profile("tests")


@pytest.fixture(autouse=True)
async def nothing_goes_on() -> AsyncIterator[None]:
    """Tasks that a test began end with it."""
    async with all_ended():
        yield
