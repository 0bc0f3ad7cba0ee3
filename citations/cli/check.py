"""``check``: prints the problems of an activity or a transcript, one per line, and explains their codes."""

from __future__ import annotations

import argparse

from ..channels import channel_ids
from ..inspection import CLIENTS, RULES, check_transcript, rules_of
from ..model.errors import Problem
from ..readers import json_text
from ..text.name import did_you_mean
from .console import CLEAN, FOUND, complain, each_line, read, say, show, write
from .printed_activity import describe_unknown


def run(arguments: argparse.Namespace) -> int:
    """Print the problems of one document, or of one on each line; or explain a code."""
    if arguments.explain is not None:
        return _explain(arguments.explain, as_json=arguments.json)
    channel = arguments.channel
    if arguments.lines:
        _say_judged(channel or "webchat")
        return each_line(arguments.file, lambda data, _: _check_line(data, arguments))
    problems = check_transcript(
        json_text.loads(read(arguments.file)), channel_id=channel, complete=arguments.complete
    )
    # Unreadable input gets no other line on stderr.
    _say_judged(channel or "webchat")
    if arguments.json:
        show({"problems": [_to_json(item, whole=True) for item in problems]})
    else:
        for problem in problems:
            write(str(problem))
    return FOUND if problems else CLEAN


def _say_judged(channel_id: str) -> None:
    """Print what ``check`` judges on a channel whose client it doesn't know."""
    if channel_id.lower() in CLIENTS:
        return
    known = channel_id.lower() in channel_ids()
    subject = f"the client of {channel_id} isn't known" if known else describe_unknown(channel_id)
    say(f"{subject}: only the activity's type, size, depth and characters are judged")


def _check_line(data: object, arguments: argparse.Namespace) -> tuple[dict[str, object], int]:
    problems = check_transcript(data, channel_id=arguments.channel, complete=arguments.complete)
    found = [_to_json(item, whole=arguments.json) for item in problems]
    return {"problems": found}, FOUND if problems else CLEAN


def _to_json(problem: Problem, *, whole: bool) -> dict[str, object]:
    """A problem; the ``whole`` has what its rules say of the code, too."""
    found: dict[str, object] = {"code": problem.code, "path": problem.path, "message": problem.message}
    return found | {"rules": [rule.explain() for rule in rules_of(problem.code)]} if whole else found


def _explain(code: str, *, as_json: bool) -> int:
    """Print the rules of a code; of each code one line, if there is none."""
    rules = rules_of(code) if code else RULES
    if not rules:
        meant = did_you_mean(code, (rule.code for rule in RULES))
        return complain(f"no rule has the code {code!r:.80}{meant}: check --explain lists all")
    if as_json:
        show({"rules": [rule.explain() for rule in rules]})
        return CLEAN
    for number, rule in enumerate(rules):
        row = rule.explain()
        if not code:
            write(f"{rule.code} ({rule.clients[0].name}) {row['wrong']}")
            continue
        if number:
            write("")
        write(f"{rule.code} in {', '.join(client.name for client in rule.clients)}")
        for name in ("wrong", "shown", "mend", "source"):
            write(f"  {name:6} {row[name]}")
    return CLEAN
