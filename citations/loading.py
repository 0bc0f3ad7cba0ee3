"""Packages that load a name with its module at its first use (PEP 562): few programs use all names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def load_on_use(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of ``package``. ``names`` has the names of each module, which is a name, too."""
    modules = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> object:
        if name in names:
            return import_module(f".{name}", package)
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f".{modules[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
