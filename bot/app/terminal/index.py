"""``python app.py index``: what of a folder is read, and what is not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from citations.text import printable

from ...sources.folder import FORMATS, IndexReport, ListedDocument
from ..answer_source import create_folder
from ..settings import Settings
from .wait import wait_until_read

READ: Final = 0
NOTHING_READ: Final = 1
_WIDEST: Final = 60
"""One name of 200 characters makes no list that is as wide."""
_UNITS: Final = ("B", "KB", "MB", "GB")


async def index(settings: Settings) -> int:
    """Read the folder, print its documents and the skipped files, and return the exit code.

    That is 0, or 1 where the folder has no document that can be read. Raises ``OSError`` where the folder
    can't be read.
    """
    # The list needs no vectors: those of a large folder take an hour, or a request for each sentence.
    source = create_folder(settings.model_copy(update={"embeddings": None}), "")
    await source.open()
    try:
        await wait_until_read(source)
        documents, report = await source.list_documents(), source.report
    finally:
        await source.close()
    for line in describe_documents(documents, report):
        print(line)
    return READ if documents else NOTHING_READ


def describe_documents(documents: Sequence[ListedDocument], report: IndexReport) -> Iterator[str]:
    """Yield a line for each document, then one for each skipped file with its reason, and the sums."""
    width = min(max((len(printable(one.path)) for one, _ in documents), default=0), _WIDEST)
    for one in documents:
        yield f"{printable(one[0].path):{width}}  {describe_document(one)}"
    if report.skipped:
        yield ""
        yield "Not read:"
        yield from (f"{printable(one.path)}: {printable(one.reason)}" for one in report.skipped)
    yield ""
    if not documents and not report.skipped:
        yield f"The folder is empty. What is read: {', '.join(FORMATS)}"
    sums = (report.documents, "document"), (report.passages, "passage"), (len(report.skipped), "file")
    yield f"{', '.join(count(*one) for one in sums)} not read"


def describe_document(document: ListedDocument) -> str:
    """Say the size of a document, its passages, its title and its label."""
    file, reference = document
    label = f"  [{printable(reference.label_name)}]" if reference.label_name else ""
    title = printable(reference.name or "")
    return f"{write_size(file.size):>7}  {count(file.passages, 'passage'):<14} {title}{label}"


def count(number: int, noun: str) -> str:
    """Write a number of things, such as ``1 document``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def write_size(size: float) -> str:
    """Write a number of bytes in the largest unit that leaves at least 1, such as ``1.2 MB``."""
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit and size < 10 else f"{size:.0f} {_UNITS[unit]}"
