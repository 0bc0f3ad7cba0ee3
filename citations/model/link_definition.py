"""Link reference definitions (CommonMark § 4.7): ``[1]: https://example.com "Title"``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ..text.line import MAX_TITLE, clean_name, clip
from ..text.url import MAX_URL, host_in_name, host_of, last_part, safe_url
from .citation import Citation, CitedAnswer
from .errors import Problem
from .reference import Place, PlaceKind, Reference
from .wording import Wording

_PAGES: Final = 1_000_000
"""No document has so many pages."""
_ROWS: Final = 1_000_000_000
"""No document has so many rows or lines."""
_SHOWN: Final = 100
"""Characters of an id or a URL that a problem quotes."""
_SHEET: Final = 31
"""The most characters of a sheet's name in Excel."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
ISO_DATE: Final = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
    r"(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)
"""A date, or a date and a time, of ISO 8601."""
_ENTITY: Final = re.compile(r"&(?=#?[0-9A-Za-z]{1,32};)")


@dataclass(frozen=True, slots=True)
class LinkDefinition:
    """One definition. ``label`` is the position, ``destination`` a safe URL or ``cite:<n>``.

    ``title`` is plain text of one line. It is the accessible name of Web Chat's badge.
    """

    label: str
    destination: str
    title: str

    def write(self) -> str:
        """The definition as one line of Markdown.

        Backslashes and quotes of the title are written as entities, which all readers decode alike.
        """
        title = _ENTITY.sub("&amp;", self.title).replace("\\", "&#92;").replace('"', "&quot;")
        return f"[{self.label}]: {self.destination}" + (f' "{title}"' if title else "")

    @property
    def is_url(self) -> bool:
        """False for a *non-URL citation* (CITATION.md § "Non-URL citation")."""
        return not self.destination.startswith("cite:")


def define(cited: CitedAnswer, wording: Wording, *, pages: bool = True) -> tuple[LinkDefinition, ...]:
    """The definition of each citation, in order of position.

    A reference without a safe URL gets ``cite:<n>``: "its link is ignored and treated as an opaque
    string" (CITATION.md). ``n`` counts only these. With ``pages``, the URL of a PDF ends in the page of
    the passage.
    """
    definitions: list[LinkDefinition] = []
    urls = [safe_url(one.reference.url) if one.reference.url else None for one in cited.citations]
    taken = {*urls}
    opaque = 0
    for citation, url in zip(cited.citations, urls, strict=True):
        if url is None:
            opaque += 1
        target = _with_page(url, citation.reference) if url and pages else url
        if target in taken:
            # Web Chat finds a badge's claim by its URL.
            target = url
        taken.add(target)
        definitions.append(
            LinkDefinition(
                str(citation.position), target or f"cite:{opaque}", title_of(citation, url, wording)
            )
        )
    return tuple(definitions)


_NO_LINK: Final = (
    "url-dropped",
    "link to",
    (
        "an absolute http or https address, without a user name, control characters, backslashes and an IPv6 "
        "address"
    ),
)
_NO_DATE: Final = ("date-dropped", "date", "a date of ISO 8601, such as 2024-05-03")
_FORMS: Final[Mapping[str, tuple[Callable[[str], object], tuple[str, str, str]]]] = {
    "url": (safe_url, _NO_LINK),
    "document_url": (safe_url, _NO_LINK),
    "modified": (ISO_DATE.fullmatch, _NO_DATE),
    "accessed": (_DAY.match, _NO_DATE),
}
"""What tells that a field can be shown, and what is said where it can't: a code, its name and its form."""


def report_dropped(cited: CitedAnswer) -> Iterator[Problem]:
    """The problems of URLs and dates of cited references that aren't shown, because of their form."""
    for citation in cited.citations:
        for field, (is_shown, (code, what, form)) in _FORMS.items():
            value: str | None = getattr(citation.reference, field)
            if not value or is_shown(value):
                continue
            # A quotation links a passage's document, which its reference has in another field.
            given = [getattr(one, field) for one in cited.references]
            index = given.index(value) if value in given else citation.position - 1
            name, shown = (clean_name(one, _SHOWN) for one in (citation.reference.id, value))
            message = f"reference {name!r} has no {what} {shown!r}: give it {form}"
            yield Problem(code, f"$.references[{index}].{field}", message)


def _with_page(url: str, reference: Reference) -> str:
    """``url`` with the page at which a viewer opens a PDF: ``#page=3`` (RFC 8118 § 3)."""
    page = reference.page or 0
    if not 0 < page < _PAGES or "#" in url:
        return url
    is_pdf = reference.media_type == "application/pdf" or urlsplit(url).path.lower().endswith(".pdf")
    paged = f"{url}#page={page}"
    return paged if is_pdf and len(paged) <= MAX_URL else url


def title_of(citation: Citation, url: str | None, wording: Wording) -> str:
    """The title that a reader sees: the source's name and place, else its host, else its id.

    A URL that is no link, such as ``s3://b/f.pdf``, gives its last part. A name that looks like the address
    of another host than the link's is none. An id that the library counted says nothing to a reader: such
    a source is "Document 1".
    """
    reference = citation.reference
    name = clean_name(reference.name or "")
    if not name or (url and _names_another_host(name, url)):
        part = "" if url else last_part(reference.url or "")
        counted = wording.document.format(number=citation.position)
        name = (
            host_of(url)
            if url
            else clean_name(part) or (counted if reference.ordinal else clean_name(reference.id))
        )
    end = end_of_title(reference, wording)
    return clip(name or wording.source, MAX_TITLE - len(end)) + end


def _names_another_host(name: str, url: str) -> bool:
    named = host_in_name(name)
    if named is None:
        return False
    own = (urlsplit(url).hostname or "").removesuffix(".")
    return named.removesuffix(".").removeprefix("www.") != own.removeprefix("www.")


def end_of_title(reference: Reference, wording: Wording) -> str:
    """The place and the day at the end of a title, such as ``, p. 3, accessed 2025-06-24``."""
    day = _DAY.match(reference.accessed or "")
    return _place_of(reference, wording) + (wording.accessed.format(day=day[0]) if day else "")


def pages_of(reference: Reference) -> tuple[int, int] | None:
    """The first and the last page of the passage; None if they are not plausible."""
    page, last = reference.page or 0, reference.last_page or 0
    if not 0 < page < _PAGES:
        return None
    return page, last if page < last < _PAGES else page


def _place_of(reference: Reference, wording: Wording) -> str:
    """The place of the passage; empty if it is not plausible."""
    pages = pages_of(reference)
    if pages is None:
        return _write_place(reference.place, wording) if reference.place else ""
    first, last = pages
    return wording.page.format(page=first) if first == last else wording.pages.format(first=first, last=last)


def _write_place(place: Place, wording: Wording) -> str:
    name = clean_name(place.sheet or "", _SHEET)
    sheet = wording.sheet.format(sheet=name) if name else ""
    first, last = place.first, place.last or 0
    if not 0 < first < _ROWS:
        return sheet
    one, several = {
        PlaceKind.SLIDE: (wording.slide, wording.slides),
        PlaceKind.ROW: (wording.row, wording.rows),
        PlaceKind.LINE: (wording.line, wording.lines),
    }[place.kind]
    return sheet + (several if first < last < _ROWS else one).format(first=first, last=last)
