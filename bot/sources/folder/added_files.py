"""Stores the files that this machine's user adds to a folder, in a directory beside its index.

The folder itself is never written to. An added file has the path ``.added/name`` in the index.
"""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO, Final

from ...retrieval.files import READERS
from ...retrieval.reading import ADDED, LARGEST

_LONGEST: Final = 200
"""A name has at most this many bytes. File systems take 255, and the index adds nothing to it."""
_PATH_SIGN: Final = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSAFE: Final = re.compile(r'[<>:"|?*]')
"""Characters that Windows does not allow in a name."""
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
"""Names that are devices on Windows, with any ending."""


class FormatError(ValueError):
    """Files of this format are not read."""


class SizeError(ValueError):
    """A file is larger than what is read."""


@dataclass(frozen=True, slots=True)
class AddedFiles:
    """The added files of one folder. ``home`` is the directory of its index; no other user can enter it."""

    home: Path

    @property
    def directory(self) -> Path:
        """The directory in which the files are; it may not exist yet."""
        return self.home / ADDED

    @contextmanager
    def write(self, name: str) -> Iterator[BoundedFile]:
        """Give a file to write. At the end of the block it gets its name, and replaces a file of that name.

        Where the block raises an error, nothing is stored. Raises :class:`OSError` where nothing can be.
        """
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.home.chmod(0o700)
        # A scan leaves out hidden files, so that no half of a file is read.
        descriptor, temporary = tempfile.mkstemp(prefix=".", dir=self.directory)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield BoundedFile(file)
            Path(temporary).replace(self.directory / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def holds(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return (self.directory / name).is_file()

    def remove(self, name: str) -> bool:
        """Delete the file of this name; return whether there was one."""
        try:
            (self.directory / name).unlink()
        except FileNotFoundError:
            return False
        return True


@dataclass(slots=True)
class BoundedFile:
    """A file that takes as many bytes as the index reads."""

    file: BinaryIO
    size: int = 0

    def write(self, data: bytes) -> None:
        """Write bytes. Raises :class:`SizeError` above the limit."""
        self.size += len(data)
        if self.size > LARGEST:
            raise SizeError
        self.file.write(data)


def clean_name(name: str) -> str:
    """The name under which a file is stored.

    Raises ``ValueError`` for a name that leads elsewhere or is hidden: one with a slash, ``..`` or a dot
    at its start. Raises :class:`FormatError` for an ending that is not read.

    >>> clean_name("Reise: Plan?.md")
    'Reise_ Plan_.md'
    """
    name = unicodedata.normalize("NFC", name)
    if _PATH_SIGN.search(name) or name.startswith((".", "~$")) or not name.strip():
        raise ValueError("the name of a file has no slash, no dot at its start and no control characters")
    file = PurePath(_UNSAFE.sub("_", name).strip())
    if file.suffix.lower() not in READERS:
        raise FormatError
    stem = f"_{file.stem}" if _DEVICE.match(file.name) else file.stem
    room = _LONGEST - len(file.suffix)
    short = stem.encode(errors="replace")[:room].decode(errors="ignore").rstrip(" .") or "_"
    return short + file.suffix
