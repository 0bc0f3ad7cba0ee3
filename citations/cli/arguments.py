"""The arguments of the command line, and the texts of ``--help``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, TypeAlias

from ..readers.formats import READERS

_DESCRIPTION: Final = """\
Turn an answer with inline markers into a Bot Framework activity whose text and
Schema.org graph agree. Read what any bot sends into such an answer, or check it."""

_EXAMPLE: Final = """\
example, with answer.json:

  {"text": "Override the proxy settings [1].",
   "references": [{"id": "1", "name": "Use a proxy server", "url": "https://example.com/proxy"}]}

  $ python -m citations render answer.json
  {"type": "message", "text": "Override the proxy settings [1].\\n\\n[1]: https://example.com/proxy ...

  $ python -m citations render answer.json | python -m citations check
  (nothing: exit code 0)

Each reference may also have: text (the passage, shown if it has no url), page, last_page, place
({"kind", "first", "last", "sheet"} where there are no pages; kind is "slide", "row" or "line"), label
(its id), extract (true if the reader may copy from it under an encrypted label), only_named (true if the
answer was made without it), media_type, modified, accessed, editor, aliases (other ids and names, for
label rules), ordinal (true if the id is only a number, which no rule has in mind).
An answer may also have dialect ("numbered" for [1], "named-link" for [name](id), "none" for no markers),
spans (words that rest on references: [{"start": 0, "end": 12, "ids": ["1"]}], in code points; with
"replaces": true, the words are themselves the citation), query (the query of a graph or a database:
{"text", "language"}), origin ({"slogan", "url", "generated"}) and kind ("answered", "unsure", "nothing":
how far it answers the question).
Problems of an answer go to stderr; the activity is printed all the same."""

_RENDER_HELP: Final = """\
example:

  $ python -m citations render --from writer --labels labels.toml response.json

If a provider's answer (--from) cites none of its sources, they are listed below it. If an answer in
this library's own JSON cites none, stderr says so (nothing-cited).

An answer that is too long for one message of its channel (sms, telegram, ...) is a list of activities,
to be sent in this order. On sms, every fourth of them offers the rest to people who reply MORE.

while it is being written, with deltas.jsonl:

  {"delta": "Override the proxy"}
  {"references": [{"id": "1", "url": "https://example.com/proxy"}]}
  {"delta": " settings [1]."}

  $ python -m citations render --stream deltas.jsonl
  {"type": "typing", "text": "Override the ...
  ...
  {"type": "message", "text": "Override the proxy settings [1].\\n\\n[1]: https://example.com/proxy ...

Each line has delta (the next piece of the text), references, spans, origin, query or kind; the first may
have dialect. References with "complete": true beside them are the last. If a label may withhold the text,
none of it is shown before that.
With --from llamaindex, each line has source_nodes or delta. With --from another provider, FILE is its
stream of server-sent events; of those that cite by place (openai, anthropic, gemini, bedrock, cohere,
mistral, langchain), it may also be JSON, one event a line. For each line or event with something new to
show, one line is printed at once. The last line is what render prints of the whole answer. A channel
that doesn't stream gets the last line only.

The sender sets streamId, in channelData and in the last of the entities, to the id that the connector
gave to the first activity; the first has none. The sender may skip lines other than the last, if it
counts streamSequence again.

If an answer breaks off, because the rest can't be read or the provider reports an error, it ends with
its text so far and a sentence that it was interrupted. If the provider reports that the model stopped
too early, the answer is printed as it is and has the problem answer-cut.

labels.toml is what python -m citations labels --help shows.

exit codes: 0 printed, 2 the input or the labels can't be read (nothing is printed, except for the
beginning of a stream and the other lines of --lines)."""

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

  default = "general"            # for references without another label
  unknown = "confidential"       # replaces unknown ids; without it the highest label does

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

  [ceiling]                      # the highest label whose content may leave on a channel
  sms = "general"
  "*" = "confidential"           # on all other channels

  [[rule]]                       # has one of id, url_prefix, file
  label = "confidential"
  file = "*-salaries.xlsx"

A reference has the highest label that a rule or its provider gives it, else the default. A message has
the highest label of all its sources, cited or not. Above a channel's ceiling, only the name and the link
of a reference are shown, and an answer made with it is withheld. The same holds under an encrypted label,
unless the reference says that its reader may copy from it (extract).

exit codes: 0 printed, 2 the labels or the answer can't be read: one line for each fault, with its
place."""

_READ_HELP: Final = """\
example:

  $ python -m citations read activity.json | python -m citations render --channel msteams
  {"type": "message", "text": "Override the proxy settings [1].", ...

It prints this library's own JSON, which render reads: the text with a marker for each badge, and the
sources with their sensitivity labels, by name. The graph may have any form of JSON-LD. No context is
fetched but Schema.org's, which is built in. What can't be read of the graph goes to stderr.

With --lines, each line is an answer, so that render --lines reads it.

exit codes: 0 printed, 2 the input can't be read (nothing is printed, except for the other lines of
--lines)."""

_CHECK_HELP: Final = """\
example:

  $ python -m citations check activity.json
  cite-with-url $.entities[0].citation[2].appearance.url [3] leads to 'cite:1', and ...
  $ python -m citations check --explain cite-with-url

It prints one line for each problem: its code, its JSON path, what is lost and how to repair it. With
--json it prints one object, {"problems": [{"code", "path", "message", "rules"}]}, where the rules say what
a reader sees, in which client and version, and what the source is. docs/checks.md has all rules.

FILE is an activity, or a transcript: an array of activities, such as the Emulator's .transcript, or what
Direct Line sends ({"activities": [...]}, or an array of these). A problem's path then begins with its
activity's, such as $[3] or $.activities[3]. What people wrote ("from": {"role": "user"}) is left out, and
the pieces of a stream are compared with those before them.

The clients that it knows, by --channel:

  webchat, directline, emulator   Web Chat 4.18, and its main build
  msteams                         Microsoft Teams, by Microsoft's pages and its Agents Playground
  email                           mail readers: images, HTML, and what they read differently

On any other channel it checks the activity's type, size, depth and characters, and says so on stderr.
Without --channel, an activity whose channelId is one of these is judged by it, any other as on webchat.

exit codes: 0 clean, 1 with problems, 2 the input can't be read."""


_Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def parser() -> argparse.ArgumentParser:
    """The parser of all commands. Each command sets ``command`` to the module that runs it."""
    whole = argparse.ArgumentParser(
        prog="python -m citations",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = whole.add_subparsers(required=True, metavar="{render,read,check,labels}")
    for add in (_add_render, _add_read, _add_check, _add_labels):
        add(verbs)
    return whole


def _add_render(verbs: _Verbs) -> None:
    verb = _add_verb(verbs, "render", "print an answer as an activity", _RENDER_HELP)
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
        action="store_true",
        help="on msteams, passages without a URL as Adaptive Cards, which are in Teams' public developer "
        "preview; not with --stream, where Teams fails on them",
    )


def _add_read(verbs: _Verbs) -> None:
    purpose = "print any bot's activity as an answer, for another channel"
    verb = _add_verb(verbs, "read", purpose, _READ_HELP)
    verb.set_defaults(command="read")
    _add_input(verb)


def _add_check(verbs: _Verbs) -> None:
    verb = _add_verb(verbs, "check", "print the problems of an activity or a transcript", _CHECK_HELP)
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
    verb = _add_verb(verbs, "labels", purpose, _LABELS_HELP)
    verb.set_defaults(command="labels")
    _add_provider(verb, "ANSWER")
    verb.add_argument("labels", metavar="FILE.toml", type=Path, help="the sensitivity labels")
    verb.add_argument("file", metavar="ANSWER", nargs="?", help="a saved answer, in JSON; - is stdin")


def _add_verb(verbs: _Verbs, name: str, purpose: str, epilog: str) -> argparse.ArgumentParser:
    return verbs.add_parser(
        name,
        help=purpose,
        description=purpose[0].upper() + purpose[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


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
        choices=READERS,
        default="answer",
        help=f"what {file} is: answer, this library's own JSON (the default), or a provider's response",
    )
    verb.add_argument(
        "--documents",
        metavar="NAMES.json",
        help="the documents of the request, which an answer of anthropic, mistral or langchain only "
        'numbers: [{"title": "Handbook", "url": "https://…"}], with the other fields of references',
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
