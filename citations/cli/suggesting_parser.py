"""A parser of arguments that says what a wrong command, option or choice was probably meant to be."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final, NoReturn

__all__ = ["SuggestingParser"]
_CHOICE: Final = re.compile(r"invalid choice: '([^']*)' \(choose from ([^()]*)\)")
_UNKNOWN: Final = re.compile(r"unrecognized arguments: (-[^\s=]*)")


class SuggestingParser(argparse.ArgumentParser):
    """As :class:`argparse.ArgumentParser`. Python 3.14's own ``suggest_on_error`` is for no option."""

    _given: tuple[str, ...] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As the base class. The arguments are kept, so that an error can tell which of them is wrong."""
        self._given = tuple(sys.argv[1:] if args is None else args)
        return super().parse_known_args(self._given, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the usage and ``message``, and exit with 2."""
        if choice := _CHOICE.search(message):
            wrong, choices = choice.groups()
            # argparse takes the value of an unknown option for the command.
            ahead = takewhile(lambda one: one != wrong, self._given)
            unknown = next((one for one in ahead if one.startswith("-") and one not in self._own()), None)
            if unknown is None:
                super().error(message + _meant(wrong, re.findall(r"[^\s,'\"]+", choices)))
            message = f"unrecognized arguments: {unknown}"
        if found := _UNKNOWN.search(message):
            message += self._suggest(found[1])
        super().error(message)

    def _suggest(self, option: str) -> str:
        """What was meant by an unknown option: one of another command's, or a name like it."""
        commands = self._commands()
        if having := [name for name, one in commands.items() if option in one._own()]:
            return f" ({option} is an option of {' and of '.join(having)})"
        asked = [commands[one] for one in self._given if one in commands] or list(commands.values())
        known = [name for one in (self, *asked) for name in one._own() if name.startswith("--")]
        return _meant(option.lstrip("-"), [name.removeprefix("--") for name in known], "--")

    def _own(self) -> Sequence[str]:
        return [name for action in self._actions for name in action.option_strings]

    def _commands(self) -> dict[str, SuggestingParser]:
        inner = (one for one in self._actions if isinstance(one, argparse._SubParsersAction))
        return next((dict(one.choices) for one in inner), {})


def _meant(name: str, known: Sequence[str], dashes: str = "") -> str:
    from ..text.name import did_you_mean  # noqa: PLC0415 - --help needs nothing of the library

    return did_you_mean(name, known, prefix=dashes)
