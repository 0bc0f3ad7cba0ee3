"""This module reads one file of a folder as the record of the file and its passages."""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path

from citations.text import printable

from .files import read
from .language import detect
from .own_labels import read_own_labels
from .part import KnownFile
from .passage import Passage, UnreadableError
from .record import compute_passage_digest
from .scan import FolderFile
from .split import split_passages
from .suggestions import find_questions

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileReading:
    """The record of a file, and its passages; None where its bytes are those of the known record."""

    record: KnownFile
    passages: tuple[Passage, ...] | None


def read_file(folder: Path, file: FolderFile, known: KnownFile | None) -> FileReading:
    """Read ``file`` below ``folder``; ``known`` is what is stored of it.

    A file that can't be read has no passages, and its record says why. No error is raised.
    """
    new = KnownFile(
        path=file.path,
        modified=file.modified,
        size=file.size,
        changed=file.changed,
        sha256="",
        indexed=time.time(),
    )
    try:
        data = (folder / file.path).read_bytes()
        new = replace(new, sha256=hashlib.sha256(data).hexdigest())
        if known and known.sha256 == new.sha256:
            same = replace(known, modified=file.modified, size=file.size, changed=file.changed)
            return FileReading(same, None)
        document = read(data, file.path)
        language = detect(document.text)
        passages = tuple(split_passages(document, file.path, language))
        questions = find_questions(document, passages, language)
        labels = read_own_labels(data, file.path)
        indexed = replace(
            new,
            title=document.title,
            language=language,
            passages=len(passages),
            digests=[compute_passage_digest(passage) for passage in passages],
            questions=questions,
            labels=labels,
        )
        return FileReading(indexed, passages)
    except UnreadableError as error:
        reason = str(error)
    except OSError as error:
        reason = f"it can't be opened ({error.strerror})"
    except Exception as error:  # noqa: BLE001 - a parser's bug with one file must not stop the reading of the others
        # The error's own text may quote the document, so it is not logged.
        _log.debug("reading %s failed: %s", printable(file.path), type(error).__name__)
        reason = "it is damaged"
    _log.warning("skipped %s: %s", printable(file.path), reason)
    return FileReading(replace(new, reason=reason), ())
