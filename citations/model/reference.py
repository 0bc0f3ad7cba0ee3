"""One document, web page or passage that an answer may cite, and the place of a passage in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .sensitivity_label import SensitivityLabel, label_name
from .typed import TypeChecked


class PlaceKind(StrEnum):
    """What the numbers of a place count."""

    SLIDE = "slide"
    """The slides of a presentation."""
    ROW = "row"
    """The rows of a sheet or of a file of records."""
    LINE = "line"
    """The lines of a text file, such as source code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a passage stands: on slide 4, in rows 12 to 14 of a sheet, or in line 40.

    ``first`` and ``last`` count from 1. ``last`` is None where the passage ends where it begins.
    ``sheet`` is the name of the workbook's sheet, if the document has sheets.
    """

    kind: PlaceKind
    first: int
    last: int | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(TypeChecked):
    """A document, web page or passage that the provider found, as the provider describes it.

    None of it is trusted: names, URLs and texts are sanitized where they are rendered.
    """

    id: str
    """The name in a marker: ``1`` for ``[1]``, a file id or cite id for ``[name](id)``."""
    name: str | None = None
    """The title that the reader sees."""
    url: str | None = None
    """The address where the reader can open it. Without one it is a *non-URL citation* (Web Chat,
    CITATION.md § "Non-URL citation"), whose badge opens ``text``."""
    text: str | None = None
    """The passage that supports the answer, in Markdown."""
    page: int | None = None
    """The page of the passage, counted from 1."""
    last_page: int | None = None
    """The page on which the passage ends, where that is a later one than ``page``."""
    place: Place | None = None
    """The place of the passage in a document without pages, such as a slide or a row of a sheet."""
    label: str | SensitivityLabel | None = None
    """Its sensitivity label: an id or a name, which the catalogue knows; or the label itself, where a
    trusted provider sends it with each source, as Microsoft Purview's with Azure AI Search. No text, title
    or model may set one."""
    media_type: str | None = None
    """The MIME type, Schema.org ``encodingFormat``."""
    modified: str | None = None
    """The time of the last change, ISO 8601, Schema.org ``dateModified``."""
    accessed: str | None = None
    """When the provider read the source, ISO 8601. Its day ends the title, as in a bibliography."""
    editor: str | None = None
    """The author of the last change, Schema.org ``editor``."""
    document_url: str | None = None
    """The address of the whole document of a non-URL citation, which is linked below the passage."""
    document_name: str | None = None
    """The title of the whole document, if ``name`` has more than that, such as the heading above the
    passage. A heading is content: where a label withholds the passage, only the document is named."""
    extract: bool = False
    """Whether the reader has the usage right EXTRACT (Microsoft Purview). Without it, an encrypted
    reference shows its name and link only, and an answer made with it is withheld. Only the provider's
    own check of rights may set it."""
    only_named: bool = False
    """Whether the answer was made without the reference's text. Such a reference never withholds the
    answer."""
    complete: bool = False
    """Whether ``text`` is all of the source that the answer was made with, and no snippet of it. Only then
    may a number that ``text`` lacks be doubtful."""
    aliases: tuple[str, ...] = ()
    """All other ids and names that the provider gave, for the rules of a labels file. They are not shown,
    and no marker names a reference by them."""
    keywords: tuple[str, ...] = ()
    """What another bot's graph says of the source in single words: Teams has its label's name there."""
    ordinal: bool = False
    """Whether the library itself counted ``id``. No rule of a labels file matches such an id."""

    @property
    def label_name(self) -> str | None:
        """What its label is called, as far as the reference itself tells."""
        return label_name(self.label)
