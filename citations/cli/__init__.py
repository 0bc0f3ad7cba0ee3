"""The command line: the one room of the library that reads files and prints.

:mod:`.arguments` says what can be asked, :mod:`.rendering`, :mod:`.streaming`, :mod:`.checking`
and :mod:`.labels` do it, and :mod:`.console` is where bytes come in and lines go out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from ..model.errors import AnswerFormatError
from .arguments import parser
from .console import complain, reason

__all__ = ["main"]

_PIPE_CLOSED: Final = 141
"""What a shell reports of a program whose reader went away: 128 + SIGPIPE."""
_INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
    except BrokenPipeError:
        # Python flushes stdout once more at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (OSError, AnswerFormatError) as error:
        return complain(reason(error))
    return code
