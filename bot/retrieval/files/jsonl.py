"""This module reads JSON Lines: one record per line, as its text below its title, or as all of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from citations.model import PlaceKind

from ..passage import SourceDocument, UnreadableError, say_unread
from .decode import decode
from .outline import Outline

_TEXTS: Final = ("text", "content", "page_content", "body", "passage", "markdown", "answer")
"""The fields that hold the text of a record; the first one that does is read."""
_TITLES: Final = ("title", "heading", "headline", "subject", "question", "name")
_LONGEST_TITLE: Final = 200
_DEEPEST: Final = 4
"""Objects within objects beyond this depth are read as JSON."""


def read(data: bytes) -> SourceDocument:
    """Read a JSON Lines file. Raises :class:`UnreadableError` where no line is JSON."""
    outline = Outline(PlaceKind.LINE, apart=True)
    read_lines = bad = 0
    for number, line in enumerate(decode(data).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            bad += 1
            continue
        read_lines += 1
        outline.start_place(number)
        outline.end_headings()
        _add_record(outline, record)
    if not read_lines:
        raise UnreadableError("no line of it is JSON")
    return outline.build(unread=say_unread(bad, "damaged line"))


def _add_record(outline: Outline, record: Any) -> None:
    if not isinstance(record, Mapping):
        outline.add_paragraph(_write_value(record))
        return
    named = {str(name).casefold(): value for name, value in record.items()}
    title = next((named[name] for name in _TITLES if isinstance(named.get(name), str)), "")
    if title and len(title) <= _LONGEST_TITLE:
        outline.add_heading(1, title)
    text = next((named[name] for name in _TEXTS if isinstance(named.get(name), str)), "")
    if text.strip():
        outline.add_paragraph(text)
        return
    for name, value in _list_fields(record, "", 0):
        outline.add_item(f"{name}: {value}")
    outline.end_list()


def _list_fields(record: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the fields of a record that have a value, those of inner objects as ``outer.inner``."""
    for name, value in record.items():
        if isinstance(value, Mapping) and depth < _DEEPEST:
            yield from _list_fields(value, f"{prefix}{name}.", depth + 1)
        elif value not in (None, "", [], {}):
            yield f"{prefix}{name}", _write_value(value)


def _write_value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        return ", ".join(_write_value(one) for one in value)
    return json.dumps(value, ensure_ascii=False)
