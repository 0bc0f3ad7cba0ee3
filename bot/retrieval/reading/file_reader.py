"""Reads one file of a folder as the record of the file and those of its passages.

It runs in a child process, so it imports as little as it can.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from ..files import read
from ..passages import (
    UNREADABLE,
    FileReading,
    FolderFile,
    KnownFile,
    SourceDocument,
    UnreadableError,
    find_questions,
    make_record,
    split_passages,
    write_entry,
)
from ..words import detect
from .folder_scan import read_bytes
from .limits import LONGEST_TEXT
from .own_labels import read_own_labels

_PASSAGES: Final = 20_000
"""The most passages of a document. As the longest text does, that keeps one file from filling the index."""


def read_file(folder: Path, file: FolderFile, sha256: str) -> FileReading:
    """Read ``file`` below ``folder``; ``sha256`` is the digest of the bytes that are known, or empty.

    A file that can't be read has no passages, and its record says why. Raises ``MemoryError`` alone.
    """
    new = make_record(file)
    try:
        data = read_bytes(file.locate(folder))
        new = replace(new, sha256=hashlib.sha256(data).hexdigest())
        if new.sha256 == sha256:
            return FileReading(new, None)
        return _read_document(read(data, file.path), read_own_labels(data, file.path), new)
    except UnreadableError as error:
        reason = str(error)
    except OSError as error:
        reason = f"it can't be opened ({error.strerror})"
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a parser's bug with one file must not stop the reading of the others
        # The error's own text may quote the document, so nothing of it is told.
        reason = "it is damaged"
    return FileReading(replace(new, reason=reason), ())


def read_labels(folder: Path, file: FolderFile) -> tuple[str, ...]:
    """The ids of the labels in a file's metadata; an unreadable one where the file can't be opened."""
    try:
        return read_own_labels(read_bytes(file.locate(folder)), file.path)
    except (OSError, UnreadableError):
        return (UNREADABLE,)


def _read_document(document: SourceDocument, labels: tuple[str, ...], new: KnownFile) -> FileReading:
    if len(document.text) > LONGEST_TEXT:
        raise UnreadableError(f"it has too much text (the limit is {LONGEST_TEXT:,} characters)")
    language = detect(document.text)
    passages = tuple(islice(split_passages(document, new.path, language), _PASSAGES + 1))
    if len(passages) > _PASSAGES:
        raise UnreadableError(f"it has too many passages (the limit is {_PASSAGES:,})")
    records = tuple(write_entry(passage).record for passage in passages)
    indexed = replace(
        new,
        title=document.title,
        language=language,
        passages=len(passages),
        digests=[record["digest"] for record in records],
        questions=find_questions(document),
        labels=labels,
        unread=document.unread,
    )
    return FileReading(indexed, records)
