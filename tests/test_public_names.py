"""What other programs import from the library, and what they find behind the names of its modules."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import bot
import citations

PACKAGES = [f"citations.{found.name}" for found in pkgutil.iter_modules(citations.__path__) if found.ispkg]


def modules_of(package: ModuleType) -> list[str]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [one.name for one in found if not one.name.endswith("__main__")]


@pytest.mark.parametrize("name", [*modules_of(citations), *modules_of(bot)])
def test_no_other_name_hides_a_module(name: str) -> None:
    module = importlib.import_module(name)
    package, _, last = name.rpartition(".")
    assert getattr(importlib.import_module(package), last) is module


def test_the_library_has_few_names() -> None:
    assert len(citations.__all__) <= 40


@pytest.mark.parametrize("name", ["citations", *PACKAGES])
def test_public_names_are_there(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__doc__
    assert len(package.__all__) == len(set(package.__all__))
    assert all(hasattr(package, public) for public in package.__all__)


ROOT = Path(__file__).parent.parent
BOT = [ROOT / "app.py", *ROOT.glob("bot/**/*.py"), *ROOT.glob("examples/*.py")]


@pytest.mark.parametrize("file", BOT, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_the_bot_uses_public_names(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level]
    for node in imports:
        if node.module and node.module.partition(".")[0] == "citations":
            public = importlib.import_module(node.module).__all__
            assert {one.name for one in node.names} <= set(public), node.module


def test_each_class_has_a_name_of_its_own() -> None:
    """One word means one thing; only what programs import from one SDK's module or another's is called alike."""
    files = [path for package in (ROOT / "citations", ROOT / "bot") for path in package.rglob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in files]
    names = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1} == {"CitationMiddleware"}
