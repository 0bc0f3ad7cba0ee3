"""Where bytes come in and lines go out: UTF-8 on every system, and at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

from ..model.errors import AnswerFormatError
from ..readers import json_text

CLEAN, FOUND, UNREADABLE = 0, 1, 2
"""Exit codes: all is well; ``check`` found problems; the input can't be read."""
_CHUNK: Final = 65_536


def read(file: str) -> bytes:
    """All of a file; ``-`` is stdin."""
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def read_chunks(file: str) -> Iterator[bytes]:
    """A file as its bytes come, without waiting for more than there are."""
    with _open(file) as stream:
        while received := stream.read1(_CHUNK):
            yield received


def each_line(file: str, answer: Callable[[object, int], tuple[dict[str, object], int]]) -> int:
    """Answer each line that isn't empty with a line; the highest of their codes."""
    worst = CLEAN
    with _open(file) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                printed, code = answer(json_text.loads(line), number)
            except AnswerFormatError as error:
                printed, code = {"error": str(error)}, UNREADABLE
            show(printed)
            worst = max(worst, code)
    return worst


def _open(file: str) -> nullcontext[BufferedReader] | BufferedReader:
    return nullcontext(cast("BufferedReader", sys.stdin.buffer)) if file == "-" else Path(file).open("rb")


def show(value: object) -> None:
    """One JSON value in one line on stdout."""
    write(json_text.dumps(value))


def write(line: str) -> None:
    """One line on stdout, in UTF-8 on every system, whatever its console speaks.

    It leaves at once: who asks may wait for this answer before asking the next.
    """
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def say(line: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"{line.encode('ascii', 'backslashreplace').decode()}\n" if _narrow() else f"{line}\n")


def _narrow() -> bool:
    """Whether stderr can't show every character; it then shows escapes, and doesn't fail."""
    return (sys.stderr.encoding or "").lower().replace("-", "") not in ("utf8", "utf16", "utf32")


def complain(*lines: str) -> int:
    """Say why the input can't be read; the exit code for it."""
    for line in lines:
        say(line)
    return UNREADABLE


def reason(error: Exception) -> str:
    """An error in one line, as a person reads it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return " ".join(str(error).split())
