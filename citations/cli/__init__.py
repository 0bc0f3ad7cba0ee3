"""The command line: the only package of the library that reads files and prints.

:mod:`.arguments` defines the arguments. :mod:`.render`, :mod:`.read`, :mod:`.check` and :mod:`.labels` run
the commands, and :mod:`.printed_stream` does the rarer work of ``render``. :mod:`.console` loads the
command that is asked for, reads bytes and writes lines.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    # Who takes a parser of this package needs no arguments, and the help nothing of the library.
    from .arguments import parser  # noqa: PLC0415

    arguments = parser().parse_args(argv)
    from .console import run  # noqa: PLC0415

    return run(arguments)
