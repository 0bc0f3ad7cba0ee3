"""Test modules stand alone: what two of them need is in a helper module, named for what it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def imported(path: Path) -> Iterator[str]:
    """The modules of the tests that a file imports, and the names that it imports from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("tests"))
        elif isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("tests")):
            yield from (node.module or "", *(alias.name for alias in node.names))


def test_no_module_imports_a_test_module() -> None:
    found = {
        str(path.relative_to(TESTS)): name
        for path in TESTS.rglob("*.py")
        for name in imported(path)
        if any(part.startswith("test_") for part in name.split("."))
    }
    assert found == {}
