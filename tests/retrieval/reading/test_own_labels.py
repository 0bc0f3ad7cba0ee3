"""The labels that Office and PDF files carry: read from their metadata, whatever wrote it."""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from bot.retrieval.document import UnreadableError
from bot.retrieval.files import read
from bot.retrieval.passages.known_file import UNREADABLE
from bot.retrieval.reading.own_labels import read_own_labels
from tests.retrieval.labelled_documents import ONE, TWO, add_parts, custom, label, word
from tests.retrieval.office_files import presentation, workbook

SAMPLES = Path(__file__).parents[3] / "bot" / "samples"


def label_info(*labels: str) -> str:
    """``docMetadata/LabelInfo.xml`` as Office writes it."""
    return (
        '<clbl:labelList xmlns:clbl="http://schemas.microsoft.com/office/2020/mipLabelMetadata">'
        f"{''.join(f'<clbl:label {label}/>' for label in labels)}</clbl:labelList>"
    )


WORD = {
    "none": ({}, ()),
    "custom properties": ({"docProps_custom": custom(label(ONE, Enabled="true", Name="Public"))}, (ONE,)),
    "switched off": ({"docProps_custom": custom(label(ONE, Enabled="False", Name="Public"))}, ()),
    "enabled isn't said": ({"docProps_custom": custom(label(ONE, Name="Public"))}, (ONE,)),
    "of two tenants": (
        {"docProps_custom": custom(label(TWO.upper(), Enabled="true") | label(ONE, Enabled="true"))},
        (ONE, TWO),
    ),
    "other properties": ({"docProps_custom": custom({"Client": "Acme", "MSIP_Label_x_Enabled": "true"})}, ()),
    "label list": (
        {"docMetadata_LabelInfo": label_info(f'id="{{{ONE}}}" enabled="1" method="Privileged" removed="0"')},
        (ONE,),
    ),
    "removed from the list": (
        {"docMetadata_LabelInfo": label_info(f'id="{{{ONE}}}" enabled="1" removed="1"')},
        (),
    ),
    "off in the list": ({"docMetadata_LabelInfo": label_info(f'id="{{{ONE}}}" enabled="0"')}, ()),
    "both": (
        {
            "docMetadata_LabelInfo": label_info(f'id="{{{ONE}}}" enabled="1"'),
            "docProps_custom": custom(label(TWO, Enabled="true")),
        },
        (ONE, TWO),
    ),
    "a nameless label": ({"docMetadata_LabelInfo": label_info('enabled="1"')}, (UNREADABLE,)),
    "cut off": ({"docMetadata_LabelInfo": label_info(f'id="{{{ONE}}}"')[:-9]}, (UNREADABLE,)),
    "no XML": ({"docProps_custom": ""}, (UNREADABLE,)),
    "without end": ({"docProps_custom": custom({"Long": "x" * 1_000_000})}, (UNREADABLE,)),
}


@pytest.mark.parametrize(("parts", "labels"), WORD.values(), ids=WORD)
def test_what_a_word_document_carries(parts: dict[str, str], labels: tuple[str, ...]) -> None:
    assert read_own_labels(word(**parts), "a.DOCX") == labels


def test_an_entity_is_not_read() -> None:
    written = custom(label(ONE, Enabled="&off;")).partition("?>")
    hostile = f'<!DOCTYPE Properties [<!ENTITY off "false">]>{written[2]}'
    assert read_own_labels(word(docProps_custom=hostile), "a.docx") == (ONE,)


def pdf(*, information: str = "", xmp: str = "", packed: bool = False) -> bytes:
    """A PDF of an empty page; ``packed`` puts its information and its XMP where they can't be seen."""
    metadata = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'>{xmp}</x:xmpmeta>".encode()
    filtered, how = (zlib.compress(metadata), b"/Filter /FlateDecode ") if packed else (metadata, b"")
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /Metadata 3 0 R >>",
        2: b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
        3: b"<< /Type /Metadata /Subtype /XML %s/Length %d >>\nstream\n%s\nendstream"
        % (how, len(filtered), filtered),
    }
    objects[5] = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    told = b"<< /Title (Limits) %s >>" % information.encode("latin-1")
    if packed:
        body = zlib.compress(b"4 0 " + told)
        objects[6] = (
            b"<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
            % (len(body), body)
        )
    else:
        objects[4] = told
    return _joined(objects, packed=packed)


def _joined(objects: Mapping[int, bytes], *, packed: bool) -> bytes:
    written, places = b"%PDF-1.5\n", {}
    for number, one in sorted(objects.items()):
        places[number] = len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(written)
    if not packed:
        table = b"".join(b"%010d 00000 n \n" % places[number] for number in range(1, 6))
        trailer = b"trailer\n<< /Size 6 /Root 1 0 R /Info 4 0 R >>\n"
        return (
            written
            + b"xref\n0 6\n0000000000 65535 f \n"
            + table
            + trailer
            + b"startxref\n%d\n%%%%EOF" % start
        )
    rows = [
        (0, 0, 255),
        *((1, places[number], 0) for number in (1, 2, 3)),
        (2, 6, 0),
        *((1, places[number], 0) for number in (5, 6)),
        (1, start, 0),
    ]
    table = b"".join(bytes([kind]) + place.to_bytes(4, "big") + bytes([more]) for kind, place, more in rows)
    head = b"<< /Type /XRef /Size 8 /W [1 4 1] /Root 1 0 R /Info 4 0 R /Length %d >>" % len(table)
    return written + b"7 0 obj\n%s\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF" % (
        head,
        table,
        start,
    )


