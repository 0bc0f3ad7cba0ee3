"""The servers of vector stores, each of which is started once in a process that tests need it in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .vector_stores import chroma_server, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with postgres_server() as uri:
        yield uri


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma_server(tmp_path_factory.mktemp("server")) as uri:
        yield uri
