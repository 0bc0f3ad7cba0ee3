"""The one gate for packages, which Office files and books are: readers get their parts from here alone.

Governing sources: ECMA-376 part 2 (parts and their relationships), and part 1, annex A (strict namespaces).
"""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final, NamedTuple
from urllib.parse import unquote

from lxml import etree

from ..document import UnreadableError
from .elements import list_names, name_element
from .outline import clean_title

UNPACKED: Final = 256_000_000
"""The most bytes that a document may unpack to, which stops decompression bombs."""
_PARTS: Final = 20_000
"""The most parts of a package."""
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of an encrypted document, and of one that Office before 2007 wrote."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_PASSWORD: Final = "StrongEncryptionDataSpace".encode("utf-16-le")
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)")
_KINDS: Final = ("text", "silent", "container")
_RELATED: Final = list_names("relationships", "read") | list_names("relationships", "silent")
"""The kinds of relationships that are known."""
XML: Final = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": True,
    "collect_ids": False,
}
"""How XML of strangers is parsed: nothing is fetched, and nothing expanded."""
_PARSER: Final = etree.XMLParser(**XML)


class Relationship(NamedTuple):
    """What a part refers to: ``kind`` is the last word of its type, such as ``header``."""

    kind: str
    part: str


class Package:
    """The parts of a package. What can't be read of it is counted in ``unread``, and the rest is read.

    Raises :class:`UnreadableError` for one that unpacks to too much, and ``BadZipFile`` for none.
    """

    def __init__(self, data: bytes) -> None:
        self._packed = zipfile.ZipFile(io.BytesIO(data))
        parts = self._packed.infolist()
        if sum(part.file_size for part in parts) > UNPACKED or len(parts) > _PARTS:
            raise UnreadableError(f"it unpacks to more than {UNPACKED // 1_000_000} MB")
        # Part names are compared without case (ECMA-376 part 2, 6.2.2.3). Some programs write backslashes.
        self._names = {part.filename.replace("\\", "/").lstrip("/").lower(): part for part in parts}
        self._related: dict[str, dict[str, Relationship]] = {}
        self.unread = Counter[str]()
        self.is_strict = False
        """Whether a part had strict namespaces, which were mapped."""

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._names

    def open(self, name: str) -> IO[bytes]:
        """Open a part. Strict namespaces are mapped. Raises ``KeyError`` where there is none."""
        part = self._names[name.lower()]
        with self._packed.open(part) as opened:
            is_strict = b"purl.oclc.org/ooxml/" in opened.read(8192)
        return io.BytesIO(self.read(name)) if is_strict else self._packed.open(part)

    def read(self, name: str) -> bytes:
        """The bytes of a part. Strict namespaces are mapped. Raises ``KeyError`` where there is none."""
        data = self._packed.read(self._names[name.lower()])
        mapped, count = _STRICT.subn(_map_namespace, data)
        self.is_strict = self.is_strict or count > 0
        return mapped

    def parse(self, name: str) -> Any:
        """The root element of a part."""
        return etree.fromstring(self.read(name), _PARSER)

    def find_main(self, usual: str) -> str:
        """The name of the main part of an Office file; ``usual`` where the package does not say it."""
        related = self.relate("").values() if "_rels/.rels" in self else ()
        return next((one.part for one in related if one.kind == "officeDocument"), usual)

    def relate(self, name: str) -> dict[str, Relationship]:
        """The relationships of a part to parts that are there, by their ids."""
        folder, _, own = name.rpartition("/")
        listed = posixpath.join(folder, "_rels", f"{own}.rels")
        if name in self._related:
            return self._related[name]
        found = self._related[name] = {}
        if listed not in self:
            return found
        with self.guard("list of relationships"):
            for one in self.parse(listed):
                target = unquote(one.get("Target", "").partition("#")[0]).replace("\\", "/")
                part = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                kind = one.get("Type", "").rpartition("/")[2]
                if one.get("TargetMode") != "External" and part in self:
                    found[one.get("Id", "")] = Relationship(kind, part)
                    self.unread[f"{kind} part"] += kind not in _RELATED
        return found

    def find_related(self, name: str, kind: str) -> Iterator[str]:
        """Yield the names of the parts that a part is related to by a kind of relationship."""
        yield from dict.fromkeys(one.part for one in self.relate(name).values() if one.kind == kind)

    def parse_related(self, name: str, kind: str, said: str) -> Iterator[Any]:
        """Yield the root elements of these parts; ``said`` is how one that can't be parsed is named."""
        for part in self.find_related(name, kind):
            with self.guard(said):
                yield self.parse(part)

    def find_kind(self, element: Any, kinds: Mapping[str, str]) -> str:
        """The kind of an element: ``text``, ``silent``, ``container`` or ``lost``.

        One that is named as unread is counted and lost, and so is one that is not known and has words.
        """
        kind = kinds.get(element.tag)
        if kind in _KINDS:
            return kind
        if not (kind or (isinstance(element.tag, str) and "".join(element.itertext()).strip())):
            return "silent"
        self.unread[kind or f"<{etree.QName(element).localname}> element"] += 1
        return "lost"

    @contextlib.contextmanager
    def guard(self, name: str) -> Iterator[None]:
        """Count what fails in the block as unread, under a name such as ``chart``: it ends nothing else."""
        try:
            yield
        except (MemoryError, UnreadableError):
            raise
        except Exception:  # noqa: BLE001 - a broken part raises whatever it likes
            self.unread[name] += 1

    def read_title(self) -> str | None:
        """The title in the file's properties, unless a program made it up."""
        with contextlib.suppress(etree.XMLSyntaxError, KeyError, zipfile.BadZipFile):
            for part in self.find_related("", "core-properties"):
                return clean_title(self.parse(part).findtext("{*}title"))
        return None

    def replace(self, name: str, data: bytes) -> bytes:
        """The package with other bytes in one of its parts."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as written:
            for one, part in self._names.items():
                written.writestr(part.filename, data if one == name.lower() else self.read(one))
        return packed.getvalue()


def open_office(data: bytes, old: str, usual: str, root: str) -> tuple[Package, str, Any]:
    """Open a file of Office, and return it with the name and the root element of its main part.

    ``old`` is the suffix of its kind before 2007, ``usual`` the name of the part where the package says none,
    and ``root`` that of the element. Raises :class:`UnreadableError` for any other file.
    """
    package = _open(data, old)
    main = package.find_main(usual)
    element = package.parse(main)
    if element.tag != name_element(root):
        raise UnreadableError("it is damaged")
    return package, main, element


def _open(data: bytes, old: str) -> Package:
    if not data.startswith(_OLE):
        return Package(data)
    if _ENCRYPTED not in data:
        raise UnreadableError(f"it is of the old {old} format")
    # [MS-OFFCRYPTO] 2.3.4.4: the whole package is one stream, of this name, in an OLE container. The name
    # of the data space (2.2.2) says whether a password or a service protects it.
    if not (_PASSWORD in data or b"<keyEncryptor " in data):
        raise UnreadableError("it is encrypted")
    with contextlib.suppress(Exception):  # a container that is damaged raises whatever it likes
        return Package(_decrypt(data))
    raise UnreadableError("it is protected by a password")


def _decrypt(data: bytes) -> bytes:
    """Decrypt a file with the password that Excel tries by itself (2.4.2.3): it asks nobody."""
    import msoffcrypto  # noqa: PLC0415 - few folders have such a file

    container, package = msoffcrypto.OfficeFile(io.BytesIO(data)), io.BytesIO()
    container.load_key(password="VelvetSweatshop")  # noqa: S106 - it is the same for all the world
    container.decrypt(package)
    return package.getvalue()


def _map_namespace(match: re.Match[bytes]) -> bytes:
    return b"http://schemas.openxmlformats.org/" + match[1] + b"/2006"
