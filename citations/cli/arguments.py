"""The arguments of the command line. What ``--help`` says below them is in ``help/``."""

from __future__ import annotations

import argparse
from pathlib import Path
from pkgutil import get_data
from typing import Final, TypeAlias

from ..readers.formats import FORMATS
from .suggesting_parser import SuggestingParser

_DESCRIPTION: Final = """\
Turn an answer with inline markers into a Bot Framework activity whose text and
Schema.org graph agree. Read what any bot sends into such an answer, or check it."""

_Verbs: TypeAlias = "argparse._SubParsersAction[SuggestingParser]"


def parser() -> SuggestingParser:
    """The parser of all commands. Each command sets ``command`` to the module that runs it."""
    whole = SuggestingParser(
        prog="python -m citations",
        description=_DESCRIPTION,
        epilog=_read_help("citations"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = whole.add_subparsers(required=True, metavar="{render,read,check,labels}")
    for add in (_add_render, _add_read, _add_check, _add_labels):
        add(verbs)
    return whole


def _add_render(verbs: _Verbs) -> None:
    verb = _add_verb(verbs, "render", "print an answer as an activity")
    verb.set_defaults(command="render")
    _add_channel(verb, "webchat")
    _add_input(verb).add_argument(
        "--stream",
        action="store_true",
        help="one answer while it is being written; JSON lines out: its interims and at last the whole",
    )
    _add_provider(verb, "FILE")
    verb.add_argument(
        "--labels",
        metavar="FILE.toml",
        type=Path,
        help="the sensitivity labels, and the rules that give them to references",
    )
    verb.add_argument(
        "--cards",
        nargs="?",
        const="without-url",
        choices=("without-url", "all"),
        help="on msteams, passages without a URL (with all: and those longer than 160 characters) as cards, "
        "which are in Teams' public developer preview; not with --stream, where Teams fails on them",
    )
    verb.add_argument(
        "--extended",
        action="store_true",
        help="on msteams, Teams' format of Markdown with headings and tables, a public developer preview",
    )


def _add_read(verbs: _Verbs) -> None:
    purpose = "print any bot's activity as an answer, for another channel"
    verb = _add_verb(verbs, "read", purpose)
    verb.set_defaults(command="read")
    _add_input(verb)


def _add_check(verbs: _Verbs) -> None:
    verb = _add_verb(verbs, "check", "print the problems of an activity or a transcript")
    verb.set_defaults(command="check")
    _add_channel(verb, None)
    _add_input(verb)
    verb.add_argument(
        "--json", action="store_true", help="one JSON object, with the rules of each problem; JSON of rules"
    )
    verb.add_argument(
        "--complete",
        action="store_true",
        help="the answer was made with no more than the activity's passages: find numbers and quotations "
        "that they lack",
    )
    verb.add_argument(
        "--explain",
        metavar="CODE",
        nargs="?",
        const="",
        help="print what a code means, for whom, and how to mend it; without CODE, all codes",
    )


def _add_labels(verbs: _Verbs) -> None:
    purpose = "print the labels of a file, and the labels of an answer's references"
    verb = _add_verb(verbs, "labels", purpose)
    verb.set_defaults(command="labels")
    _add_provider(verb, "ANSWER")
    verb.add_argument("labels", metavar="FILE.toml", type=Path, help="the sensitivity labels")
    verb.add_argument("file", metavar="ANSWER", nargs="?", help="a saved answer, in JSON; - is stdin")


def _add_verb(verbs: _Verbs, name: str, purpose: str) -> argparse.ArgumentParser:
    return verbs.add_parser(
        name,
        help=purpose,
        description=purpose[0].upper() + purpose[1:] + ".",
        epilog=_read_help(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _read_help(command: str) -> str:
    return (get_data(__package__, f"help/{command}.txt") or b"").decode()


def _add_channel(verb: argparse.ArgumentParser, default: str | None) -> None:
    verb.add_argument(
        "--channel",
        metavar="ID",
        type=_name_channel,
        default=default,
        help="a Bot Framework channel id (webchat by default); stderr reports an unknown one",
    )


def _name_channel(given: str) -> str:
    """The channel id that was given; people also call Teams by its name."""
    return "msteams" if given.lower() == "teams" else given


def _add_provider(verb: argparse.ArgumentParser, file: str) -> None:
    verb.add_argument(
        "--from",
        dest="provider",
        choices=FORMATS,
        default="answer",
        help=f"what {file} is: answer, this library's own JSON (the default), or a provider's response",
    )
    verb.add_argument(
        "--documents",
        metavar="NAMES.json",
        help="the documents of the request, which an answer of anthropic, mistral or langchain only "
        'numbers: [{"title": "Handbook", "url": "https://..."}], with the other fields of references',
    )


def _add_input(verb: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """The file that a command reads, and the group of its other kinds of input."""
    forms = verb.add_mutually_exclusive_group()
    forms.add_argument(
        "--lines",
        action="store_true",
        help="JSON lines in, one JSON line out for each; empty lines are skipped",
    )
    verb.add_argument("file", metavar="FILE", nargs="?", default="-", help="a JSON file; - or none is stdin")
    return forms
