"""Reads the sensitivity labels in a file's metadata, and nothing of the file's content.

There are two governing sources. Microsoft Information Protection SDK, "Labeling metadata", defines
``MSIP_Label_<id>_Enabled`` among the properties of Office files and PDFs. The other is
[MS-OFFCRYPTO] § 2.6: it defines ``docMetadata/LabelInfo.xml``, which Office writes instead since 2021.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from email import policy
from email.parser import BytesHeaderParser
from itertools import chain
from pathlib import PurePath
from typing import Final

import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree

from ..files import LABELLED
from ..files.pdf import LOCK
from ..passages import UNREADABLE

_LARGEST: Final = 1_000_000
"""The most bytes that a part with labels may unpack to."""
_STREAMS: Final = 64_000_000
"""Total bytes that the streams of a PDF may unpack to. Above this its labels count as unreadable."""
_GUID: Final = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PROPERTY: Final = re.compile(rf"MSIP_Label_(?P<id>{_GUID})_(?P<name>\w+)")
_IN_PDF: Final = re.compile(
    rf"""MSIP_Label_({_GUID})_(?=(?:Enabled(?:\s*=\s*["']|>)\s*([A-Za-z]+))?)""".encode(),
)
"""A mention of a label, with what XMP says of it. The value is not consumed: another mention may be in it."""
_STREAM: Final = re.compile(rb"(?<!end)stream\r?\n")
_CHUNK: Final = 64_000
"""Bytes that are unpacked together."""
_HEAD: Final = 2000
"""Bytes before a stream in which its dictionary is sought (ISO 32000-2, 7.3.8)."""


def read_own_labels(data: bytes, path: str) -> tuple[str, ...]:
    """The ids of the labels in a file's metadata, in lower case, without disabled ones.

    A file can have a label for each of several tenants. :data:`UNREADABLE` is among the ids where the
    metadata can't be read, because such a file must not count as unlabelled.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in LABELLED:
        return ()
    find_labels = {".pdf": _find_in_pdf, ".eml": _find_in_message}.get(suffix, _find_in_office)
    try:
        return tuple(sorted(find_labels(data)))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - metadata that is damaged makes parsers fail in many ways
        return (UNREADABLE,)


def _find_in_office(data: bytes) -> set[str]:
    found = set[str]()
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        for part in packed.infolist():
            # Part names are compared without case (ECMA-376 part 2, 6.2.2.3).
            if part.filename.lower() == "docmetadata/labelinfo.xml":
                found |= _read_label_list(_parse(packed, part))
            elif part.filename.lower() == "docprops/custom.xml":
                properties = _parse(packed, part).iter("{*}property")
                found |= _read_properties(
                    (one.get("name") or "", "".join(one.itertext())) for one in properties
                )
    return found


def _parse(packed: zipfile.ZipFile, part: zipfile.ZipInfo) -> etree._Element:
    with packed.open(part) as opened:
        data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError("too large")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(data, parser)


def _read_label_list(root: etree._Element) -> set[str]:
    """The enabled ones of ``<label id="{guid}" enabled="1" removed="0"/>``, each of one tenant."""
    labels = [element for element in root.iter("{*}label") if element.get("removed") not in ("1", "true")]
    on = (element for element in labels if element.get("enabled") not in ("0", "false"))
    return {(element.get("id") or UNREADABLE).strip("{}").lower() for element in on}


def _read_properties(properties: Iterable[tuple[str, str]]) -> set[str]:
    """The labels of ``MSIP_Label_<id>_…``; one without ``Enabled`` counts as enabled."""
    labels: dict[str, bool] = {}
    for name, value in properties:
        if match := _PROPERTY.fullmatch(name):
            label = match["id"].lower()
            labels.setdefault(label, True)
            if match["name"] == "Enabled":
                labels[label] = value.strip().lower() != "false"
    return {label for label, on in labels.items() if on}


def _find_in_message(data: bytes) -> set[str]:
    """The labels of the header ``msip_labels``: ``MSIP_Label_<id>_Enabled=true; …``."""
    header = BytesHeaderParser(policy=policy.compat32).parsebytes(data)
    written = ";".join(str(value) for value in header.get_all("msip_labels", ()))
    pairs = (one.partition("=") for one in "".join(written.split()).split(";"))
    return _read_properties((name, value) for name, _, value in pairs)


def _find_in_pdf(data: bytes) -> set[str]:
    with LOCK:
        source = pypdfium2.PdfDocument(data)
        try:
            plain = _decrypt(source) if b"/Encrypt" in data else data
            labels: dict[str, set[str]] = defaultdict(set)
            for piece in chain([plain], _unpack(plain)):
                for mention in _IN_PDF.finditer(piece):
                    labels[mention[1].decode()].add((mention[2] or b"").decode())
            return {label.lower() for label, xmp in labels.items() if not _is_off(label, xmp, source)}
        finally:
            source.close()


def _decrypt(source: pypdfium2.PdfDocument) -> bytes:
    """Save a copy without encryption, which even a PDF that opens without a password can have."""
    copy = io.BytesIO()
    source.save(copy, flags=pdfium.FPDF_REMOVE_SECURITY)
    return copy.getvalue()


def _is_off(label: str, xmp: set[str], source: pypdfium2.PdfDocument) -> bool:
    """Whether every mention of a label, in the document information and XMP, disables it."""
    information = source.get_metadata_value(f"MSIP_Label_{label}_Enabled")
    return {value.strip().lower() for value in (*xmp, information) if value} == {"false"}


def _unpack(data: bytes) -> Iterator[bytes]:
    """Unpack the streams that can hold metadata: XMP, and object streams."""
    remaining = _STREAMS
    for match in _STREAM.finditer(data):
        head = data[max(0, match.start() - _HEAD) : match.start()].rpartition(b"obj")[2]
        if b"/FlateDecode" not in head or not (b"/ObjStm" in head or b"/Metadata" in head):
            continue
        unpacked = _inflate(data, match.end(), remaining)
        remaining -= len(unpacked)
        if remaining <= 0:
            raise ValueError("too large")
        yield unpacked


def _inflate(data: bytes, start: int, most: int) -> bytes:
    """Unpack a stream, or its first ``most`` bytes. What stands behind the stream is not copied."""
    stream, unpacked = zlib.decompressobj(), bytearray()
    for offset in range(start, len(data), _CHUNK):
        unpacked += stream.decompress(data[offset : offset + _CHUNK], most - len(unpacked))
        if stream.eof or len(unpacked) >= most:
            break
    return bytes(unpacked)
