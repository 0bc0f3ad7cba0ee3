"""Reads what is drawn in Office files (ECMA-376 part 1, 20 to 22): text, tables, charts, diagrams, equations.

Its walker knows each element of the schemas as text, silent or a container (``elements.toml``). What is none
of them and has words is named as unread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from citations.text import SMALL_DIGITS

from ..document import LOST
from .elements import name_element, read_kinds, read_number
from .office import Package
from .outline import Outline, TableCell
from .shown import is_shown, read_attributes

KINDS: Final = read_kinds("office")
_PARAGRAPH, _FIELD, _BREAK, _TABLE, _ALTERNATIVES = map(
    name_element, ("a:p", "a:fld", "a:br", "a:tbl", "mc:AlternateContent")
)
_CHART, _DIAGRAM = map(name_element, ("c:chart", "dgm:relIds"))
_RELATION, _DATA = map(name_element, ("r:id", "r:dm"))
RELATED: Final = {_CHART: ("chart", _RELATION), _DIAGRAM: ("diagram", _DATA)}
"""Elements that another part is drawn for: how it is named as unread, and the attribute with its id."""
_SERIES, _TITLE = map(name_element, ("c:ser", "c:title"))
_POINTS: Final = tuple(map(name_element, ("c:tx", "c:cat", "c:xVal", "c:val", "c:yVal")))
_CHOICE, _FALLBACK = map(name_element, ("mc:Choice", "mc:Fallback"))
_ON: Final = ("1", "true")
_SENTENCE: Final = 120
"""A longer paragraph is text, and not an item of a list."""
_SCRIPTS: Final = {name_element("m:sup"): SMALL_DIGITS["p"], name_element("m:sub"): SMALL_DIGITS["b"]}
_BETWEEN: Final = {
    name_element(name): signs
    for name, *signs in (
        ("m:f", "", "/", ""), ("m:rad", "√", "", ""), ("m:func", "", " ", ""), ("m:mr", "", " ", ""),
        ("m:m", "", "; ", ""), ("m:eqArr", "", "; ", ""),
    )
}  # fmt: skip
"""What stands before, between and behind the parts of a fraction, a root, a function, a matrix."""
_BRACKETS, _SUM = map(name_element, ("m:d", "m:nary"))
EQUATIONS: Final = frozenset((*_SCRIPTS, *_BETWEEN, _BRACKETS, _SUM))
"""The parts of equations whose own signs are in no text."""


class Drawn(NamedTuple):
    """A paragraph, with the number of items that it stands below, or the rows of a table or a chart."""

    words: str = ""
    level: int = 0
    rows: Sequence[Sequence[TableCell]] = ()

    def add_to(self, outline: Outline, *, is_item: bool = False) -> None:
        """Add it to an outline, a short paragraph as an item where it ``is_item``."""
        if self.rows:
            outline.add_cells(self.rows)
        elif is_item and len(self.words) <= _SENTENCE:
            outline.add_item(self.words, self.level)
        else:
            outline.add_paragraph(self.words)


def is_drawn(shape: Any) -> bool:
    """Whether a shape is shown, which the selection pane can hide."""
    properties = shape.find("{*}cNvPr")
    properties = shape.find("*/{*}cNvPr") if properties is None else properties
    return is_shown(read_attributes(properties, shape.find("{*}docPr")))


def choose(alternatives: Any) -> Any:
    """Of ``mc:AlternateContent``, what programs of today show; the other says the same for older ones."""
    choice = alternatives.find(_CHOICE)
    chosen = alternatives.find(_FALLBACK) if choice is None else choice
    return () if chosen is None else chosen


def iter_drawn(package: Package, part: str, element: Any) -> Iterator[Drawn]:
    """Yield what is drawn within an element of a part, in its order."""
    for child in element:
        tag = child.tag
        if tag == _PARAGRAPH:
            if words := _read_paragraph(package, child):
                properties = child.find(name_element("a:pPr"))
                level = read_number(properties.get("lvl")) if properties is not None else 0
                yield Drawn(words, level)
        elif tag == _TABLE:
            yield Drawn(
                rows=[list(_read_cells(package, row)) for row in child.iterchildren(name_element("a:tr"))]
            )
        elif tag in RELATED:
            yield from iter_related(package, part, child)
        elif tag == _ALTERNATIVES:
            yield from iter_drawn(package, part, choose(child))
        elif (kind := package.find_kind(child, KINDS)) == "text":
            if words := (child.text or "").strip():
                yield Drawn(words)
        elif kind == "container" and is_drawn(child):
            yield from iter_drawn(package, part, child)


def iter_related(package: Package, part: str, element: Any) -> Iterator[Drawn]:
    """Yield the part that an element of a part is drawn for, such as a chart."""
    name, identity = RELATED[element.tag]
    with package.guard(name):
        target = package.relate(part)[element.get(identity, "")].part
        root = package.parse(target)
        if element.tag == _CHART:
            yield from _iter_chart(package, root)
            for drawn in package.parse_related(target, "chartUserShapes", "drawing"):
                yield from iter_drawn(package, target, [drawn])
        else:
            yield from iter_drawn(package, target, [root])


def read_words(package: Package, body: Any) -> str:
    """The words of a text body, with a space between paragraphs."""
    return " ".join(filter(None, (_read_paragraph(package, one) for one in body.iter(_PARAGRAPH))))


def _read_paragraph(package: Package, paragraph: Any) -> str:
    return " ".join(_write(package, paragraph).split())


def _write(package: Package, element: Any) -> str:
    """The words within an element that are not struck out, without the names of a chart's own fields."""
    tag, kind = element.tag, package.find_kind(element, KINDS)
    if tag == _FIELD and element.get("type", "").isupper():  # such as [CELLRANGE]
        return ""
    if tag in EQUATIONS:
        return write_equation(element, lambda child: _write(package, child))
    if kind == "text":
        return " " if tag == _BREAK else element.text or ""
    if kind == "lost":
        return LOST
    inner: Any = choose(element) if tag == _ALTERNATIVES else element if kind == "container" else ()
    if not len(inner) or not is_shown(read_attributes(element.find(name_element("a:rPr")))):
        return ""
    return "".join(_write(package, child) for child in inner)


