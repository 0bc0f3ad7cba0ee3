"""Names the elements of the formats, each with its kind (``elements.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

_DIGITS: Final = 9
_ELEMENTS: Final = tomllib.loads((resources.files(__package__) / "elements.toml").read_text("utf-8"))


@cache
def name_element(name: str) -> str:
    """The name of an element or attribute as lxml has it, of one such as ``w:p``."""
    prefix, _, local = name.partition(":")
    return f"{{{_ELEMENTS['namespaces'][prefix]}}}{local}"


def read_number(value: str | None, usual: int = 0) -> int:
    """A whole number that is said; ``usual`` where there is none, or one that no document has."""
    return int(value) if value and value.isdecimal() and len(value) <= _DIGITS else usual


def list_names(format_name: str, kind: str) -> frozenset[str]:
    """The names of a kind as they are listed."""
    return frozenset(_ELEMENTS[format_name][kind].split())


def list_signs(format_name: str, kind: str) -> str:
    """The signs of a kind, in their order."""
    return str(_ELEMENTS[format_name][kind])


def map_names(format_name: str, table: str) -> Mapping[str, str]:
    """What is listed in a table below a format, by its names."""
    return {name: said for said, names in _ELEMENTS[format_name][table].items() for name in names.split()}


def read_kinds(format_name: str) -> Mapping[str, str]:
    """The kinds of a format's elements by lxml's names; another kind is the name of what is not read."""
    listed = dict(_ELEMENTS[format_name])
    listed |= listed.pop("named", {})
    return {name_element(name): kind for kind, names in listed.items() for name in names.split()}
