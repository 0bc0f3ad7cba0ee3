"""Reads what is drawn in Office files (ECMA-376 part 1, 20 and 21): text, tables, charts and diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from .office import Package, name_element
from .outline import TableCell

_PARAGRAPH, _TEXT, _BREAK = map(name_element, ("a:p", "a:t", "a:br"))
_RUN_PROPERTIES: Final = name_element("a:rPr")
_CHART, _DIAGRAM, _TABLE = map(name_element, ("c:chart", "dgm:relIds", "a:tbl"))
_RELATION, _DATA = map(name_element, ("r:id", "r:dm"))
_SERIES, _TITLE = map(name_element, ("c:ser", "c:title"))
_CHOICE, _FALLBACK = map(name_element, ("mc:Choice", "mc:Fallback"))
_OFF: Final = (None, "noStrike")
_ON: Final = ("1", "true")


def is_hidden(properties: Any) -> bool:
    """Whether the properties of a drawing hide it, as the selection pane can."""
    return properties is not None and properties.get("hidden") in _ON


def choose(alternatives: Any) -> Any:
    """Of ``mc:AlternateContent``, what programs of today show; the other says the same for older ones."""
    choice = alternatives.find(_CHOICE)
    return alternatives.find(_FALLBACK) if choice is None else choice


def read_paragraphs(body: Any) -> Iterator[tuple[int, str]]:
    """Yield the level and the words of each paragraph of a text body that are not struck out."""
    for paragraph in body.iter(_PARAGRAPH):
        properties = paragraph.find(name_element("a:pPr"))
        level = properties.get("lvl", "0") if properties is not None else "0"
        yield int(level) if level.isdecimal() else 0, " ".join("".join(_iter_words(paragraph)).split())


def _iter_words(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag == _BREAK:
            yield " "
        elif child.tag == _TEXT or child.tag == name_element("m:t"):
            yield child.text or ""
        elif child.tag == name_element("mc:AlternateContent"):
            chosen = choose(child)
            yield from _iter_words(chosen) if chosen is not None else ()
        elif isinstance(child.tag, str):
            properties = child.find(_RUN_PROPERTIES)
            if properties is None or properties.get("strike") in _OFF:
                yield from _iter_words(child)


def read_text(body: Any) -> str:
    """The words of a text body, with a space between paragraphs."""
    return " ".join(words for _, words in read_paragraphs(body) if words)


def read_table(table: Any) -> list[list[TableCell]]:
    """The rows of a table, without the cells that are merged into others."""
    rows: list[list[TableCell]] = []
    for row in table.iterchildren(name_element("a:tr")):
        cells = [one for one in row.iterchildren(name_element("a:tc")) if not _is_merged(one)]
        rows.append(
            [
                TableCell(read_text(one), *(_read_span(one, name) for name in ("gridSpan", "rowSpan")))
                for one in cells
            ]
        )
    return rows


def _is_merged(cell: Any) -> bool:
    return cell.get("hMerge") in _ON or cell.get("vMerge") in _ON


def _read_span(cell: Any, name: str) -> int:
    span = cell.get(name, "1")
    return int(span) if span.isdecimal() else 1


def find_related(drawing: Any) -> Iterator[tuple[str, str]]:
    """Yield ``chart`` or ``diagram``, and the id of the part that has it, for each in a drawing."""
    for one in drawing.iter(_CHART, _DIAGRAM):
        name = "chart" if one.tag == _CHART else "diagram"
        yield name, one.get(_RELATION if name == "chart" else _DATA, "")


def read_related(package: Package, part: str, drawing: Any) -> Iterator[list[list[str]]]:
    """Yield the charts and diagrams of a drawing in a part, as rows; one that fails is named as unread."""
    for name, identity in find_related(drawing):
        with package.guard(name):
            target = package.relate(part)[identity].part
            root = package.parse(target)
            if name == "diagram":
                yield [[words] for _, words in read_paragraphs(root) if words]
            else:
                yield from _read_chart(root)
                for drawn in package.parse_related(target, "chartUserShapes", "drawing"):
                    yield [[words] for _, words in read_paragraphs(drawn) if words]


def _read_chart(root: Any) -> Iterator[list[list[str]]]:
    """Yield the numbers of a chart as rows, one for each category; then what else is written in it."""
    chart = root.find(name_element("c:chart"))
    heading = chart.find(_TITLE) if chart is not None else None
    title = _read_title(heading)
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
        yield rows
        title = ""
    others = [one for one in root.iter(_PARAGRAPH) if heading is None or heading not in one.iterancestors()]
    yield [[words] for one in others if (words := " ".join("".join(_iter_words(one)).split()))]
    yield [[title]] if title else []


def _read_title(title: Any) -> str:
    return (read_text(title) or " ".join(_read_points(title, "c:tx").values())) if title is not None else ""


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
