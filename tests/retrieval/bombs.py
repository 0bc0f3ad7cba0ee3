"""Small files that cost much to read: each would stop, starve or fill a program that reads it by itself.

    python -m tests.retrieval.bombs DIRECTORY

writes them all.
"""

from __future__ import annotations

import io
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

_WORD: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES: Final = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument'
    '.wordprocessingml.document.main+xml"/></Types>'
)
_LINKS: Final = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/></Relationships>'
)


def _word(body: str, before: str = "", **parts: bytes) -> bytes:
    """A Word file whose body is ``body``, with further parts."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _LINKS)
        document = f'{before}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
        for name, data in parts.items():
            archive.writestr(f"word/{name}.xml", data)
    return packed.getvalue()


def _lying_word() -> bytes:
    """A Word file whose directory says that its text has 100 bytes; it has 150 MB."""
    data = _word(" " * 150_000_000)
    entry = data.rindex(b"word/document.xml") - 46
    return data[: entry + 24] + (100).to_bytes(4, "little") + data[entry + 28 :]


def _pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, numbered from 1; the first one is the catalogue."""
    data, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        data
        + b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (
            len(places) + 1,
            table,
            len(places) + 1,
            len(data),
        )
    )


def _stream(data: bytes, head: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    return b"<<%b/Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream" % (head, len(packed), packed)


_FONT: Final = b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"


def _one_page(content: bytes, box: bytes = b"[0 0 600 800]", resources: bytes = _FONT) -> tuple[bytes, ...]:
    return (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox%b/Resources%b/Contents 4 0 R>>" % (box, resources),
        _stream(content),
    )


def _nested_forms() -> bytes:
    """Eight levels of forms, of which each draws the next ten times: a hundred million texts."""
    levels = 8
    forms = [
        _stream(
            b"/X Do " * 10 if level < levels - 1 else b"BT /F 9 Tf (a) Tj ET",
            b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>/Font<</F<</Type/Font"
            b"/Subtype/Type1/BaseFont/Helvetica>>>>>>" % (6 + level),
        )
        for level in range(levels)
    ]
    return _pdf(*_one_page(b"/X Do", resources=b"<</XObject<</X 5 0 R>>>>"), *forms)


def _many_fields() -> bytes:
    """A form of eight pages, each with three thousand fields."""
    pages, fields = 8, 3000
    shown = _stream(b"BT /F 6 Tf 1 2 Td (value) Tj ET", b"/Type/XObject/Subtype/Form/BBox[0 0 50 10]")
    field = b"<</Type/Annot/Subtype/Widget/FT/Tx/V(value)/Rect[9 9 59 19]/F 4/AP<</N 4 0 R>>>>"
    kids = b" ".join(b"%d 0 R" % (5 + number) for number in range(pages))
    first = 5 + pages
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources%b/Contents 3 0 R/Annots[%b]>>"
    listed = (
        b" ".join(b"%d 0 R" % (first + number * fields + one) for one in range(fields))
        for number in range(pages)
    )
    return _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, pages),
        _stream(b"BT /F 9 Tf 50 700 Td (Many fields) Tj ET"),
        shown,
        *(page % (_FONT, one) for one in listed),
        *[field] * (pages * fields),
    )


def _many_labels() -> bytes:
    """A document's metadata that names thirty thousand labels."""
    labels = b"".join(
        b'MSIP_Label_%08x-0000-0000-0000-000000000000_Enabled="true" ' % number for number in range(30_000)
    )
    return _pdf(*_one_page(b"BT /F 9 Tf 50 700 Td (Labelled) Tj ET"), _stream(labels, b"/Type/Metadata"))


def _laughs() -> str:
    """Entities that stand for each other: a billion laughs."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE d [<!ENTITY e0 "ha">{entities}]>'


DEFUSED: Final[Mapping[str, Callable[[], bytes]]] = {
    "columns.docx": lambda: _word(
        "<w:tbl>"
        + '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000"/></w:tcPr><w:p/></w:tc></w:tr>' * 50
        + "</w:tbl><w:p><w:r><w:t>Columns</w:t></w:r></w:p>"
    ),
    "huge-page.pdf": lambda: _pdf(*_one_page(b"BT /F 9 Tf 50 700 Td (Huge) Tj ET", b"[0 0 1e30 1e30]")),
    "labels.pdf": _many_labels,
    "fields.pdf": _many_fields,
    "comments.html": lambda: b"<p>Comments</p>" + b"<!--" * 150_000,
    "declarations.html": lambda: b"<p>Declarations</p>" + b"<!" * 300_000,
    "deep.html": lambda: b"<div><ul><li>" * 30_000 + b"Deep",
    "spaces.md": lambda: b"# a" + b" " * 500_000 + b"b\n\nSpaces",
    "initials.txt": lambda: b"Dr. A. B. C. " * 40_000,
    "word.txt": lambda: b"a" * 2_000_000,
}
"""Files that a reader could take forever to read; ours take a second at most."""

BOMBS: Final[Mapping[str, Callable[[], bytes]]] = {
    "forty-million-paragraphs.docx": lambda: _word("<w:p/>" * 40_000_000),
    "two-million-paragraphs.docx": lambda: _word("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 2_000_000),
    "zeros.docx": lambda: _word("<w:p/>", media=b"\0" * 300_000_000),
    "lying-directory.docx": _lying_word,
    "billion-laughs.docx": lambda: _word("<w:p><w:r><w:t>&e9;</w:t></w:r></w:p>", _laughs()),
    "deep.docx": lambda: _word("<w:p>" * 200_000 + "</w:p>" * 200_000),
    "forms.pdf": _nested_forms,
    "operators.pdf": lambda: _pdf(*_one_page(b"BT /F 9 Tf" + b"(abcdefghij)Tj " * 3_000_000 + b"ET")),
    "unpacked.pdf": lambda: _pdf(*_one_page(b" " * 300_000_000)),
    "circle-of-pages.pdf": lambda: _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000000>>"
    ),
    "endless.txt": lambda: b"All work and no play. " * 500_000,
}
"""Files of which nothing can be read: the name of each, and what makes its bytes."""


def write_bombs(directory: Path) -> None:
    """Write all bombs."""
    for name, make in {**DEFUSED, **BOMBS}.items():
        (directory / name).write_bytes(make())


if __name__ == "__main__":
    write_bombs(Path(sys.argv[1]))
