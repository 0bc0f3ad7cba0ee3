"""Digits and signs that Unicode has as superscript and subscript characters."""

from __future__ import annotations

from typing import Final

DIGITS: Final = "-\u2212+=()0123456789"
"""Those that have such a character."""
SMALL_DIGITS: Final = {
    "p": str.maketrans(DIGITS, "⁻⁻⁺⁼⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹"),
    "b": str.maketrans(DIGITS, "₋₋₊₌₍₎₀₁₂₃₄₅₆₇₈₉"),
}
"""Tables of them for ``str.translate``, by the last letter of HTML's tags ``sup`` and ``sub``."""
