"""The annotations by which OpenAI's interfaces, and those like them, cite: what each names, and where.

Governing source: OpenAI API reference, "Responses": ``url_citation``, ``file_citation``,
``container_file_citation`` and ``file_path``. Chat Completions, Assistants and Azure's agents have the same
fields one level deeper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ..model.reference import Reference
from .anchor import MeasuredText, TextRange
from .conversion import others
from .loose_json import Members, inner, number, text, title
from .source_address import describe_source
from .spanned_text import CitedRange, place_of
from .written_link import LinkIndex, is_mark

_MADE: Final = ("container_file_citation", "file_path")
_MARK_NAME: Final = re.compile(r"†(?P<name>[^】†]+)】")


class Annotation(NamedTuple):
    """One annotation: its source, and the words or the offsets that say where it is cited."""

    reference: Reference
    words: str
    """The mark in the text that the badge replaces; empty if the provider sends none."""
    start: int | None
    end: int | None
    point: int | None
    """The place of a ``file_citation``."""
    made: bool
    """Whether it names a file that the model made, which is no source."""

    @property
    def placed(self) -> bool:
        """Whether it says where it is cited. OpenRouter sends zeros, and xAI no offsets."""
        return bool(self.words or self.end or self.point is not None)


def read_annotation(data: Members, passages: Mapping[str, str]) -> Annotation | None:
    """An annotation; None if it names nothing. ``passages`` are those of files, by their ids."""
    kind = text(data, "type")
    deeper = next(
        (found for name in (kind, "url_citation", "file_citation") if (found := inner(data, name))), {}
    )
    fields = {**data, **deeper}
    words = text(data, "text")
    made = bool(kind in _MADE or text(fields, "container_id") or inner(data, "file_path"))
    reference = Reference(id="") if made else _reference(fields, words, passages)
    if reference is None:
        return None
    # LangChain calls a file citation's index "file_index".
    point = (
        number(data, "file_index", "index")
        if "start_index" not in data and "startIndex" not in data
        else None
    )
    start, end = number(fields, "start_index"), number(fields, "end_index")
    return Annotation(reference, words, start, end, point, made)


def _reference(fields: Members, words: str, passages: Mapping[str, str]) -> Reference | None:
    passage = title(fields, "content", "quote", "cited_text", "snippet")
    name = title(fields, "title", "filename", "file_name")
    if address := text(fields, "url", "uri").strip():
        return describe_source(address, name, text=passage)
    file = title(fields, "file_id", "filename", "file_name")
    if file is None:
        return None
    mark = _MARK_NAME.search(words)
    marked = mark["name"] if mark and mark["name"] != "source" else None
    return Reference(
        id=file,
        name=name or marked,
        text=passage or passages.get(file),
        aliases=others((text(fields, "file_id"),), file, name),
    )


def place_annotation(
    whole: MeasuredText, links: LinkIndex, annotation: Annotation, hidden: int
) -> tuple[TextRange | None, bool]:
    """Where in ``whole`` an annotation cites, and whether the words there are themselves the citation.

    The first ``hidden`` characters are the model's thoughts.
    The slice of a ``url_citation`` is the link that the model wrote. The documentation says that
    ``end_index`` is the last character; in all recorded responses it is the one behind.
    """
    start, end = annotation.start, annotation.end
    if annotation.words:
        return place_of(whole, CitedRange(annotation.words, start, end)), True
    if annotation.point is not None:
        return place_of(whole, CitedRange("", annotation.point, annotation.point)), True
    if not end:
        return None, False
    links.read(whole.text)
    if link := links.find(annotation.reference.id, start or 0, end, hidden):
        return link.place, True
    place = place_of(whole, CitedRange("", start, end))
    return place, bool(place and is_mark(whole.text[place.start : place.end]))
