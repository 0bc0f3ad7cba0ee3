"""Chat with your own documents in a browser: ``python app.py --docs DIR --open``. Or ask on a terminal."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Sequence

from bot.app.terminal.arguments import parse


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` name, and return its exit code.

    Without a command, serve until interrupted and return 0. The faults of the settings are printed, and
    the code is 2.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Documents have any signs: a pipe or a file gets them in UTF-8, whatever the system's encoding is.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = parse(arguments)
    # What is imported stays: to look through it for garbage again and again is a seventh of a start's time.
    gc.disable()
    from bot.app.command import run  # noqa: PLC0415 - the help needs nothing of the bot

    gc.freeze()
    gc.enable()
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
