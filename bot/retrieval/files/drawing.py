"""Reads what is drawn in Office files (ECMA-376 part 1, 20 and 21): text, tables, charts and diagrams.

Its walker knows each element of the schemas as text, silent or a container (``elements.toml``). What is none
of them and has words is named as unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from .elements import name_element, read_kinds
from .equation import EQUATIONS, write_equation
from .office import Package
from .outline import TableCell
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


class DrawnParagraph(NamedTuple):
    """A paragraph with the number of items that it stands below."""

    level: int
    words: str


Drawn = DrawnParagraph | list[list[TableCell]]
"""A paragraph, or the rows of a table, a chart or a diagram."""


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
            if (paragraph := _read_paragraph(package, child)).words:
                yield paragraph
        elif tag == _TABLE:
            yield [list(_read_cells(package, row)) for row in child.iterchildren(name_element("a:tr"))]
        elif tag in RELATED:
            yield from iter_related(package, part, child)
        elif tag == _ALTERNATIVES:
            yield from iter_drawn(package, part, choose(child))
        elif (kind := package.find_kind(child, KINDS)) == "text":
            if words := (child.text or "").strip():
                yield DrawnParagraph(0, words)
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
    return " ".join(filter(None, (_read_paragraph(package, one).words for one in body.iter(_PARAGRAPH))))


def _read_paragraph(package: Package, paragraph: Any) -> DrawnParagraph:
    properties = paragraph.find(name_element("a:pPr"))
    level = properties.get("lvl", "0") if properties is not None else "0"
    words = " ".join(_write(package, paragraph).split())
    return DrawnParagraph(int(level) if level.isdecimal() else 0, words)


def _write(package: Package, element: Any) -> str:
    """The words within an element that are not struck out, without the names of a chart's own fields."""
    tag, kind = element.tag, package.find_kind(element, KINDS)
    if tag == _FIELD and element.get("type", "").isupper():  # such as [CELLRANGE]
        return ""
    if tag in EQUATIONS:
        return write_equation(element, lambda child: _write(package, child))
    if kind == "text":
        return " " if tag == _BREAK else element.text or ""
    inner: Any = choose(element) if tag == _ALTERNATIVES else element if kind == "container" else ()
    if not len(inner) or not is_shown(read_attributes(element.find(name_element("a:rPr")))):
        return ""
    return "".join(_write(package, child) for child in inner)


def _read_cells(package: Package, row: Any) -> Iterator[TableCell]:
    """Yield the cells of a row, without those that are merged into others."""
    for cell in row.iterchildren(name_element("a:tc")):
        if not (cell.get("hMerge") in _ON or cell.get("vMerge") in _ON):
            spans = (cell.get(name, "1") for name in ("gridSpan", "rowSpan"))
            yield TableCell(read_words(package, cell), *(int(one) if one.isdecimal() else 1 for one in spans))


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
        yield [list(map(TableCell, row)) for row in rows]
        title = ""
    if title:
        yield DrawnParagraph(0, title)
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
