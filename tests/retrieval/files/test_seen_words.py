"""What a person sees in a document is in the index, or named as unread; what the document hides is not.

Beside each document of ``tests/corpus/documents`` lie its words, one a line: as LibreOffice, Poppler or Chromium shows
them (``benchmarks/seen_words.py``), read over by a person. Behind a hyphen stand words that it hides or has struck
out. What LibreOffice shows although it is deleted, and cells that it cuts, were mended by hand.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from bot.retrieval.files import READERS, elements, read
from bot.retrieval.passages import UnreadableError

from ..seen_words import find_lost, find_lost_hashes, list_words, tell

CORPUS: Final = Path(__file__).parents[2] / "corpus"
DOCUMENTS: Final = sorted(one for one in (CORPUS / "documents").iterdir() if one.suffix != ".words")
PUBLIC: Final = "PUBLIC_DOCUMENTS"
"""The environment variable that names a folder with the public files of ``public_words.json``."""
UNREAD: Final = {
    "broken.docx": {"<new> element", "chart", "embedded document", "list of notes"},
    "broken.epub": {"chapter"},
    "kinds.xlsx": {"hidden row", "hidden sheet"},
    "kinds.eml": {"attachment"},
    "kinds.pptx": {"hidden slide"},
    "fonts.pdf": {"illegible line"},
}
"""What is named as unread in a document."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.name)
def test_every_word_of_a_document_and_no_other(document: Path) -> None:
    listed = Path(f"{document}.words").read_text("utf-8").splitlines()
    seen = {word for word in listed if not word.startswith("- ")}
    read_document = read(document.read_bytes(), document.name)
    said = tell(read_document)
    assert find_lost(seen, said) == []
    assert {word[2:] for word in listed if word.startswith("- ")} & list_words(said) == set()
    named = {re.sub(r"^1 | is not read$", "", words) for words in read_document.unread}
    assert named == UNREAD.get(document.name, set())


def test_sentences_are_whole() -> None:
    """Notes, comments and equations stand in their sentence, in the order in which a person reads them."""
    said = tell(read((CORPUS / "documents" / "kinds.docx").read_bytes(), "kinds.docx"))
    for sentence in (
        "Interns get a laptop. (Instead a tablet of 10 inches.) Guests get nothing. (Except coffee.)",
        "The gate is open. (Ada: Really always?)",
        "The yearly cost is C=12·250/4 euros, at most.",
        "The limit is 950 euros.",
        "Before the box.\n\nBoxed words are lavender.",
    ):
        assert sentence in said


def test_a_stamp_is_no_title() -> None:
    assert read((CORPUS / "documents" / "form.pdf").read_bytes(), "form.pdf").title == "Office lease"


def test_lists_have_the_labels_that_are_shown() -> None:
    said = {
        name: tell(read((CORPUS / "documents" / name).read_bytes(), name))
        for name in ("lists.docx", "lists.odt")
    }
    for item in ("- § 1 Members", "  - 1.1 Who may join", "    - (b) children", "      - ii. under ten"):
        assert item in said["lists.docx"]
    for item in ("1. Close windows\n  - a) kitchen", "3. Lock the door", "- IV. Locks", "- Umbrella"):
        assert item in said["lists.odt"]


@pytest.mark.parametrize("name", ["office", "odt", "html", "relationships"])
def test_each_name_of_a_schema_is_of_one_kind(name: str) -> None:
    """The names are those of ECMA-376 (transitional, which strict files are mapped to), of OpenDocument 1.3, and
    of the HTML standard with MathML Core and the texts of SVG."""
    schema = (CORPUS / "elements" / f"{name}.txt").read_text("utf-8").split()
    kinds = dict(elements._ELEMENTS[name])
    kinds |= kinds.pop("named", {})
    listed = [one for names in kinds.values() for one in names.split()]
    assert len(listed) == len(set(listed))
    assert set(schema) <= set(listed)


def list_public() -> Iterator[tuple[Path, str, list[str]]]:
    """Yield the public files that are there, each with its name and its hashed words."""
    folder = os.environ.get(PUBLIC)
    if not folder:
        pytest.skip(f"{PUBLIC} names no folder with public documents")
    known = json.loads((CORPUS / "public_words.json").read_text("utf-8"))
    for path in Path(folder).rglob("*"):
        if path.is_file() and (row := known.get(hashlib.sha256(path.read_bytes()).hexdigest())):
            yield path, row["name"], row["words"]


def test_public_documents_lose_nothing_in_silence() -> None:
    """At most 2 % of the files of a format lose two words or more without naming it, and 1 % are refused."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for path, _, words in list_public():
        suffix = path.suffix.lower()
        if suffix not in READERS or len(words) < 5:
            continue
        try:
            document = read(path.read_bytes(), path.name)
        except UnreadableError:
            files[suffix].append("refused")
            continue
        lost = find_lost_hashes(words, tell(document))
        files[suffix].append("lost" if len(lost) > 1 and not document.unread else "whole")
    results = [one for found in files.values() for one in found]
    assert results.count("refused") <= max(1, len(results) // 100), files
    assert results.count("lost") <= max(1, len(results) // 50), files
