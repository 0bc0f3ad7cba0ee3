"""A parser of arguments that says what a wrong command, option or choice was probably meant to be."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Final, NoReturn

__all__ = ["SuggestingParser"]

_CHOICE: Final = re.compile(r"invalid choice: '(.*?)' \(choose from (.*?)\)")
_UNKNOWN: Final = re.compile(r"unrecognized arguments: (-[^\s=]*)")


class SuggestingParser(argparse.ArgumentParser):
    """As :class:`argparse.ArgumentParser`. Python 3.14's own ``suggest_on_error`` is for no option."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and ``message``, and exit with 2."""
        from ..text.name import did_you_mean  # noqa: PLC0415 - the help needs nothing of the library

        if found := _CHOICE.search(message):
            message += did_you_mean(found[1], re.findall(r"[^\s,'\"]+", found[2]))
        elif found := _UNKNOWN.search(message):
            message += did_you_mean(found[1], _options_of(self))
        super().error(message)


def _options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _options_of(inner)
