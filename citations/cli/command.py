"""Runs a command, and turns its errors into lines on stderr and exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import Final

from ..model.errors import AnswerFormatError, LabelFormatError
from .console import complain, reason

_PIPE_CLOSED: Final = 141
"""The exit code that a shell reports when the reader of a pipe has ended: 128 + SIGPIPE."""
_INTERRUPTED: Final = 130


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
        return complain(reason(error))
    return code
