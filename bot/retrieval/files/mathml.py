"""Writes MathML on one line: its characters in their order, and signs where a layout stands for them."""

from __future__ import annotations

from typing import Final

_JOINTS: Final = {"mfrac": "/", "msup": "^", "msubsup": "^", "munderover": " ", "mtr": " ", "mtable": "; "}
"""What stands before the last part of an element, where style alone sets it apart (MathML Core § 3)."""
_ROWS: Final = frozenset(("mtr", "mtable"))
"""Elements with any number of parts, which are all set apart."""
_TRIPLE: Final = frozenset(("msubsup", "munderover"))
_EMPTY: Final = frozenset(("mspace", "mprescripts", "none"))


class MathExpression:
    """The elements of an equation that are open, each with the number of its parts so far."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def start(self, tag: str) -> str:
        """Start an element, and return what stands before it."""
        joint = ""
        if self._open:
            outer, count = self._open[-1]
            self._open[-1] = outer, count + 1
            joint = (
                _JOINTS.get(outer, "")
                if count == 1 + (outer in _TRIPLE) or (count and outer in _ROWS)
                else ""
            )
        if tag not in _EMPTY:
            self._open.append((tag, 0))
        return joint

    def end(self, tag: str) -> None:
        """End an element; ``math`` ends all that are open."""
        if tag == "math":
            self._open = []
        elif len(self._open) > 1 and tag not in _EMPTY:
            self._open.pop()
