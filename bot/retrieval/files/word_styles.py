"""Reads properties, styles, lists and signs of a Word document (ECMA-376 part 1, 17.3, 17.4, 17.7, 17.9)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from .elements import list_signs, name_element, read_number
from .item_numbers import ListLevel
from .office import Package
from .shown import SWITCHES, StyleProperties, is_shown, read_switches

VALUE: Final = name_element("w:val")
_P, _TBL, _TR, _RUN, _STYLE = map(name_element, ("w:p", "w:tbl", "w:tr", "w:rPr", "w:style"))
_DEFAULT: Final = "/".join(map(name_element, ("w:docDefaults", "w:rPrDefault", "w:rPr")))
_HIDING: Final = [name_element(f"w:{name}") for name in SWITCHES]
_SHAPE, _DEPTH = map(name_element, ("w:abstractNumId", "w:ilvl"))
_STYLE_ID: Final = name_element("w:styleId")
_SYMBOLS: Final = dict(enumerate(list_signs("symbol", "lower"), 0x20)) | dict(
    enumerate(list_signs("symbol", "upper"), 0xA0)
)
"""The signs of the font *Symbol* (Unicode's table of Adobe's encoding), which Word has from U+F000 on."""
_OFF: Final = frozenset(("0", "false", "off", "none"))


def read_value(parent: Any, name: str) -> str:
    """The value of the child with a name; empty where there is none."""
    child = parent.find(name_element(name)) if parent is not None else None
    return (child.get(VALUE) or "") if child is not None else ""


def is_part_shown(part: Any) -> bool:
    """Whether Word shows a row or a cell of a table."""
    return is_shown(read_switches(part.find(name_element("w:trPr" if part.tag == _TR else "w:tcPr"))))


def read_count(properties: Any, name: str) -> int:
    """The number that the child with a name has; 0 where there is none."""
    return read_number(read_value(properties, name))


def read_switch(parent: Any, name: str) -> bool | None:
    """Whether an element such as ``w:vanish`` switches something on; None where it is not there."""
    switch = parent.find(name_element(name)) if parent is not None else None
    return None if switch is None else switch.get(VALUE, "1") not in _OFF


def find_list(properties: Any) -> Any:
    """The ``w:numPr`` in the properties of a paragraph; None where it is in no list."""
    return properties.find(name_element("w:numPr")) if properties is not None else None


def read_levels(root: Any) -> Iterator[tuple[tuple[str, int], ListLevel]]:
    """Yield the levels of the lists that a part defines, by the id of the list and the depth."""
    shapes = {one.get(_SHAPE): one for one in root.iterchildren(name_element("w:abstractNum"))}
    for one in root.iterchildren(name_element("w:num")):
        overrides = {
            other.get(_DEPTH): read_value(other, "w:startOverride")
            for other in one.iterchildren(name_element("w:lvlOverride"))
        }
        shape = read_value(one, "w:abstractNumId")
        for level in shapes[shape].iterchildren(name_element("w:lvl")) if shape in shapes else ():
            again = overrides.get(level.get(_DEPTH), "")
            start = read_number(again, read_number(read_value(level, "w:start"), 1))
            shown = read_value(level, "w:numFmt") or "decimal", read_value(level, "w:lvlText")
            place = one.get(name_element("w:numId"), ""), read_number(level.get(_DEPTH))
            yield place, ListLevel(shape, *shown, start, begins_anew=bool(again))


def read_choice(form: Any) -> str:
    """The entry of a list that is chosen in a form."""
    for chosen in form.iter(name_element("w:ddList")):
        entries = [one.get(VALUE, "") for one in chosen.iterchildren(name_element("w:listEntry"))]
        return "".join(entries[read_count(chosen, "w:result") :][:1])
    return ""


def read_symbol(element: Any) -> str:
    """A sign by its number in a font: those of *Symbol* are letters, those of others ornaments."""
    number = int(element.get(name_element("w:char"), "0"), 16)
    if number < ord(" ") or 0xE000 <= number <= 0xF8FF:
        is_known = element.get(name_element("w:font")) == "Symbol"
        return _SYMBOLS.get(number & 0xFF, "") if is_known else ""
    return chr(number)


def is_inline(picture: Any) -> bool:
    """Whether a picture, or a field, stands between the words and not beside them."""
    if picture.text and picture.text.strip():
        return bool(picture.text.split()[0].upper() == "EQ")
    style = picture.getparent().get("style")
    holder = next(picture.iterancestors(name_element("wp:inline")), None)
    return holder is not None if style is None else "absolute" not in style


def is_contents(control: Any) -> bool:
    """Whether a content control is the one that Word makes around a table of contents."""
    properties = control.find(name_element("w:sdtPr"))
    galleries = properties.iter(name_element("w:docPartGallery")) if properties is not None else ()
    return any(one.get(VALUE) == "Table of Contents" for one in galleries)


class WordStyles:
    """The styles of a document, and what they hide."""

    def __init__(self, package: Package, main: str) -> None:
        roots = list(package.parse_related(main, "styles", "list of styles"))
        self._styles = {one.get(_STYLE_ID): one for root in roots for one in root.iterchildren(_STYLE)}
        usual = (one for one in self._styles.values() if one.get(name_element("w:default")) in ("1", "true"))
        self._usual = {one.get(name_element("w:type")): one.get(_STYLE_ID, "") for one in usual}
        self._hide = any(next(root.iter(*_HIDING), None) is not None for root in roots)
        defaults = (one for root in roots for one in root.iterfind(_DEFAULT))
        self._default = read_switches(next(defaults, None))
        self._said = StyleProperties(
            self._styles, lambda one: (read_value(one, "w:basedOn"), read_switches(one.find(_RUN)))
        )

    def find(self, properties: Any) -> Any:
        """The style that the properties of a paragraph name; None where they name none."""
        return self._styles.get(read_value(properties, "w:pStyle"))

    def is_shown(self, run: Any) -> bool:
        """Whether Word shows a run, and does not strike it out (ECMA-376 part 1, 17.7.2)."""
        own = run.find(_RUN)
        said = read_switches(own)
        if self._hide:
            names = [
                read_value(one.find(name_element(f"w:{kind}Pr")), f"w:{kind}Style")
                or self._usual.get(usual, "")
                for tag, kind, usual in ((_TBL, "tbl", "table"), (_P, "p", "paragraph"))
                for one in islice(run.iterancestors(tag), 1)
            ]
            inherited = dict(self._default)
            for name in (*names, read_value(own, "w:rStyle")):
                inherited |= self._said.find(name)
            said = inherited | said
        return is_shown(said)
