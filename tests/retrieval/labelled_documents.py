"""Documents that carry labels, as Office writes them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import docx

ONE = "1f0c9a2b-0000-4000-8000-00000000000a"
TWO = "2f0c9a2b-0000-4000-8000-00000000000b"


def word(text: str = "The yearly limit of travel is 5.", /, **parts: str) -> bytes:
    """A Word document with these parts besides, ``docProps_custom`` for ``docProps/custom.xml``."""
    made = io.BytesIO()
    document = docx.Document()
    document.add_paragraph(text)
    document.save(made)
    return add_parts(made.getvalue(), **parts)


def add_parts(package: bytes, /, **parts: str) -> bytes:
    """A file of Office with these parts besides."""
    made = io.BytesIO(package)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as packed:
        for name, written in parts.items():
            packed.writestr(f"{name.replace('_', '/')}.xml", written)
    return made.getvalue()


def custom(properties: Mapping[str, str]) -> str:
    """``docProps/custom.xml`` as Office writes it."""
    written = "".join(
        f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="{number}" name="{name}">'
        f"<vt:lpwstr>{value}</vt:lpwstr></property>"
        for number, (name, value) in enumerate(properties.items(), 2)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" '
        'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
        f"{written}</Properties>"
    )


def label(identifier: str, **properties: str) -> dict[str, str]:
    return {f"MSIP_Label_{identifier}_{name}": value for name, value in properties.items()}
