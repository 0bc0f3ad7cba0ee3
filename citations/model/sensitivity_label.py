"""A sensitivity label, as a catalogue or a source describes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..text.controls import without_turns

_PURVIEW_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
# CSS Color Module Level 4 § 6.1, "Named Colors".
_NAMES: Final = frozenset(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
    burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
    darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid
    darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
    deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
    ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
    lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow
    lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine
    mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
    mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
    orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
    pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown
    seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan
    teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen
    """.split()
)


def is_color(color: str) -> bool:
    """Whether ``color`` is ``#rgb``, ``#rgba``, ``#rrggbb``, ``#rrggbbaa`` or the name of a CSS colour.

    Web Chat puts it into an SVG ``fill``. There ``url(…)`` would make every reader's browser fetch a
    file.
    """
    return _HEX.fullmatch(color) is not None or (color.isascii() and color.lower() in _NAMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityLabel:
    """A sensitivity label (CITATION.md § "Sensitivity label").

    ``priority`` counts from 0, the lowest, as in Office and Purview. It is None for a label that can't be
    ranked. ``color`` is a CSS colour, as ``#rgb`` or a name. ``encrypted`` adds a lock to its shield.
    """

    id: str
    name: str
    priority: int | None = None
    description: str | None = None
    color: str | None = None
    encrypted: bool = False

    def __post_init__(self) -> None:
        # What it says of itself is shown in many places, and in all of them as it is.
        object.__setattr__(self, "name", without_turns(self.name))
        object.__setattr__(self, "description", self.description and without_turns(self.description))


def is_purview_id(identifier: str) -> bool:
    """Whether it is the id of a label of Microsoft Purview, whose name Teams knows."""
    return _PURVIEW_ID.fullmatch(identifier) is not None


def label_name(label: SensitivityLabel | str | None) -> str | None:
    """What a reference's label is called, as far as the reference itself tells."""
    return label.name if isinstance(label, SensitivityLabel) else label
