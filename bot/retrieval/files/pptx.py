"""Reads PowerPoint presentations: the slides that are shown, each with its notes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

import pptx
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

from citations.model import PlaceKind

from ..passages import SourceDocument, say_unread
from .office import check_office
from .outline import Outline, TableCell, clean_title

_SILENT: Final = frozenset(
    (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.SLIDE_NUMBER)
)
_TITLES: Final = frozenset((PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE))
_LISTS: Final = frozenset(
    (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY, PP_PLACEHOLDER.VERTICAL_OBJECT)
)
_SENTENCE: Final = 120
"""A longer paragraph is text, and not an item of a list."""
_DEPTH: Final = 20
"""Groups in groups beyond this depth are not read."""


def read(data: bytes) -> SourceDocument:
    """Read a PPTX or PPTM file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    check_office(data, ".ppt")
    source = pptx.Presentation(io.BytesIO(data))
    slides = list(source.slides)
    shown = [
        (number, slide)
        for number, slide in enumerate(slides, 1)
        if slide._element.get("show") not in ("0", "false")
    ]
    outline = Outline(PlaceKind.SLIDE, apart=True)
    for number, slide in shown:
        _add_slide(outline, number, slide)
    first = _read_title(shown[0][1]) if shown else ""
    unread = say_unread(len(slides) - len(shown), "hidden slide")
    return outline.build(clean_title(source.core_properties.title) or clean_title(first), unread)


def _add_slide(outline: Outline, number: int, slide: Any) -> None:
    outline.start_place(number)
    outline.end_headings()
    outline.add_heading(1, _read_title(slide))
    for shape in _list_shapes(slide.shapes, 0):
        _add_shape(outline, shape)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame):
        for paragraph in notes.text.split("\n"):
            outline.add_paragraph(_clean(paragraph))


def _read_title(slide: Any) -> str:
    title = slide.shapes.title
    return _clean(title.text_frame.text) if title is not None else ""


def _list_shapes(shapes: Any, depth: int) -> Iterator[Any]:
    """Yield the shapes that are shown, from top to bottom and from left to right.

    Those of a group come in its place.
    """
    shown = (one for one in shapes if one._element._nvXxPr.cNvPr.get("hidden") not in ("1", "true"))
    for shape in sorted(shown, key=lambda one: (one.top or 0, one.left or 0)):
        if shape.shape_type != MSO_SHAPE_TYPE.GROUP:
            yield shape
        elif depth < _DEPTH:
            yield from _list_shapes(shape.shapes, depth + 1)


def _add_shape(outline: Outline, shape: Any) -> None:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    if kind in _TITLES or kind in _SILENT:
        return
    if getattr(shape, "has_table", False) and shape.has_table:
        outline.add_cells([list(_read_cells(row)) for row in shape.table.rows])
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        outline.add_table(list(_read_chart(shape.chart)))
    elif shape.has_text_frame:
        for paragraph in shape.text_frame.paragraphs:
            text = _clean(paragraph.text)
            if kind in _LISTS and len(text) <= _SENTENCE:
                outline.add_item(text, paragraph.level)
            else:
                outline.add_paragraph(text)
        outline.end_list()


def _read_cells(row: Any) -> Iterator[TableCell]:
    """Yield the cells of a row without those that are merged into others."""
    for cell in row.cells:
        if not cell.is_spanned:
            yield TableCell(_clean(cell.text), cell._tc.gridSpan, cell._tc.rowSpan)


def _read_chart(chart: Any) -> Iterator[list[str]]:
    """Yield the numbers of a chart as rows, one for each category."""
    title = chart.chart_title.text_frame.text if chart.has_title and chart.chart_title.has_text_frame else ""
    for plot in chart.plots:
        series = list(plot.series)
        yield [_clean(title), *(one.name for one in series)]
        for index, category in enumerate(plot.categories):
            values = [one.values[index] if index < len(one.values) else None for one in series]
            yield [str(category), *("" if value is None else f"{value:.10g}" for value in values)]


def _clean(text: str) -> str:
    """A text on one line. PowerPoint writes a line break as a vertical tab."""
    return " ".join(text.split())
