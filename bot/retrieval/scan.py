"""A folder into the files that may be read: what there is, and whether it changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from .files import READERS, UNREAD

LARGEST: Final = 64_000_000
"""Bytes of the largest file that is read."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of the folder: its path with ``/``, when it last changed (ns since 1970) and its bytes.

    ``changed`` is when anything about it did. What labels files may put ``modified`` back, and a label
    of the same length leaves the size as it was. (On Windows it is when the file was made.)
    """

    path: str
    modified: int
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not indexed, and why, in words that follow its name and a colon."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What a folder holds: the files to index, and those that can't be."""

    files: tuple[FolderFile, ...]
    skipped: tuple[Skipped, ...]


def scan(folder: Path) -> Scan:
    """Look through a folder and those below it, in order of their names.

    Names that begin with a dot, Word's lock files, and links are left out: a link within the folder
    leads to what is found anyway, and one that leads out of it is named.
    """
    files: list[FolderFile] = []
    skipped: list[Skipped] = []
    for entry in _entries(folder, folder.resolve(), "", skipped):
        found = _look(*entry)
        if isinstance(found, FolderFile):
            files.append(found)
        elif found:
            skipped.append(found)
    return Scan(tuple(files), tuple(skipped))


def _entries(
    directory: Path, root: Path, prefix: str, skipped: list[Skipped]
) -> Iterator[tuple[os.DirEntry[str], str]]:
    try:
        with os.scandir(directory) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        skipped.append(Skipped(prefix or ".", f"it can't be opened ({error.strerror})"))
        return
    for entry in entries:
        path = f"{prefix}{entry.name}"
        if entry.name.startswith((".", "~$")):
            continue
        if _leads_away(entry, root):
            skipped.append(Skipped(path, "it is a link that leads out of the folder"))
        elif entry.is_dir(follow_symlinks=False):
            yield from _entries(Path(entry.path), root, path + "/", skipped)
        elif entry.is_file(follow_symlinks=False):
            yield entry, path


def _leads_away(entry: os.DirEntry[str], root: Path) -> bool:
    """Whether it is a link (or, on Windows, a junction) to somewhere else; a broken one leads nowhere."""
    is_link = entry.is_symlink() or (os.name == "nt" and entry.is_dir(follow_symlinks=False))
    if not is_link:
        return False
    try:
        return not Path(entry.path).resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return True


def _look(entry: os.DirEntry[str], path: str) -> FolderFile | Skipped | None:
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in UNREAD:
        return Skipped(path, f"the format {suffix} is not read (save it as PDF or DOCX)")
    if suffix not in READERS:
        return None
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Skipped(path, f"it can't be opened ({error.strerror})")
    if found.st_size > LARGEST:
        size, limit = found.st_size // 1_000_000, LARGEST // 1_000_000
        return Skipped(path, f"it is too large ({size} MB; the limit is {limit} MB)")
    return FolderFile(path, found.st_mtime_ns, found.st_size, found.st_ctime_ns)
