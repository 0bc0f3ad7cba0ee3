"""This module has the record that an index stores of each file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .scan import FolderFile


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


def take_times(known: KnownFile, new: KnownFile) -> KnownFile:
    """Return the record of a file with the times and the size of a new one."""
    return replace(known, modified=new.modified, size=new.size, changed=new.changed)


def is_unchanged(file: FolderFile, known: KnownFile | None) -> bool:
    """Return whether the times and the size of a file are those of its record."""
    if known is None:
        return False
    return (known.modified, known.size, known.changed) == (file.modified, file.size, file.changed)
