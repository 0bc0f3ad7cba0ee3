"""Lists the files of a folder that can be read, with the metadata that shows a change, and opens them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from ..files import READERS, UNREAD
from ..passages import FolderFile, UnreadableError, count_words

ADDED: Final = ".added"
"""The directory of added files beside an index. A scan leaves out such names, so no folder has one."""
LARGEST: Final = 64_000_000
"""A file with more bytes is not read."""
LINK: Final = "it is a link that leads out of the folder, or nowhere"

_PACKAGES: Final = frozenset(("node_modules", "site-packages", "bower_components"))
"""Folders of software that programs install, with thousands of documents that the owner did not write."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not indexed; ``reason`` follows its name and a colon."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The files of a folder to index, and those that can't be indexed."""

    files: tuple[FolderFile, ...]
    skipped: tuple[Skipped, ...]


def scan(folder: Path, home: Path | None = None) -> Scan:
    """List a folder and the folders below it, in order of names, then the files added below ``home``.

    Hidden files, Word's lock files and links are left out. A link that leads out of the folder is
    reported as skipped; the target of another link is listed anyway. Files of other formats, such as
    pictures, are reported by their number, as ``*.png``. Raises ``OSError`` where the folder itself can't
    be listed: without its files, all documents would count as deleted.
    """
    listing = _scan_folder(folder)
    if home is None or not (home / ADDED).is_dir():
        return listing
    added = _scan_folder(home / ADDED)
    files = (replace(file, path=f"{ADDED}/{file.path}", root=str(home)) for file in added.files)
    skipped = (replace(file, path=f"{ADDED}/{file.path}") for file in added.skipped)
    return Scan((*listing.files, *files), (*listing.skipped, *skipped))


def read_bytes(file: Path) -> bytes:
    """The bytes of a file at a path without links.

    Raises ``OSError``, and :class:`UnreadableError` where it is too large, or a link has taken its place
    since the folder was listed: that may lead anywhere.
    """
    with file.open("rb") as opened:
        if file.resolve() != file or not os.path.samestat(os.fstat(opened.fileno()), file.lstat()):
            raise UnreadableError(LINK)
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:  # it has grown since the folder was listed
        raise UnreadableError("it is too large")
    return data


def _scan_folder(folder: Path) -> Scan:
    files: list[FolderFile] = []
    skipped: list[Skipped] = []
    others = Counter[str]()
    for entry, path in _iter_entries(folder, skipped):
        suffix = PurePosixPath(path).suffix.lower()
        if suffix in UNREAD:
            skipped.append(Skipped(path, f"the format {suffix} is not read ({UNREAD[suffix]})"))
        elif suffix in READERS:
            file = _check_file(entry, path)
            if isinstance(file, FolderFile):
                files.append(file)
            else:
                skipped.append(file)
        else:
            others[suffix] += 1
    for suffix, count in others.items():
        skipped.append(Skipped(f"*{suffix}", f"{count_words(count, 'file')} of a format that is not read"))
    return Scan(tuple(files), tuple(skipped))


def _iter_entries(folder: Path, skipped: list[Skipped]) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Yield the files below a folder, however deep, with their paths; note what is left out."""
    root = folder.resolve()
    waiting = [(entry, entry.name) for entry in _list_backwards(folder)]
    while waiting:
        entry, path = waiting.pop()
        if entry.name.startswith((".", "~$")):
            continue
        if (shown := path.encode(errors="replace").decode()) != path:  # Linux allows any bytes as a name
            skipped.append(Skipped(shown, "its name is not valid Unicode"))
        elif entry.name in _PACKAGES:
            skipped.append(Skipped(path, "it holds installed packages"))
        elif _leads_out(entry, root):
            skipped.append(Skipped(path, LINK))
        elif entry.is_dir(follow_symlinks=False):
            try:
                waiting += [(inner, f"{path}/{inner.name}") for inner in _list_backwards(entry)]
            except OSError as error:
                skipped.append(Skipped(f"{path}/", f"it can't be opened ({error.strerror})"))
        elif entry.is_file(follow_symlinks=False):
            yield entry, path


def _list_backwards(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as listing:
        return sorted(listing, key=lambda entry: entry.name, reverse=True)


def _leads_out(entry: os.DirEntry[str], root: Path) -> bool:
    """Whether an entry is a link, or on Windows a junction, out of ``root``; also if it is broken."""
    if not (entry.is_symlink() or (os.name == "nt" and entry.is_dir(follow_symlinks=False))):
        return False
    try:
        return not Path(entry.path).resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return True


def _check_file(entry: os.DirEntry[str], path: str) -> FolderFile | Skipped:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Skipped(path, f"it can't be opened ({error.strerror})")
    if status.st_size > LARGEST:
        size, limit = status.st_size // 1_000_000, LARGEST // 1_000_000
        return Skipped(path, f"it is too large ({size} MB; the limit is {limit} MB)")
    return FolderFile(path, status.st_mtime_ns, status.st_size, status.st_ctime_ns)
