"""The record that an index stores of each file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

UNREADABLE: Final = "a label that can't be read"
"""The id of a label whose metadata is damaged. No catalogue has it, so it counts as unknown."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of the folder: its path with ``/``, its times in nanoseconds since 1970, its size in bytes.

    ``changed`` is the time of the last change of content or metadata; on Windows, of the creation. It
    reveals a new label where a labelling tool resets ``modified`` and the label has the same length.
    ``root`` is the directory below which the path lies; it is empty for the folder itself.
    """

    path: str
    modified: int
    size: int
    changed: int
    root: str = ""

    def locate(self, folder: Path) -> Path:
        """Where the file is on the disk. The folder may be a link, and nothing in it is followed."""
        return Path(self.root or folder).resolve() / self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFile:
    """The record that the index stores of a file.

    ``modified`` and ``changed`` count nanoseconds since 1970, ``size`` bytes. ``digests`` are those of its
    passages. ``questions`` are pairs of rank and text. ``labels`` are the ids of the sensitivity labels in
    the file's metadata. ``reason`` says why the file was skipped, or is None. ``unread`` says
    what of the file was not read. ``indexed`` is the time at which it was read, in seconds since 1970; it
    is 0 in records of older versions.
    """

    path: str
    modified: int
    size: int
    changed: int
    sha256: str
    passages: int = 0
    digests: Sequence[int] = ()
    title: str | None = None
    language: str | None = None
    questions: Sequence[tuple[int, str]] = ()
    labels: Sequence[str] = ()
    reason: str | None = None
    unread: Sequence[str] = ()
    indexed: float = 0.0


@dataclass(frozen=True, slots=True)
class FileReading:
    """The record of a file, and the records of its passages, as :func:`.record.write_entry` writes them.

    ``passages`` is None where the file's bytes are those that were known.
    """

    record: KnownFile
    passages: tuple[dict[str, Any], ...] | None


def make_record(file: FolderFile, reason: str | None = None) -> KnownFile:
    """The record of a file of which nothing was read."""
    return KnownFile(
        path=file.path,
        modified=file.modified,
        size=file.size,
        changed=file.changed,
        sha256="",
        reason=reason,
        indexed=time.time(),
    )


def take_times(known: KnownFile, new: KnownFile) -> KnownFile:
    """The record of a file with the times and the size of a new one."""
    return replace(known, modified=new.modified, size=new.size, changed=new.changed)


def is_unchanged(file: FolderFile, known: KnownFile | None) -> bool:
    """Whether the times and the size of a file are those of its record."""
    if known is None:
        return False
    return (known.modified, known.size, known.changed) == (file.modified, file.size, file.changed)
