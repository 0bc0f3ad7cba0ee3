"""Packages that load a name with its module at its first use (PEP 562): few programs use all names.

Their public names stand once, in a stub beside them: ``__init__.pyi``, which type checkers read.
"""

from __future__ import annotations

import ast
import os.path
import sys
from collections.abc import Callable
from importlib import import_module


def load_on_use(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of ``package``."""
    modules: dict[str, str] = {}
    """The module of each public name."""
    submodules: dict[str, str] = {}
    for node in ast.parse(_read_stub(package)).body:
        if isinstance(node, ast.ImportFrom):
            parent = package.rsplit(".", node.level - 1)[0]
            if node.module is None:
                submodules |= {one.name: f"{parent}.{one.name}" for one in node.names}
                continue
            modules |= {one.name: f"{parent}.{node.module}" for one in node.names}
            if node.level == 1:
                submodules[node.module] = f"{parent}.{node.module}"
    public = sorted(modules)

    def load(name: str) -> object:
        if name in modules:
            value: object = getattr(import_module(modules[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        if name in submodules:
            return import_module(submodules[name])
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: sorted({*vars(sys.modules[package]), *public, *submodules}), public


def _read_stub(package: str) -> bytes:
    """The stub, from the archive if the package is in one."""
    module = sys.modules[package]
    path = os.path.join(os.path.dirname(str(module.__file__)), "__init__.pyi")  # noqa: PTH118, PTH120 - pathlib loads more than this package
    stub: bytes = module.__loader__.get_data(path)  # type: ignore[union-attr]
    return stub
