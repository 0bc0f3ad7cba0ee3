"""Writes equations of Office files on one line: their characters in their order (ECMA-376 part 1, 22.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from citations.markdown import SMALL_DIGITS

from .elements import name_element

_SCRIPTS: Final = {name_element("m:sup"): SMALL_DIGITS["p"], name_element("m:sub"): SMALL_DIGITS["b"]}
_BETWEEN: Final = {name_element("m:f"): ("", "/", ""), name_element("m:rad"): ("√", "", "")}
"""What stands before, between and behind the parts of a fraction and a root."""
_BRACKETS, _SUM = map(name_element, ("m:d", "m:nary"))
EQUATIONS: Final = frozenset((*_SCRIPTS, *_BETWEEN, _BRACKETS, _SUM))
"""The parts of equations whose own signs are in no text."""


def write_equation(element: Any, write: Callable[[Any], str]) -> str:
    """Write such a part; ``write`` writes what is within one."""
    said = [words for child in element if (words := write(child))]
    if element.tag in _SCRIPTS:
        digits, words = _SCRIPTS[element.tag], "".join(said)
        return words.translate(digits) if all(ord(sign) in digits for sign in words) else words
    if element.tag in _BETWEEN:
        before, between, behind = _BETWEEN[element.tag]
        return before + between.join(said) + behind
    if element.tag == _SUM:
        return _read_sign(element.find(name_element("m:naryPr")), "m:chr", "∫") + "".join(said)
    signs = {"m:begChr": "(", "m:sepChr": "|", "m:endChr": ")"}
    properties = element.find(name_element("m:dPr"))
    first, between, last = (_read_sign(properties, name, usual) for name, usual in signs.items())
    return first + between.join(said) + last


def _read_sign(properties: Any, name: str, usual: str) -> str:
    """A sign in the properties of a part of an equation; ``usual`` where they name none."""
    sign = properties.find(name_element(name)) if properties is not None else None
    return usual if sign is None else (sign.get(name_element("m:val")) or "")
