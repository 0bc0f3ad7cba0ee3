"""Says whether the style of an element hides its words, or strikes them out, by its declarations.

Governing source: CSS Syntax Module Level 3, § 4.3.7 (escapes) and § 5.4 (declarations).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_ZERO: Final = re.compile(r"(?:0+\.?0*|\.0+)(?:[a-z]+|%)?")
_FAR: Final = re.compile(r"-(?:\d{4,}(?:\.\d+)?(?:px|pt)?|\d{3,}(?:\.\d+)?(?:r?em|%|vw|vh))")
"""A distance that leads off every page."""
_NOTHING: Final = re.compile(
    r"inset\(\s*(?:100|[5-9]\d)%.*|(?:circle|ellipse)\(\s*0.*|rect\(\s*(0|1)(?:px)?(?:[\s,]+\1(?:px)?){3}\s*\)"
)
"""A shape within which nothing is shown."""
_SCALED: Final = re.compile(r".*scale[xy3d]*\(\s*0*\.?0*\s*[,)].*")
_NONE: Final = {
    "display": re.compile("none"),
    "visibility": re.compile("hidden|collapse"),
    "content-visibility": re.compile("hidden"),
    "mso-hide": re.compile("all"),
    "opacity": _ZERO,
    "font-size": _ZERO,
    "color": re.compile("transparent"),
    "text-indent": _FAR,
    "clip-path": _NOTHING,
    "clip": _NOTHING,
    "transform": _SCALED,
    "text-decoration": re.compile(".*line-through.*"),
    "text-decoration-line": re.compile(".*line-through.*"),
}
"""The values that hide words or strike them out."""
_SIDES: Final = ("left", "right", "top", "bottom", "margin-left", "margin-top")
_SIZES: Final = ("height", "max-height", "width", "max-width")


def is_hiding(style: str | None) -> bool:
    """Whether a ``style`` hides its element or strikes it out. What a style sheet does is not known."""
    if not style:
        return False
    said = _read_declarations(style)
    is_clipped = said.get("overflow", "") in ("hidden", "clip") and any(
        _ZERO.fullmatch(said.get(name) or "-") for name in _SIZES
    )
    is_away = any(_FAR.fullmatch(said.get(name, "")) for name in _SIDES)
    return is_clipped or is_away or any(_NONE[name].fullmatch(said[name]) for name in said if name in _NONE)


def _read_declarations(style: str) -> Mapping[str, str]:
    """The last value of each property, in lower case."""
    plain = _ESCAPE.sub(_unescape, _COMMENT.sub("", style)).lower()
    pairs = (one.partition(":") for one in plain.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _unescape(escape: re.Match[str]) -> str:
    code = int(escape[1], 16) if escape[1] else 0
    return (chr(code) if code < 0x110000 else "\ufffd") if escape[1] else escape[2]
