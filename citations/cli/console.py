"""Reads bytes and writes lines: in UTF-8 on every system, and without delay."""

from __future__ import annotations

import argparse
import os
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from errno import EBADF
from importlib import import_module
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Final, cast

from ..model.errors import AnswerFormatError, LabelFormatError
from ..readers import json_text
from ..text.controls import printable_json, without_turns

CLEAN, FOUND, UNREADABLE = 0, 1, 2
"""Exit codes: success; ``check`` found problems; the input can't be read."""
_CHUNK: Final = 65_536


def read(file: str) -> bytes:
    """The bytes of a file; ``-`` is stdin."""
    return _stdin().read() if file == "-" else Path(file).read_bytes()


def read_chunks(file: str) -> Iterator[bytes]:
    """The bytes of a file as they arrive, without waiting for more."""
    with _open(file) as stream:
        while received := stream.read1(_CHUNK):
            yield received


def each_line(file: str, answer: Callable[[object, int], tuple[dict[str, object], int]]) -> int:
    """Answer each nonempty line with a line, and return the highest of the exit codes."""
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


@contextmanager
def _open(file: str) -> Iterator[BufferedReader | BytesIO]:
    with nullcontext(_stdin()) if file == "-" else Path(file).open("rb") as stream:
        # Windows PowerShell's `>` writes UTF-16.
        marked = stream.peek(2).startswith((BOM_UTF16_LE, BOM_UTF16_BE))
        yield BytesIO(stream.read().decode("utf-16", "replace").encode()) if marked else stream


def _stdin() -> BufferedReader:
    # Python sets a standard stream that was closed before it started to None.
    if sys.stdin is None:
        raise OSError(EBADF, "stdin is closed: name a file")
    return cast("BufferedReader", sys.stdin.buffer)


def show(value: object) -> None:
    """Print one JSON value as one line on stdout."""
    write(printable_json(json_text.dumps(value)))


def write(line: str) -> None:
    """Print one line on stdout, in UTF-8 whatever the console's encoding is.

    It is flushed at once: a program may wait for this line before it sends the next.
    """
    if sys.stdout is None:
        raise OSError(EBADF, "stdout is closed: nothing can be printed")
    sys.stdout.buffer.write(f"{without_turns(line)}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def say(line: str) -> None:
    """Print one line on stderr, unless it is closed."""
    if sys.stderr is None:
        return
    line = without_turns(line)
    sys.stderr.write(f"{line.encode('ascii', 'backslashreplace').decode()}\n" if _narrow() else f"{line}\n")


def _narrow() -> bool:
    """Whether stderr can't encode every character, so that it must show escapes."""
    return (sys.stderr.encoding or "").lower().replace("-", "") not in ("utf8", "utf16", "utf32")


def complain(*lines: str) -> int:
    """Print why the input can't be read, and return the exit code for it."""
    for line in lines:
        say(line)
    return UNREADABLE


def reason(error: Exception) -> str:
    """An error as one line for a person."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return " ".join(str(error).split())


_PIPE_CLOSED: Final = 141
"""The exit code that a shell reports when the reader of a pipe has ended: 128 + SIGPIPE."""
_INTERRUPTED: Final = 130
_READ_WITH: Final = (("(JSON lines?)", ("lines", "stream")), ("(server-sent events?)", ("stream",)))
"""What an input seems to be, and the options for that, which some commands have."""


def run(arguments: argparse.Namespace) -> int:
    """Run the command that ``arguments`` name, and return its exit code."""
    try:
        code: int = import_module(f".{arguments.command}", __package__).run(arguments)
    except BrokenPipeError:
        # Python flushes stdout again at exit, which would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except LabelFormatError as error:
        return complain(*error.faults)
    except (OSError, AnswerFormatError) as error:
        said = reason(error)
        options = [
            f"--{one}" for looks, those in _READ_WITH for one in those if looks in said and one in arguments
        ]
        return complain(f"{said}: read them with {' or '.join(options)}" if options else said)
    return code
