"""The sentences of a rendering besides the answer, one for each occasion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The sentences of a rendering, in plain text. Each field's default is English.

    A name in braces (``{label}``) is a placeholder. All languages have the same placeholders.
    """

    accessed: str = ", accessed {day}"
    """The end of a source's title, where the day is known on which it was read."""
    ai: str = "AI"
    """The author of an answer whose provider is not known."""
    address_too_long: str = "its address is too long to be sent here"
    """In brackets behind a source whose URL no message can hold."""
    answer_cut: str = "… This answer is longer than one message can be: the rest of it is left out."
    answer_withheld: str = "This answer is not shown here, because its sensitivity label is {label}."
    answer_withheld_unknown: str = (
        "This answer is not shown here, because it ended before its sensitivity label was known."
    )
    both: str = "{first} and {last}"
    """Joins the last of several spoken names to the names before it."""
    document: str = "Document {number}"
    """The name of a source without one."""
    label: str = "Sensitivity label: {label}"
    line: str = ", line {first}"
    """The end of a source's title, for a passage of source code; the same for rows and slides below."""
    lines: str = ", lines {first}–{last}"
    more: str = "Reply MORE for the rest."
    more_or_number: str = "Reply MORE for the rest, or a number for a source."
    no_passage: str = "There is no passage of this source here."
    open: str = "Open {name}"
    """The text of the link to a whole document."""
    other_sources: str = "{count} other sources"
    """Spoken; ``count`` is at least 2."""
    page: str = ", p. {page}"
    """The end of a source's title."""
    pages: str = ", pp. {first}–{last}"
    """The same for a passage that stands on several pages."""
    passage_withheld: str = "This passage is not shown here, because its sensitivity label is {label}."
    quoted: str = "Quoted from the source"
    read_source: str = "You can read its source where it is kept:"
    """Behind ``answer_withheld``, before one number."""
    read_sources: str = "You can read its sources where they are kept:"
    """Behind ``answer_withheld``, before several numbers."""
    row: str = ", row {first}"
    rows: str = ", rows {first}–{last}"
    sheet: str = ", sheet {sheet}"
    """Before ``row`` or ``rows``, for a passage of a workbook."""
    searched: str = "{provider} searched these pages:"
    """Above a list of sources of which the answer may have used none."""
    slide: str = ", slide {first}"
    slides: str = ", slides {first}–{last}"
    source: str = "Source"
    """The title of a source about which nothing is known."""
    source_number: str = "Source {number}:"
    """Above a passage."""
    sources: str = "Sources"
    """Above the list of sources."""
    sources_said: str = "According to {sources}."
    """Spoken, at the end of an answer."""
    surfaced_with: str = "Surfaced with {provider}"
    """The author of the answer's words."""
    uncited: str = "{provider} did not say which source supports which statement. It answered from:"
    """Above a list of sources."""


ENGLISH: Final = Wording()
