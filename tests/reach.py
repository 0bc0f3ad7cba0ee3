"""What a change has to know: the lines of the modules that a change's own modules reach by imports.

Imports within functions and for type checkers count. A name that is imported from a lazy door
(:func:`citations.stub.load_on_use`) counts the module that the door's stub names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = ("citations", "bot")


@cache
def module_files() -> Mapping[str, Path]:
    """The file of each module of both packages, by its dotted name."""
    found = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {_name(path): path for path in found}


def count_lines(modules: frozenset[str]) -> int:
    """The lines of these modules."""
    return sum(module_files()[one].read_text(encoding="utf-8").count("\n") for one in modules)


def modules_below(*roots: str) -> frozenset[str]:
    """The modules with these names, and those of the packages with these names."""
    inside = tuple(f"{root}." for root in roots)
    return frozenset(one for one in module_files() if one in roots or one.startswith(inside))


def reached_from(*roots: str) -> frozenset[str]:
    """The modules that those below ``roots`` reach by imports, and themselves."""
    reached: set[str] = set()
    left = list(modules_below(*roots))
    while left:
        if (module := left.pop()) not in reached:
            reached.add(module)
            left += imports_of(module)
    return frozenset(reached)


@cache
def imports_of(module: str) -> frozenset[str]:
    """The modules that a module imports by itself."""
    path = module_files()[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(one for node in ast.walk(tree) for one in _find_targets(node, package))


def _find_targets(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in module_files())
    elif isinstance(node, ast.ImportFrom):
        parent = package.rsplit(".", node.level - 1)[0] if node.level else ""
        base = ".".join(part for part in (parent, node.module) if part)
        if base in module_files():
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in module_files() else _names_of_door(base).get(alias.name, base)


@cache
def _names_of_door(package: str) -> Mapping[str, str]:
    """The module of each name of a lazy door; empty for another package."""
    stub = module_files()[package].with_name("__init__.pyi")
    if not stub.exists() or module_files()[package].name != "__init__.py":
        return {}
    names: dict[str, str] = {}
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            target = f"{package.rsplit('.', node.level - 1)[0]}.{node.module}"
            for alias in node.names:
                # A door may name another door's name.
                names[alias.name] = _names_of_door(target).get(alias.name, target)
    return names


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
