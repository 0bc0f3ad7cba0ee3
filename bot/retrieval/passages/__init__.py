"""What is read of a document: passages, their sentences, and what is stored of them.

``passage`` has the values; ``split`` makes passages of a document, and ``sentences`` units of a passage.
``markdown`` writes both, by ``unit_line`` and ``inline``. ``record`` and ``known_file`` are what an index
stores.
"""

from __future__ import annotations

from ..document import Markup, Section, SourceDocument, UnreadableError, count_words, find_fence, say_unread
from .anchor import VIEW, Anchor, CitedWords, read_anchor
from .inline import split_cells, strip_markup, write_headings
from .known_file import UNREADABLE, FileReading, FolderFile, KnownFile, is_unchanged, make_record, take_times
from .lines import BULLET, count_indent, reads_as_prose, split_lines
from .markdown import find_rest, write_passage, write_sentence
from .passage import Passage
from .record import (
    PASSAGE,
    IndexedPassage,
    compute_digest,
    compute_passage_digest,
    read_entry,
    read_json,
    read_record,
    write_context,
    write_entry,
    write_json,
)
from .sentences import LONGEST, Unit, group_units
from .split import join_sections, split_passages, split_text
from .titles import ASKING, find_questions, is_same_title, name_documents

__all__ = [
    "ASKING", "BULLET", "LONGEST", "PASSAGE", "UNREADABLE", "VIEW", "Anchor", "CitedWords",
    "FileReading", "FolderFile", "IndexedPassage", "KnownFile", "Markup", "Passage", "Section",
    "SourceDocument", "Unit", "UnreadableError", "compute_digest", "compute_passage_digest",
    "count_indent", "count_words", "find_fence", "find_questions", "find_rest", "group_units",
    "is_same_title", "is_unchanged", "join_sections", "make_record",
    "name_documents", "read_anchor", "read_entry", "read_json", "read_record", "reads_as_prose",
    "say_unread", "split_cells", "split_lines", "split_passages", "split_text", "strip_markup", "take_times",
    "write_context", "write_entry", "write_headings", "write_json", "write_passage",
    "write_sentence",
]  # fmt: skip
