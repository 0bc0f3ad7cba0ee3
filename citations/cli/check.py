"""``check``: prints the problems of an activity, one per line."""

from __future__ import annotations

import argparse

from ..checks import check
from ..readers import json_text
from .channel_note import say_judged
from .console import CLEAN, FOUND, each_line, read, write


def run(arguments: argparse.Namespace) -> int:
    """Print the problems of one activity, or of one on each line."""
    if arguments.lines:
        say_judged(arguments.channel)
        return each_line(arguments.file, lambda data, _: _check_line(data, arguments.channel))
    problems = check(json_text.loads(read(arguments.file)), channel_id=arguments.channel)
    # Unreadable input gets no other line on stderr.
    say_judged(arguments.channel)
    for problem in problems:
        write(str(problem))
    return FOUND if problems else CLEAN


def _check_line(data: object, channel_id: str) -> tuple[dict[str, object], int]:
    problems = check(data, channel_id=channel_id)
    found = [{"code": item.code, "path": item.path, "message": item.message} for item in problems]
    return {"problems": found}, FOUND if problems else CLEAN
