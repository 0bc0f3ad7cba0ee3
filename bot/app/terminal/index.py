"""``python app.py index``: what of a folder is read, and what is not, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from citations.text import printable

from ...sources.folder import IndexedFile, IndexStatus
from ..answer_source import create_folder
from ..settings import Settings
from .wait import wait_until_read

READ: Final = 0
NOTHING_READ: Final = 1
_UNITS: Final = ("B", "KB", "MB", "GB")


async def index(settings: Settings) -> int:
    """Read the folder, print its documents and the skipped files, and return the exit code.

    That is 0, or 1 where the folder has no document that can be read. Raises ``OSError`` where the folder
    can't be read.
    """
    source = create_folder(settings, "")
    await source.open()
    try:
        await wait_until_read(source)
        status = await source.status()
    finally:
        await source.close()
    for line in describe_status(status):
        print(line)
    return READ if status.files else NOTHING_READ


def describe_status(status: IndexStatus) -> Iterator[str]:
    """Yield a line for each document, then one for each skipped file with its reason, and the sums."""
    width = max((len(printable(one.path)) for one in status.files), default=0)
    for one in status.files:
        yield f"{printable(one.path):{width}}  {describe_file(one)}"
    if status.skipped:
        yield ""
        yield "Not read:"
        yield from (f"{printable(one.path)}: {printable(one.reason)}" for one in status.skipped)
    passages = sum(one.passages for one in status.files)
    yield ""
    documents, skipped = count(len(status.files), "document"), count(len(status.skipped), "file")
    yield f"{documents}, {count(passages, 'passage')}, {skipped} not read"


def describe_file(file: IndexedFile) -> str:
    """Say the size of a document, its passages, its label and its title."""
    label = f"  [{printable(file.label)}]" if file.label else ""
    return f"{write_size(file.size):>7}  {count(file.passages, 'passage'):<14} {printable(file.title)}{label}"


def count(number: int, noun: str) -> str:
    """Write a number of things, such as ``1 document``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write_size(size: float) -> str:
    """Write a number of bytes in the largest unit that leaves at least 1, such as ``1.2 MB``."""
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit and size < 10 else f"{size:.0f} {_UNITS[unit]}"
