"""Says of words in any format whether a person sees them: not what is hidden, deleted or struck out.

A format states what holds for its words as names with values: declarations of CSS, properties of a run in
Word, attributes in OpenDocument, control words of Rich Text. One table says which of them hide.
Governing source of inline styles: CSS Syntax Module Level 3, § 4.3.7 (escapes) and § 5.4 (declarations).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_ZERO: Final = re.compile(r"(?:0++\.?0*+|\.0++)(?:[a-z]++|%)?")
_FAR: Final = re.compile(r"-(?:\d{4,}(?:\.\d+)?(?:px|pt)?|\d{3,}(?:\.\d+)?(?:r?em|%|vw|vh))")
"""A distance that leads off every page."""
_NOTHING: Final = re.compile(
    r"inset\(\s*(?:100|[5-9]\d)%.*|polygon\((?:\s*+0\w*+\s++0\w*+\s*+,?+)++\)|(?:circle|ellipse)\(\s*0.*|rect\(\s*(0|1)(?:px)?(?:[\s,]+\1(?:px)?){3}\s*\)"
)
"""A shape within which nothing is shown."""
_MOVED: Final = re.compile(r".*\b(?:scale[xy3d]*+\(\s*+0*+\.?+0*+\s*+[,)]|translate[xy3d]*+\([^()]*-\d{4}).*")
"""Scaled to nothing, or moved off every page: 100 % of a width is a place beside it."""
_CLEAR: Final = re.compile(
    r"transparent|#(?:[\da-f]{3}0|[\da-f]{6}00)|(?:rgb|hsl)a?\((?:(?:[^(),/]*+,){3}|[^(),/]*+/)\s*+(?:0++(?:\.0*+)?|\.0++)%?\s*+\)"
)
"""A colour that is not seen (CSS Color Module Level 4, § 4.2 and 5.1)."""
_LINE: Final = re.compile(".*line-through.*")
_OFF: Final = re.compile("0|false|off|none|noStrike")
_ON: Final = re.compile(f"(?!(?:{_OFF.pattern})\\Z).*")
SWITCHES: Final = ("vanish", "strike", "dstrike", "del", "cellDel")
"""Elements of Office files that hide words, unless they say that they don't."""
_HIDES: Final = {
    # CSS, and OpenDocument's attributes of the same names (part 3, § 19.764 and 20.328)
    "display": re.compile("none"),
    "visibility": re.compile("hidden|collapse|filter"),
    "content-visibility": re.compile("hidden"),
    "mso-hide": re.compile("all"),
    "opacity": _ZERO,
    "font-size": _ZERO,
    "font": re.compile(rf"(?:[a-z1-9][\w-]*+\s)*+{_ZERO.pattern}(?:/\S++)?\s.*+"),
    "zoom": _ZERO,
    "scale": re.compile(rf"{_ZERO.pattern}(?:\s.*+)?"),
    "filter": re.compile(rf"opacity\({_ZERO.pattern}\)"),
    "color": _CLEAR,
    "text-indent": _FAR,
    "clip-path": _NOTHING,
    "clip": _NOTHING,
    "transform": _MOVED,
    "translate": re.compile(r".*-\d{4}.*"),
    "text-decoration": _LINE,
    "text-decoration-line": _LINE,
    # OpenDocument (part 3, § 19.828, 20.359 and 20.362)
    "is-hidden": _ON,
    "text-line-through-style": _ON,
    "text-line-through-type": _ON,
    # Office (ECMA-376 part 1, 17.3.2, 17.4, 18.8.22, 19.3.1.38 and 20.1.2.2.8), attributes of HTML
    **dict.fromkeys((*SWITCHES, "hidden", "popover"), _ON),
    "state": re.compile("hidden|veryHidden"),
    "show": _OFF,
    # Rich Text (1.9.1, "Character formatting properties" and "Track changes")
    **dict.fromkeys(("v", "striked", "deleted"), _ON),
}
"""The values of properties that hide words or strike them out."""
_SIDES: Final = ("left", "right", "top", "bottom", "inset", "margin-left", "margin-top")
_SIZES: Final = ("height", "max-height", "width", "max-width")
_VALUES: Final = ("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}val", "val")


def is_shown(said: Mapping[str, str]) -> bool:
    """Whether a person sees words of which these properties are said."""
    if not said:
        return True
    if any(name in _HIDES and _HIDES[name].fullmatch(value) for name, value in said.items()):
        return False
    if any(_FAR.match(said[name]) for name in _SIDES if name in said):
        return False
    is_clipped = any(said.get(f"overflow{axis}") in ("hidden", "clip") for axis in ("", "-x", "-y"))
    return not (is_clipped and any(_ZERO.fullmatch(said.get(name) or "-") for name in _SIZES))


@lru_cache(1000)
def is_hiding(style: str) -> bool:
    """Whether a ``style`` hides its element or strikes it out. What a style sheet does is not known."""
    return not is_shown(read_declarations(style))


def read_declarations(style: str) -> Mapping[str, str]:
    """The last value of each property of a ``style``, in lower case."""
    plain = _ESCAPE.sub(_unescape, _COMMENT.sub("", style)).lower()
    pairs = (one.partition(":") for one in plain.split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _unescape(escape: re.Match[str]) -> str:
    code = int(escape[1], 16) if escape[1] else 0
    return (chr(code) if code < 0x110000 else "\ufffd") if escape[1] else escape[2]


def read_attributes(*elements: Any) -> dict[str, str]:
    """What the attributes of elements say that may hide words; the last one wins, and None says nothing."""
    said: dict[str, str] = {}
    for element in elements:
        for name in element.keys() if element is not None else ():
            if local := _find_property(name):
                said[local] = element.get(name)
    return said


@cache
def _find_property(name: str) -> str:
    """The property that an attribute or element says; empty for one that hides nothing."""
    local = name.rpartition("}")[2]
    return local if local in _HIDES else ""


def read_switches(element: Any) -> dict[str, str]:
    """What the children of an element say that may hide words, such as ``w:vanish``; None has no children."""
    return {
        local: next(filter(None, map(child.get, _VALUES)), "1")
        for child in (element if element is not None else ())
        if isinstance(child.tag, str) and (local := _find_property(child.tag))
    }


class StyleProperties:
    """What styles say that may hide words, each with what the styles say that it is based on."""

    def __init__(
        self, styles: Mapping[str, Any], read: Callable[[Any], tuple[str, Mapping[str, str]]]
    ) -> None:
        """``read`` reads of a style the name of the one that it is based on, and what it says itself."""
        self._styles, self._read = styles, read
        self._found: dict[str, Mapping[str, str]] = {}
        self._shown: dict[str, bool] = {}

    def is_shown(self, name: str) -> bool:
        """Whether a person sees words of this style."""
        if name not in self._shown:
            self._shown[name] = is_shown(self.find(name))
        return self._shown[name]

    def find(self, name: str) -> Mapping[str, str]:
        """What a style says; nothing where there is none of this name."""
        based: dict[str, Mapping[str, str]] = {}
        next_name = name
        # a style that is based on itself, by however many others, says what these say themselves
        while next_name in self._styles and next_name not in self._found and next_name not in based:
            style = next_name
            next_name, based[style] = self._read(self._styles[style])
        said = self._found.get(next_name, {})
        for style, own in reversed(based.items()):
            said = self._found[style] = {**said, **own}
        return said