def _read_cells(package: Package, row: Any) -> Iterator[TableCell]:
    """Yield the cells of a row, without those that are merged into others."""
    for cell in row.iterchildren(name_element("a:tc")):
        if not (cell.get("hMerge") in _ON or cell.get("vMerge") in _ON):
            spans = (read_number(cell.get(name), 1) for name in ("gridSpan", "rowSpan"))
            yield TableCell(read_words(package, cell), *spans)


def _iter_chart(package: Package, root: Any) -> Iterator[Drawn]:
    """Yield the numbers of a chart as rows, one for each category; then what else is written in it."""
    chart = root.find(name_element("c:chart"))
    heading = chart.find(_TITLE) if chart is not None else None
    title = _read_title(package, heading)
    for plot in chart.find(name_element("c:plotArea")) if chart is not None else ():
        series = list(plot.iterchildren(_SERIES))
        if not series:
            continue
        categories = _read_points(series[0], "c:cat", "c:xVal")
        columns = [_read_points(one, "c:val", "c:yVal") for one in series]
        rows = [[title, *(" ".join(_read_points(one, "c:tx").values()) for one in series)]]
        for index in sorted({*categories, *(index for column in columns for index in column)}):
            values = (_write_number(column.get(index, "")) for column in columns)
            rows.append([categories.get(index, str(index + 1)), *values])
        for read in [child for one in series for child in one.iterchildren(*_POINTS)]:
            read.getparent().remove(read)
        yield Drawn(rows=[list(map(TableCell, row)) for row in rows])
        title = ""
    if title:
        yield Drawn(title)
    if heading is not None:
        chart.remove(heading)
    yield from iter_drawn(package, "", chart if chart is not None else ())


def _read_title(package: Package, title: Any) -> str:
    if title is None:
        return ""
    return read_words(package, title) or " ".join(_read_points(title, "c:tx").values())


def _read_points(parent: Any, *names: str) -> dict[int, str]:
    """The values of a series, of its categories or its name, by their index."""
    points: dict[int, str] = {}
    for found in parent.iterchildren(*map(name_element, names)):
        for level in [*found.iter(name_element("c:lvl"))] or [found]:
            for point in level.iter(name_element("c:pt")):
                index, value = int(point.get("idx", "0")), point.findtext(name_element("c:v")) or ""
                points[index] = f"{value} {points[index]}" if index in points else value
        for value in found.iterchildren(name_element("c:v")):
            points[0] = value.text or ""
    return points


def _write_number(value: str) -> str:
    try:
        return f"{float(value):.10g}"
    except ValueError:
        return value


def write_equation(element: Any, write: Callable[[Any], str]) -> str:
    """Write a part of an equation (22.1) on one line; ``write`` writes what is within one."""
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
