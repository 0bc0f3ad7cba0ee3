"""Reads source code unchanged, cut where functions, classes and the like begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from citations.model import PlaceKind

from ..document import Markup, SourceDocument, UnreadableError
from ..passages import count_indent, split_lines
from .decode import decode
from .sections import DocumentHeading, PlaceMarks, cut_sections

_LONGEST_LINE: Final = 5000
"""A file with a longer line is written by a program for a program."""
_DEEPEST: Final = 20
"""The most definitions within one another that are told apart."""
_CONTAINERS: Final = (
    "class|interface|struct|enum|trait|impl|module|namespace|protocol|extension|object|record|contract"
)
_DEFINITION: Final = re.compile(
    rf"""[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override
    |virtual|sealed|open|inline|unsafe|pub(?:\([^()]*\))?|data|case|partial|extern|declare|local|suspend)\s+)*
    (?:(?P<container>{_CONTAINERS})|def|function\*?|func|fun|fn|type|sub|proc
    |create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|trigger))
    \s+(?:\([^()]*\)\s*)?(?:<[^<>]*>\s*)?(?P<name>[\w$.:~?!]*[\w$?!])
    (?=\s*(?:[({{:<;=\[]|$)|\s+(?:extends|implements|inherits|for|where|as|is|begin|with|struct)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_ASSIGNED: Final = re.compile(
    r"[ \t]*(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]+)\s*=\s*(?:async\s*)?"
    r"(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)"
)
_TYPED: Final = re.compile(
    # ``int main(int argc, char **argv) {``
    r"[ \t]*(?!(?:return|else|if|for|while|switch|new|throw|await|yield|using|case)\b)"
    r"(?:[\w:<>,*&\[\]~]+[ \t]+){1,6}[*&]*(?P<name>[\w:~]+)[ \t]*\([^;{}]{0,200}\)[\w \t,]{0,60}\{?[ \t]*$"
)
_PRELUDE: Final = re.compile(r"[ \t]*(?:@|#|//|/\*|\*|--|\[\w)")
"""A comment, a decorator or an attribute. Above a definition it belongs to that."""
_CLOSING: Final = re.compile(r"[ \t]*(?:[)\]}]|end\b|\{|:)|[ \t]*$", re.IGNORECASE)


class _Scope(NamedTuple):
    """A definition whose lines go on: its columns of indentation, its whole name, what it may hold."""

    indent: int
    name: str
    is_container: bool


def read(data: bytes) -> SourceDocument:
    """Read source code. Raises :class:`UnreadableError` for bytes that are not text, and for packed code."""
    text = decode(data)
    lines = list(split_lines(text, 0, len(text)))
    if any(end - start > _LONGEST_LINE for start, end in lines):
        raise UnreadableError("it is packed for machines")
    places = PlaceMarks()
    for number, (start, _) in enumerate(lines, 1):
        places.add(start, number)
    sections = cut_sections(text, _find_definitions(text, lines))
    return SourceDocument(
        text=text,
        sections=tuple(part for section in sections for part in places.cut(section)),
        markup=Markup.CODE,
        place_kind=PlaceKind.LINE,
    )


def _find_definitions(text: str, lines: list[tuple[int, int]]) -> Iterator[DocumentHeading]:
    """Yield an empty heading where a definition begins, and one without a title where the last one ends."""
    scopes: list[_Scope] = []
    prelude: int | None = None
    for start, end in lines:
        line = text[start:end]
        if _PRELUDE.match(line):
            prelude = start if prelude is None else prelude
            continue
        indent = count_indent(line)
        if _CLOSING.match(line):
            prelude = None
            continue
        ended = [scope for scope in scopes if scope.indent >= indent]
        definition = _DEFINITION.match(line) or _ASSIGNED.match(line) or _TYPED.match(line)
        begin = start if prelude is None else prelude
        prelude = None
        scopes = scopes[: len(scopes) - len(ended)]
        if definition and len(scopes) < _DEEPEST and all(scope.is_container for scope in scopes):
            name = ".".join((*(scope.name for scope in scopes[-1:]), definition["name"]))
            scopes.append(_Scope(indent, name, bool(definition.groupdict().get("container"))))
            yield DocumentHeading(begin, begin, len(scopes), name)
        elif ended:
            yield DocumentHeading(begin, begin, len(scopes) + 1, "")
