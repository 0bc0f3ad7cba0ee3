"""Checks packages before they are read: Office files and books, which are ZIP archives."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from ..passages import UnreadableError

UNPACKED: Final = 256_000_000
"""The most bytes that a document may unpack to, which stops decompression bombs."""
_PARTS: Final = 20_000
"""The most parts of a package."""
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of an encrypted document, and of one that Office before 2007 wrote."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_PASSWORD: Final = "StrongEncryptionDataSpace".encode("utf-16-le")


def check_office(data: bytes, old: str) -> None:
    """Check a file of Office; ``old`` is the suffix of its kind before 2007.

    Raises :class:`UnreadableError` for an encrypted or an old file, and as :func:`check_package`.
    """
    if not data.startswith(_OLE):
        check_package(data)
    elif _ENCRYPTED not in data:
        raise UnreadableError(f"it is of the old {old} format")
    # [MS-OFFCRYPTO] 2.3.4.4: the whole package is one stream, of this name, in an OLE container. The name
    # of the data space (2.2.2) says whether a password or a service protects it.
    elif _PASSWORD in data or b"<keyEncryptor " in data:
        raise UnreadableError("it is protected by a password")
    else:
        raise UnreadableError("it is encrypted")


def check_package(data: bytes) -> None:
    """Raise :class:`UnreadableError` for a package that unpacks to too much."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = packed.infolist()
    if sum(part.file_size for part in parts) > UNPACKED or len(parts) > _PARTS:
        raise UnreadableError(f"it unpacks to more than {UNPACKED // 1_000_000} MB")
