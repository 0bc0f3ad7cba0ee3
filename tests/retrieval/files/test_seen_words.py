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
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.retrieval.document import UnreadableError
from bot.retrieval.files import FORMATS, elements, read

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


def test_a_pdf_of_illegible_fonts_alone_says_so() -> None:
    data = (CORPUS / "documents" / "fonts.pdf").read_bytes()
    content = data.index(b"stream\nBT /H")
    words = data.index(b"/S 10 Tf", content)
    shown = data[content:words].replace(b"Tj", b"  ")
    with pytest.raises(UnreadableError, match="its fonts do not say which letters they show"):
        read(data[:content] + shown + data[words:], "fonts.pdf")


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


def read_public() -> dict[str, dict[str, Any]]:
    """The list of public files by their digests: their origin, and hashes of words that other programs show.

    ``lost`` are those of them that the readers did not have when the list was made, with the reason, which a
    script gave by the kind of file; most of them were looked at. So the test below says that nothing more is lost; how much is lost at all is said in
    ``docs/folder.md``, of files that were read once.
    """
    listed: dict[str, dict[str, Any]] = json.loads((CORPUS / "public_words.json").read_text("utf-8"))
    return listed


UNLISTED: Final = {".mdx", ".tsv", ".pptm", ".xlsm"}
"""Formats of which the list has no public file: each is read as another one is."""


def test_the_list_of_public_files_has_all_formats() -> None:
    names = Counter(Path(row["name"]).suffix.lower() for row in read_public().values())
    assert names.total() >= 300
    unknown = set(FORMATS) - UNLISTED - set(names)
    assert not unknown, "benchmarks/seen_words.py lists the words of public files; else it is UNLISTED"


def list_public() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the public files that are there, each with its row of the list."""
    folder = os.environ.get(PUBLIC)
    if not folder:
        pytest.skip(f"{PUBLIC} names no folder with public documents")
    known = read_public()
    for path in Path(folder).rglob("*"):
        if path.is_file() and (row := known.get(hashlib.sha256(path.read_bytes()).hexdigest())):
            yield path, row


def test_public_documents_lose_no_more_than_they_did() -> None:
    """At most 2 % of the files lose two more words without naming it, and 1 % are newly refused."""
    results: defaultdict[str, list[str]] = defaultdict(list)
    for path, row in list_public():
        try:
            document = read(path.read_bytes(), path.name)
        except UnreadableError:
            results["whole" if "refused" in row else "refused"].append(path.name)
            continue
        lost = set(find_lost_hashes(row["words"], tell(document))) - set(row.get("lost", ()))
        results["lost" if len(lost) > 1 and not document.unread else "whole"].append(path.name)
    count = sum(map(len, results.values()))
    assert len(results["refused"]) <= max(1, count // 100), results["refused"]
    assert len(results["lost"]) <= max(1, count // 50), results["lost"]
