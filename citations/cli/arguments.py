"""What can be asked of the command line, and what ``--help`` teaches."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from ..readers import READERS
from . import check as checking
from . import labels
from . import render as rendering

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
(a label's id), extract (true if whoever asks may copy out of what an encrypted label protects),
only_named (true if the answer was made without it), media_type, modified, editor, aliases (other
ids and names, for label rules). Beside text and references an answer may have dialect ("numbered"
for [1], "named-link" for [name](id)), query (what was asked of a graph or a database: {"text",
"language"}) and origin ({"slogan", "url", "generated"}).
Problems of an answer go to stderr; the activity is printed all the same."""

_RENDER_HELP: Final = """\
example:

  $ python -m citations render --from writer --labels labels.toml response.json

Below a provider's answer (--from, but for this library's own JSON) that cites none of its sources
they are listed. Of any other that cites none it is said on stderr (nothing-cited).

An answer that is too long for one message of its channel (sms, telegram, ...) is a list of activities,
to be sent in this order. On sms each fourth of them offers the rest to whoever replies MORE.

as it is being written, with deltas.jsonl:

  {"delta": "Override the proxy"}
  {"references": [{"id": "1", "url": "https://example.com/proxy"}]}
  {"delta": " settings [1]."}

  $ python -m citations render --stream deltas.jsonl
  {"type": "typing", "text": "Override the ...
  ...
  {"type": "message", "text": "Override the proxy settings [1].\\n\\n[1]: https://example.com/proxy ...

Each line has delta (the next piece of the text), references, origin or query; the first may have
dialect. References that have "complete": true beside them are the last: where a label may keep the
text from the channel, none of it is shown before that.
With --from writer, open-webui or perplexity, FILE is the stream of server-sent events that they send;
with --from llamaindex, each line has source_nodes or delta. A line is printed at once for each of them
that has something new to show, and at last what render prints of the whole answer; a channel that doesn't
stream gets this only.

Whoever sends them sets streamId, in channelData and in the last of the entities, to the id that the
connector gave to the first; the first has none. Lines but the last may be left out, if streamSequence
is counted anew.

An answer that breaks off (what follows can't be read, or the provider reports an error) ends with
what came of it and a sentence that it was interrupted. One that its model did not end, of which the
provider says so, is printed as it is, and has the problem answer-cut.

labels.toml (python -m citations labels --help has more):

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

exit codes: 0 printed, 2 the input or the labels can't be read (nothing is printed, but for what
came of a stream, and the other lines of --lines)."""

_LABELS_HELP: Final = """\
example:

  $ python -m citations labels labels.toml answer.json
  0 general: General, For everyone at work.
  1 confidential: Confidential\\HR, orange, encrypted
  default: general
  unknown: confidential
  ceiling of sms: general
  rule 1: file '*-salaries.xlsx' gets confidential
  $.references[0] '1': general, from the default
  $.references[1] '2024-salaries.xlsx': confidential, from rule 1 (file '*-salaries.xlsx'); above ...
  message: confidential

labels.toml:

  default = "general"            # the label of what has no other
  unknown = "confidential"       # of what has one that isn't here; the highest, if not given

  [[label]]
  id = "general"                 # in Microsoft Purview: its GUID
  name = "General"
  priority = 0                   # 0 is the lowest
  description = "For everyone at work."

  [[label]]
  id = "confidential"
  name = 'Confidential\\HR'       # Parent\\Child
  priority = 1
  color = "orange"               # or "#f80"
  encrypted = true

  [ceiling]                      # the highest label that may leave on a channel
  sms = "general"
  "*" = "confidential"           # on every other

  [[rule]]                       # by one of id, url_prefix, file
  label = "confidential"
  file = "*-salaries.xlsx"

A reference has the highest label that a rule or its source gives it, else the default; a message has
the highest of all that was found for it, cited or not. Above a channel's ceiling, and where a label is
encrypted and the reference doesn't say that its reader may copy out of it (extract), nothing is shown
but its name and its link, nor the text of an answer that was made with it.

exit codes: 0 printed, 2 the labels or the answer can't be read: one line for each fault, with its
place."""

_CHECK_HELP: Final = """\
example:

  $ python -m citations check activity.json
  cite-with-url $.entities[0].citation[2].appearance.url [3] leads to 'cite:1' and ...

One line for each problem: its code, the JSON path of the place, what is lost and what to do.

The clients that it knows, by --channel:

  webchat, directline, emulator   Web Chat 4.18, and its main build
  msteams                         Microsoft Teams, by Microsoft's pages and its Agents Playground
  email                           mail readers: images, HTML, and what they read differently

On any other channel it judges the activity's type, size, depth and characters, and says so on stderr.
A stream is checked piece by piece: whether each begins with the last can't be seen in one.

exit codes: 0 clean, 1 with problems, 2 the input can't be read."""


def parser() -> argparse.ArgumentParser:
    """The whole grammar; each verb sets ``run``, which does it."""
    whole = argparse.ArgumentParser(
        prog="python -m citations",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = whole.add_subparsers(required=True, metavar="{render,check,labels}")
    render, forms = _verb(verbs, "render", "print an answer as an activity", _RENDER_HELP)
    forms.add_argument(
        "--stream",
        action="store_true",
        help="one answer, as it is being written; JSON lines out: what may be shown of it, at last all",
    )
    _add_provider(render, "FILE")
    render.add_argument(
        "--labels",
        metavar="FILE.toml",
        type=Path,
        help="the sensitivity labels, and which reference has which",
    )
    render.add_argument(
        "--cards",
        action="store_true",
        help="on msteams, passages without a URL as Adaptive Cards, which are in Teams' public developer "
        "preview; not with --stream, where Teams fails on them",
    )
    render.set_defaults(run=rendering.run)
    check, _ = _verb(verbs, "check", "print the problems of an activity", _CHECK_HELP)
    check.set_defaults(run=checking.run)
    _labels_verb(verbs)
    return whole


def _labels_verb(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    purpose = "print the labels of a file, and which of them an answer's references get"
    verb = verbs.add_parser(
        "labels",
        help=purpose,
        description=purpose[0].upper() + purpose[1:] + ".",
        epilog=_LABELS_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_provider(verb, "ANSWER")
    verb.add_argument("labels", metavar="FILE.toml", type=Path, help="the sensitivity labels")
    verb.add_argument("file", metavar="ANSWER", nargs="?", help="a saved answer, in JSON; - is stdin")
    verb.set_defaults(run=labels.run)


def _add_provider(verb: argparse.ArgumentParser, file: str) -> None:
    verb.add_argument(
        "--from",
        dest="provider",
        choices=READERS,
        default="answer",
        help=f"what {file} is: answer, this library's own JSON (the default), or a provider's response",
    )


def _verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, purpose: str, epilog: str
) -> tuple[argparse.ArgumentParser, argparse._MutuallyExclusiveGroup]:
    """A verb, and the group of what else its input may be than one document."""
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
        help="a Bot Framework channel id (webchat by default); of one that isn't known stderr says so",
    )
    forms = verb.add_mutually_exclusive_group()
    forms.add_argument(
        "--lines",
        action="store_true",
        help="JSON lines in, one JSON line out for each; empty lines are skipped",
    )
    verb.add_argument("file", metavar="FILE", nargs="?", default="-", help="a JSON file; - or none is stdin")
    return verb, forms
