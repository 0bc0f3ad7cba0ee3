"""Packages that load a name with its module at its first use (PEP 562): few programs use all names.

Their public names stand once, in a stub beside them: ``__init__.pyi``, which type checkers read.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import resolve_name
from pkgutil import get_data


def load_on_use(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of ``package``."""
    modules: dict[str, str] = {}
    """The module of each public name."""
    submodules: dict[str, str] = {}
    for node in ast.parse(get_data(package, "__init__.pyi") or b"").body:
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            if node.module is None:
                submodules |= {one.name: f"{module}.{one.name}" for one in node.names}
                continue
            modules |= {one.name: module for one in node.names}
            if node.level == 1:
                submodules[node.module] = module
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
