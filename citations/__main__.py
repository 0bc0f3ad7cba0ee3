"""``python -m citations``: render an answer as an activity, or check anybody's activity."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from . import json_text
from .channels import channel
from .check import check
from .errors import AnswerFormatError, LabelFormatError, Problem
from .label import LabelRanking
from .read import READERS
from .render import render
from .resolve import cite

CLEAN, FOUND, UNREADABLE = 0, 1, 2
"""Exit codes: all is well; ``check`` found problems; the input can't be read."""
_PIPE_CLOSED: Final = 141
"""What a shell reports of a program whose reader went away: 128 + SIGPIPE."""
_INTERRUPTED: Final = 130

_DESCRIPTION: Final = """\
Turn an answer with inline markers into a Bot Framework activity whose text and
Schema.org graph agree, or check what any bot sends."""

_EXAMPLE: Final = """\
example, with answer.json:

  {"text": "Override the proxy settings [1].",
   "references": [{"id": "1", "name": "Use a proxy server", "url": "https://example.com/proxy"}]}

  $ python -m citations render answer.json
  {"type": "message", "text": "Override the proxy settings [1].\\n\\n[1]: https://example.com/proxy ...

  $ python -m citations render answer.json | python -m citations check
  (nothing: exit code 0)

Each reference may also have: text (the passage, shown when it has no url), page, label
(a label's id), media_type, modified, editor. Beside text and references an answer may have
dialect ("numbered" for [1], "named-link" for [name](id)) and origin ({"slogan", "url",
"generated"}). Problems of an answer go to stderr; the activity is printed all the same."""

_RENDER_HELP: Final = """\
example:

  $ python -m citations render --from writer --labels labels.toml response.json

labels.toml:

  default = "general"            # the label of what has no other

  [[label]]
  id = "general"
  name = "General"
  priority = 0                   # 0 is the lowest

  [[label]]
  id = "confidential"
  name = "Confidential"
  priority = 1
  color = "orange"
  encrypted = true

  [[rule]]                       # by one of id, url_prefix, file
  label = "confidential"
  url_prefix = "https://hr.example.com/"

exit codes: 0 printed, 2 the input or the labels can't be read (nothing is printed)."""

_CHECK_HELP: Final = """\
example:

  $ python -m citations check activity.json
  cite-with-url $.entities[0].citation[2].appearance.url [3] leads to 'cite:1' and ...

One line for each problem: its code, the JSON path of the place, what is lost and what to do.

exit codes: 0 clean, 1 with problems, 2 the input can't be read."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
    except BrokenPipeError:
        # Python flushes stdout once more at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (OSError, AnswerFormatError) as error:
        return _complain(_reason(error))
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m citations",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(required=True, metavar="{render,check}")
    rendering = _verb(verbs, "render", "print an answer as an activity", _RENDER_HELP)
    rendering.add_argument(
        "--from",
        dest="supplier",
        choices=READERS,
        default="answer",
        help="what FILE is: answer, this library's own JSON (the default), or a supplier's response",
    )
    rendering.add_argument(
        "--labels",
        metavar="FILE.toml",
        type=Path,
        help="the sensitivity labels, and which reference has which",
    )
    rendering.set_defaults(run=_render)
    checking = _verb(verbs, "check", "print the problems of an activity", _CHECK_HELP)
    checking.set_defaults(run=_check)
    return parser


def _verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, purpose: str, epilog: str
) -> argparse.ArgumentParser:
    verb = verbs.add_parser(
        name,
        help=purpose,
        description=purpose[0].upper() + purpose[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verb.add_argument(
        "--channel",
        metavar="ID",
        default="webchat",
        help="a Bot Framework channel id (webchat by default); one that isn't known shows plain text",
    )
    verb.add_argument(
        "--lines",
        action="store_true",
        help="JSON lines in, one JSON line out for each; empty lines are skipped",
    )
    verb.add_argument("file", metavar="FILE", nargs="?", default="-", help="a JSON file; - or none is stdin")
    return verb


def _render(arguments: argparse.Namespace) -> int:
    try:
        ranking = _ranking(arguments.labels)
    except (OSError, UnicodeDecodeError) as error:
        return _complain(f"{arguments.labels}: {_reason(error)}")
    except LabelFormatError as error:
        return _complain(*(f"{arguments.labels}: {fault}" for fault in error.faults))
    reader = READERS[arguments.supplier]

    def activity(data: object) -> tuple[object, tuple[Problem, ...]]:
        rendering = render(cite(reader(data)), channel(arguments.channel), ranking=ranking)
        return rendering.to_activity(), rendering.problems

    if not arguments.lines:
        return _render_one(arguments.file, activity)
    return _each_line(arguments.file, lambda data, line: _rendered_line(activity, data, line))


_Rendered = Callable[[object], tuple[object, tuple[Problem, ...]]]


def _render_one(file: str, activity: _Rendered) -> int:
    printed, problems = activity(json_text.loads(_read(file)))
    for problem in problems:
        _say(str(problem))
    _print(printed)
    return CLEAN


def _rendered_line(activity: _Rendered, data: object, line: int) -> tuple[dict[str, object], int]:
    printed, problems = activity(data)
    for problem in problems:
        _say(f"line {line}: {problem}")
    return {"activity": printed}, CLEAN


def _check(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        return _each_line(arguments.file, lambda data, _: _checked_line(data, arguments.channel))
    problems = check(json_text.loads(_read(arguments.file)), channel_id=arguments.channel)
    for problem in problems:
        _write(str(problem))
    return FOUND if problems else CLEAN


def _checked_line(data: object, channel_id: str) -> tuple[dict[str, object], int]:
    problems = check(data, channel_id=channel_id)
    found = [{"code": item.code, "path": item.path, "message": item.message} for item in problems]
    return {"problems": found}, FOUND if problems else CLEAN


def _each_line(file: str, answer: Callable[[object, int], tuple[dict[str, object], int]]) -> int:
    """Answer each line with a line; the highest of their codes."""
    worst = CLEAN
    for number, line in _lines(file):
        try:
            printed, code = answer(json_text.loads(line), number)
        except AnswerFormatError as error:
            printed, code = {"error": str(error)}, UNREADABLE
        _print(printed)
        worst = max(worst, code)
    return worst


def _lines(file: str) -> Iterator[tuple[int, bytes]]:
    """The lines that aren't empty, as they come, with their numbers from 1."""
    if file == "-":
        yield from _numbered(sys.stdin.buffer)
        return
    with Path(file).open("rb") as stream:
        yield from _numbered(stream)


def _numbered(stream: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(stream, 1) if line.strip())


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _ranking(path: Path | None) -> LabelRanking | None:
    return None if path is None else LabelRanking.from_toml(path.read_text(encoding="utf-8-sig"))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return " ".join(str(error).split())


def _print(value: object) -> None:
    _write(json_text.dumps(value))


def _write(line: str) -> None:
    """One line on stdout, in UTF-8 on every system, whatever its console speaks.

    It leaves at once: with ``--lines``, who asks may wait for this answer before asking the next.
    """
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _say(line: str) -> None:
    sys.stderr.write(f"{line.encode('ascii', 'backslashreplace').decode()}\n" if _narrow() else f"{line}\n")


def _narrow() -> bool:
    """Whether stderr can't show every character; it then shows escapes, and doesn't fail."""
    return (sys.stderr.encoding or "").lower().replace("-", "") not in ("utf8", "utf16", "utf32")


def _complain(*lines: str) -> int:
    for line in lines:
        _say(line)
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
