"""The command line: the only package of the library that reads files and prints.

:mod:`.arguments` defines the arguments. :mod:`.render`, :mod:`.stream`, :mod:`.read`, :mod:`.check` and
:mod:`.labels` run the commands. :mod:`.console` reads bytes and writes lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from ..model.errors import AnswerFormatError, LabelFormatError
from .arguments import parser
from .console import complain, reason

__all__ = ["main"]

_PIPE_CLOSED: Final = 141
"""The exit code that a shell reports when the reader of a pipe has ended: 128 + SIGPIPE."""
_INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
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
