"""Finds the section that a question names by its number: ``§ 12``, ``Art. 5``, ``3.2``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...languages import LANGUAGES

_SIGNS: Final = {
    kind: "|".join((*signs, *LANGUAGES.words_of("sections", kind)))
    for kind, signs in {"section": ("§+",), "article": (), "chapter": ()}.items()
}
"""What stands before a number, by the kind of section. Headings of one kind may use any of its signs."""
_PART: Final = "|".join(LANGUAGES.words_of("sections", "part"))
_NUMBER: Final = r"\d+(?:\.\d+)*[a-z]?"
_NAMED: Final = re.compile(
    "(?<!\\w)(?:"
    + "|".join(rf"(?P<{kind}>{signs})" for kind, signs in _SIGNS.items())
    + rf")\s*(?P<number>{_NUMBER})(?![\w])"
    + rf"(?:(?:[\s,–-]|\?\s+\w+\s)*(?:(?:{_PART})\s*(?P<part>\d+)|\((?P<in_brackets>\d+)\)))?",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"(?<![\w.,])\d{1,2}(?:\.\d{1,2}){1,3}(?!\w|[.,]\d|\s*[%€$£])")
"""A number such as ``3.2``, which may be a decimal as well."""
_VERSION: Final = re.compile(r"[A-ZÄÖÜ]\w*\s$")
_ASKING: Final = re.compile(rf"\b(?:{'|'.join(LANGUAGES.words_of('sections', 'asking'))})\b", re.IGNORECASE)
"""What a question about a section has beside its number, and names nothing in it."""


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """A section that a question names.

    ``name`` is how the question writes it. ``kind`` is a key of the table of signs, or None for a bare
    number, which may be a decimal. ``part`` is the number of a paragraph in it: ``§ 12 Abs. 2``. ``rest``
    is the question without the name and without words such as *says*.
    """

    name: str
    kind: str | None
    number: str
    part: str | None
    rest: str

    def begins(self, text: str) -> bool:
        """Whether a heading, or a text, begins with the section's sign and number: ``§ 12 Leave``."""
        return bool(re.match(rf"[\s*_#(]*{self._named}", text, re.IGNORECASE))

    def begins_without_sign(self, heading: str) -> bool:
        """Whether a heading begins with the number alone: ``3.2 Proxy`` or ``12. Leave``."""
        if self.kind == "article":
            return False
        end = "" if "." in self.number else "[.)]"
        return bool(re.match(rf"[\s*_#(]*{self._end}{end}", heading, re.IGNORECASE))

    def is_mentioned_in(self, text: str) -> bool:
        """Whether a text refers to this section."""
        return bool(re.search(rf"(?<!\w){self._named}", text, re.IGNORECASE))

    @property
    def _end(self) -> str:
        return rf"{re.escape(self.number)}(?!\w|[.,]\d)"

    @property
    def _named(self) -> str:
        return rf"(?:{_SIGNS[self.kind or 'section']})\s*{self._end}"


def find_section(question: str) -> SectionNumber | None:
    """The first section that a question names by its number; None where it names none.

    Of several questions that lean on each other, the last one that names a section counts.

    >>> find_section("What does § 12 say about overtime?").rest
    'What does    about overtime?'
    >>> find_section("Was regelt Art. 5 Abs. 2?").part
    '2'
    """
    kind: str | None = None
    start = 0
    named = list(_NAMED.finditer(question))
    if found := max(named, key=lambda one: question.count("?", 0, one.start()), default=None):
        start = question.rfind("?", 0, found.start()) + 1
        kind = next(kind for kind in _SIGNS if found[kind])
        number, part = found["number"].lower(), found["part"] or found["in_brackets"]
    else:
        bare = (one for one in _BARE.finditer(question) if not _VERSION.search(question[: one.start()]))
        if (found := next(bare, None)) is None:
            return None
        number, part = found[0], None
    rest = _ASKING.sub(" ", question[start : found.start()] + " " + question[found.end() :])
    name = re.sub(r"\?\s+\w+", "", found[0])
    return SectionNumber(name, kind, number, part, rest)


def begins_section(text: str) -> bool:
    """Whether a text begins with the sign and the number of any section."""
    return bool(_NAMED.match(text.lstrip(" \t*_#")))
