"""The program of a child process that reads files. Its argument is the limits, as JSON.

The child gets requests on its standard input, and answers on its standard output. It reads the files itself.
It ends when its input does, so it does not outlive the program.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import importlib
import json
import math
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

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
from .limits import LABELS, LONGEST_TEXT, TEXT, TOO_HUNGRY, ReadingLimits
from .own_labels import read_own_labels

_GRACE: Final = 5
"""Seconds of the processor after which the child ends itself, if the program did not end it at the limit."""
_SLOW: Final = 100
"""How many seconds of the clock stand for one of the processor on Windows, which has no limit of work."""
_UNUSED: Final = 512_000_000
"""Bytes of address space for libraries, stacks and freed memory, which do not count as memory."""

_PASSAGES: Final = 20_000
"""The most passages of a document. As the longest text does, that keeps one file from filling the index."""


def main() -> None:
    """Answer requests until the input ends."""
    limits = ReadingLimits(**json.loads(sys.argv[1]))
    answers = _take_output()
    # Ctrl+C in a terminal reaches all processes; the program decides when its children end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(limits.memory)
    with Path(os.devnull).open("wb") as nowhere:
        _send(answers, [])
        for request in _receive():
            _limit_work(limits.seconds, nowhere)
            try:
                for answer in _answer(request):
                    _send(answers, [answer])
            except MemoryError:
                os._exit(TOO_HUNGRY)
            faulthandler.cancel_dump_traceback_later()
            _send(answers, [])


def _take_output() -> BinaryIO:
    """The standard output, which is closed for everything else: a parser may print."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return answers


def _limit_work(seconds: float, nowhere: BinaryIO) -> None:
    """End the process after so much more work. This also ends a parser that never returns to Python."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        faulthandler.dump_traceback_later(_SLOW * (seconds + _GRACE), exit=True, file=nowhere)
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    most = math.ceil(time.process_time() + seconds) + _GRACE
    # The system ends the process by a signal, SIGXCPU.
    resource.setrlimit(
        resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
    )


def _limit_memory(memory: int) -> None:
    """Limit the address space where the system can, as a backstop of the program's own watch."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource  # noqa: PLC0415 - Windows has none

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (2 * memory + _UNUSED, hard))


def _receive() -> Iterator[dict[str, Any]]:
    """Yield the requests. The process ends with its input, also in the middle of a file."""
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin.buffer:
            requests.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield json.loads(requests.get())


def _answer(request: dict[str, Any]) -> Iterator[Any]:
    folder, file = Path(request["folder"]), FolderFile(**request["file"])
    if request["kind"] == LABELS:
        yield from read_labels(folder, file)
    elif request["kind"] == TEXT:
        reading = read_file(folder, file, request["sha256"])
        yield asdict(reading.record)
        yield reading.passages is not None
        yield from reading.passages or ()
    else:
        module, function = request["kind"].split(":")
        result = getattr(importlib.import_module(module), function)(file.locate(folder))
        yield asdict(result) if result else None


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


def _send(answers: BinaryIO, answer: list[Any]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")
    if not answer:
        answers.flush()


if __name__ == "__main__":
    main()