UTF_16 = f"<FEFF{'true'.encode('utf-16-be').hex()}>"
PDF: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "none": ({}, ()),
    "information": ({"information": f"/MSIP_Label_{ONE}_Enabled (true) /MSIP_Label_{ONE}_Name (A)"}, (ONE,)),
    "off": ({"information": f"/MSIP_Label_{ONE}_Enabled (false) /MSIP_Label_{ONE}_Name (A)"}, ()),
    "UTF-16": ({"information": f"/MSIP_Label_{ONE}_Enabled {UTF_16}"}, (ONE,)),
    "XMP attribute": ({"xmp": f'<a pdfx:MSIP_Label_{ONE}_Enabled="true"/>'}, (ONE,)),
    "XMP element": ({"xmp": f"<pdfx:MSIP_Label_{ONE}_Enabled>True</pdfx:MSIP_Label_{ONE}_Enabled>"}, (ONE,)),
    "XMP of two, one as the value of the other": (
        {"xmp": f"<MSIP_Label_{ONE}_Enabled>MSIP_Label_{TWO}_Enabled>true<"},
        (ONE, TWO),
    ),
    "XMP off": ({"xmp": f'<a pdfx:MSIP_Label_{ONE}_Enabled="false"/>'}, ()),
    "they disagree": (
        {"information": f"/MSIP_Label_{ONE}_Enabled (false)", "xmp": f"<MSIP_Label_{ONE}_Enabled>true<"},
        (ONE,),
    ),
    "of two tenants": (
        {"information": f"/MSIP_Label_{TWO}_Enabled (true)", "xmp": f"<MSIP_Label_{ONE}_Enabled>true<"},
        (ONE, TWO),
    ),
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
@pytest.mark.parametrize(("parts", "labels"), PDF.values(), ids=PDF)
def test_what_a_pdf_carries(parts: dict[str, str], labels: tuple[str, ...], packed: bool) -> None:
    assert read_own_labels(pdf(**parts, packed=packed), "a.pdf") == labels


@pytest.mark.parametrize("keywords", ["", f"MSIP_Label_{ONE}_"])
def test_a_pdf_that_opens_without_a_password_is_searched_though_it_is_encrypted(keywords: str) -> None:
    written = io.BytesIO()
    canvas = Canvas(written, encrypt=StandardEncryption(userPassword="", ownerPassword="owner", canCopy=0))
    canvas.setKeywords(f"/{keywords}Enabled" if keywords else "limits")
    canvas.drawString(50, 50, "The limit is 5.")
    canvas.save()
    assert b"/Encrypt" in written.getvalue()
    assert ONE.encode() not in written.getvalue()
    assert read_own_labels(written.getvalue(), "a.pdf") == ((ONE,) if keywords else ())


@pytest.mark.parametrize("suffix", [".pptx", ".xlsx"])
def test_slides_and_sheets_carry_labels_as_word_documents_do(suffix: str) -> None:
    made = presentation(("A", [], "")) if suffix == ".pptx" else workbook(S=[["A"]])
    assert read_own_labels(made, f"a{suffix}") == ()
    with_properties = add_parts(made, docProps_custom=custom(label(ONE, Enabled="true")))
    assert read_own_labels(with_properties, f"a{suffix}") == (ONE,)
    with_list = add_parts(made, docMetadata_LabelInfo=label_info(f'id="{{{TWO}}}" enabled="1"'))
    assert read_own_labels(with_list, f"a{suffix}") == (TWO,)


MESSAGES = {
    "none": ("Subject: a", ()),
    "one": (f"msip_labels: MSIP_Label_{ONE}_Enabled=True;\n MSIP_Label_{ONE}_Name=Secret;", (ONE,)),
    "of two tenants": (f"Msip_Labels: MSIP_Label_{ONE}_Enabled=true; MSIP_Label_{TWO}_SetDate=x", (ONE, TWO)),
    "switched off": (f"msip_labels: MSIP_Label_{ONE}_Enabled=False", ()),
}


@pytest.mark.parametrize(("header", "labels"), MESSAGES.values(), ids=MESSAGES)
def test_what_a_message_carries(header: str, labels: tuple[str, ...]) -> None:
    assert read_own_labels(f"From: a\n{header}\n\nmsip_labels: x".encode(), "a.eml") == labels


def test_samples_and_other_formats_carry_none() -> None:
    for file in SAMPLES.iterdir():
        assert read_own_labels(file.read_bytes(), file.name) == ()
    assert read_own_labels(custom(label(ONE, Enabled="true")).encode(), "a.html") == ()


def test_an_encrypted_document_is_not_read() -> None:
    ole = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
    with pytest.raises(UnreadableError, match="it is encrypted"):
        read(ole + "EncryptedPackage".encode("utf-16-le"), "a.docx")
    with pytest.raises(UnreadableError, match=r"old \.doc"):
        read(ole, "a.docx")
    wrapper = (SAMPLES / "aurora-user-guide.pdf").read_bytes()
    with pytest.raises(UnreadableError, match="it is encrypted"):
        read(wrapper.replace(b"/Type /Catalog", b"/AF << /Type /EncryptedPayload >> /Type /Catalog"), "a.pdf")
