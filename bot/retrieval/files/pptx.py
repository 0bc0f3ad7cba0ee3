"""Reads PowerPoint presentations: the slides that are shown, each with its notes (ECMA-376 part 1, 19)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from citations.model import PlaceKind

from ..document import SourceDocument
from .drawing import KINDS, choose, is_drawn, iter_drawn, read_words
from .elements import name_element
from .office import Package, open_office
from .outline import Outline, clean_title
from .shown import is_shown, read_attributes

_NUMBERS: Final = frozenset(("dt", "sldNum", "sldImg"))
_EDGES: Final = frozenset(("ftr", "hdr"))
"""Placeholders for what stands at the head or the foot of several slides."""
_TITLES: Final = frozenset(("title", "ctrTitle"))
_LISTS: Final = frozenset(("body", "obj"))
_DEPTH: Final = 20
"""Groups in groups beyond this depth are not read."""
_GROUP, _ALTERNATIVES, _PLACEHOLDER = map(name_element, ("p:grpSp", "mc:AlternateContent", "p:ph"))
_OFFSETS: Final = tuple(map(name_element, ("a:off", "p:off")))


def read(data: bytes) -> SourceDocument:
    """Read a PPTX or PPTM file. Raises ``UnreadableError`` where it is encrypted, or of the old format."""
    package, main, presentation = open_office(data, ".ppt", "ppt/presentation.xml", "p:presentation")
    reader, related = _SlideReader(package), package.relate(main)
    listed = list(presentation.iter(name_element("p:sldId")))
    for number, one in enumerate(listed, 1):
        with package.guard("slide"):
            reader.add_slide(number, related[one.get(name_element("r:id"))].part)
    return reader.build()


class _SlideReader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._outline = Outline(PlaceKind.SLIDE, apart=True)
        self._title: str | None = None
        self._said: set[str] = set()
        """The layouts and the words at the edges of slides that have been written: once is enough."""

    def build(self) -> SourceDocument:
        """The document of the slides so far."""
        title = self._package.read_title() or clean_title(self._title)
        return self._outline.build(title, self._package.unread)

    def add_slide(self, number: int, part: str) -> None:
        """Add a slide with its notes and comments; one that is hidden is named as unread."""
        slide, package = self._package.parse(part), self._package
        if not is_shown(read_attributes(slide)):
            package.unread["hidden slide"] += 1
            return
        behind = dict(self._find_behind(part))
        places = [_list_places(root) for root in behind.values()]
        shapes = list(self._list_shapes(slide, places))
        titles = (read_words(package, shape) for shape in shapes if _read_kind(shape) in _TITLES)
        title = next(titles, "")
        self._title = title if self._title is None else self._title
        self._outline.start_place(number)
        self._outline.end_headings()
        self._outline.add_heading(1, title)
        for shape in shapes:
            with package.guard("shape"):
                self._add_shape(shape, part, title)
        self._add_beside(part)
        if slide.get("showMasterSp") not in ("0", "false"):
            self._add_behind(behind)

    def _find_behind(self, part: str) -> Iterator[tuple[str, Any]]:
        """Yield the layout of a slide and the master of that."""
        for kind in ("slideLayout", "slideMaster"):
            part = next(self._package.find_related(part, kind), "")
            with self._package.guard("layout"):
                yield part, self._package.parse(part)

    def _add_shape(self, shape: Any, part: str, title: str) -> None:
        kind = _read_kind(shape)
        if kind in _NUMBERS or (kind in _TITLES and read_words(self._package, shape) == title):
            return
        if kind in _EDGES:
            self._add_once(read_words(self._package, shape))
            return
        self._add_drawn(shape, part, is_list=kind in _LISTS)

    def _add_drawn(self, shape: Any, part: str, *, is_list: bool) -> None:
        for drawn in iter_drawn(self._package, part, [shape]):
            drawn.add_to(self._outline, is_item=is_list)
        self._outline.end_list()

    def _add_once(self, words: str) -> None:
        if words not in self._said:
            self._said.add(words)
            self._outline.add_paragraph(words)

    def _add_beside(self, part: str) -> None:
        """Add the notes and the comments of a slide."""
        for notes in self._package.parse_related(part, "notesSlide", "page of notes"):
            for shape in self._list_shapes(notes, []):
                if _read_kind(shape) not in (*_NUMBERS, *_EDGES):
                    self._add_drawn(shape, part, is_list=False)
        for comments in self._package.parse_related(part, "comments", "list of comments"):
            for words in (*comments.iter("{*}text"), *comments.iter("{*}txBody")):
                self._outline.add_paragraph(read_words(self._package, words) or words.text or "")

    def _add_behind(self, behind: dict[str, Any]) -> None:
        """Add what stands on the layout and the master of a slide, at the first slide that shows it."""
        for part, root in behind.items():
            if part not in self._said:
                self._said.add(part)
                for shape in self._list_shapes(root, []):
                    if _read_kind(shape) is None:
                        self._add_shape(shape, part, "")
            if root.get("showMasterSp") in ("0", "false"):
                break

    def _list_shapes(self, root: Any, places: list[dict[str, tuple[int, int]]]) -> Iterator[Any]:
        """Yield the shapes of a slide that are shown, from top to bottom and from left to right."""
        tree = root.find(f"{name_element('p:cSld')}/{name_element('p:spTree')}")
        yield from self._sort_shapes(tree if tree is not None else (), places, 0)

    def _sort_shapes(self, tree: Any, places: list[dict[str, tuple[int, int]]], depth: int) -> Iterator[Any]:
        """Yield shapes by their places; those of a group come in its place."""
        shapes = [one for shape in tree for one in (choose(shape) if shape.tag == _ALTERNATIVES else [shape])]
        known = [one for one in shapes if self._package.find_kind(one, KINDS) == "container"]
        for shape in sorted(filter(is_drawn, known), key=lambda one: _find_place(one, places)):
            if shape.tag != _GROUP:
                yield shape
            elif depth < _DEPTH:
                yield from self._sort_shapes(shape, places, depth + 1)


def _list_places(root: Any) -> dict[str, tuple[int, int]]:
    """Where the placeholders of a layout or master stand, by their index and by their kind."""
    places: dict[str, tuple[int, int]] = {}
    for shape in root.iter(name_element("p:sp")):
        holder = next(shape.iter(_PLACEHOLDER), None)
        if holder is not None and (place := _read_place(shape)):
            places.setdefault(holder.get("type", "obj"), place)
            places.setdefault(holder.get("idx", "0"), place)
    return places


def _find_place(shape: Any, places: list[dict[str, tuple[int, int]]]) -> tuple[int, int]:
    """The place of a shape: its own, or that of its placeholder on a layout."""
    holder = None if shape.tag == _GROUP else next(shape.iter(_PLACEHOLDER), None)
    keys = () if holder is None else (holder.get("idx", "0"), holder.get("type", "obj"))
    inherited = (one[key] for one in places for key in keys if key in one)
    return _read_place(shape) or next(inherited, (0, 0))


def _read_place(shape: Any) -> tuple[int, int] | None:
    """The distances from the top and the left; None where a shape has the place of its placeholder."""
    for offset in shape.iter(*_OFFSETS):
        try:
            return int(offset.get("y", "0")), int(offset.get("x", "0"))
        except ValueError:
            return None
    return None


def _read_kind(shape: Any) -> str | None:
    """The kind of a placeholder; None for a shape that is none."""
    holder = next(shape.iter(_PLACEHOLDER), None)
    return None if holder is None else holder.get("type", "obj")
