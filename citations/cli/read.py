"""``read``: prints any bot's activity as an answer, which ``render`` writes for another channel."""

from __future__ import annotations

import argparse

from ..inspection import read_activity
from ..readers import json_text, write_answer
from .console import CLEAN, each_line, read, say, show


def run(arguments: argparse.Namespace) -> int:
    """Print the answer of one activity, or of one on each line."""
    if arguments.lines:
        return each_line(arguments.file, _read_line)
    answer = read_activity(json_text.loads(read(arguments.file)))
    for problem in answer.problems:
        say(str(problem))
    show(write_answer(answer))
    return CLEAN


def _read_line(data: object, line: int) -> tuple[dict[str, object], int]:
    answer = read_activity(data)
    for problem in answer.problems:
        say(f"line {line}: {problem}")
    return write_answer(answer), CLEAN
