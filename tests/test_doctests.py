"""The examples in the library's docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import citations

MODULES = ["citations", *(found.name for found in pkgutil.walk_packages(citations.__path__, "citations."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_docstrings(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if not name.startswith("citations.integrations."):
            raise
        pytest.skip(f"{missing.name} is not installed")
    assert doctest.testmod(module).failed == 0


def test_there_are_some() -> None:
    assert (
        sum(
            doctest.testmod(importlib.import_module(name)).attempted
            for name in ("citations", "citations.markers.grammar")
        )
        > 4
    )
