"""Write docs/checks.md from the rules of ``check``: ``python -m tests.checks_page``."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Final

from markdown_it.utils import read_fixture_file

from citations.inspection.checks.rules import SECTIONS, CheckRule, rules_of

from .check_corpus import CORPUS

PAGE: Final = Path(__file__).parents[1] / "docs" / "checks.md"
_INTRODUCTION: Final = """\
# What `check` finds

For developers whose badges don't show, on any SDK.

`python -m citations check` finds, in any bot's activity, what a client refuses, overlooks or shows as something else.
This page has all rules of it; `python -m tests.checks_page` writes it from the rows in `citations/inspection/checks/rules/`.

```sh
python -m citations check activity.json                     # code, JSON path, what is wrong and how to mend it
python -m citations check --channel msteams activity.json   # as Microsoft Teams takes it
python -m citations check emulator.transcript               # each activity, and each stream as a whole
python -m citations check --json activity.json              # with what a reader sees, for whom, and the source
python -m citations check --explain badge-image             # one rule; without a code, all of them
```

A file is an activity; an array of activities, such as a `.transcript` of the Bot Framework Emulator; or what Direct Line
sends (`{"activities": […]}`, or an array of these). Each problem's path names its activity: `$[3].entities[0]`. Without
`--channel`, an activity is judged by its own `channelId` where that is Web Chat's, Teams' or e-mail's, else as Web Chat
shows it. The exit code is 0 where nothing is wrong, 1 where something is, 2 where the input can't be read.

Words in capitals stand for a problem's own values.
"""
SYMPTOMS: Final = {
    "Web Chat shows the bare `[1]`": (
        "missing-definition", "claim-without-definition", "no-blank-line", "broken-title", "broken-url",
        "indented-definition", "unclosed-fence", "swallowed-by-html", "badge-escaped", "foreign-marker", "text-format",
    ),
    "Web Chat shows a plain link for a badge": (
        "same-destination", "url-encoding", "badge-with-spaces", "nested-definition", "worded-link",
    ),
    "Web Chat shows badges, but no passage and no label": (
        "message-id", "message-type", "graph-elsewhere", "position", "definition-without-claim", "claim-dropped",
        "node-without-type", "key-without-at", "label-unresolved", "label-on-claim",
    ),
    "Web Chat shows nothing, or an empty bubble": (
        "context", "root-without-type", "root-id", "entity-type", "entity-not-an-object", "message-emptied",
        "blank-node-cycle", "activity-type",
    ),
    "A click on a badge does nothing, or ends Web Chat": (
        "cite-with-url", "cite-characters", "definition-opens-nothing", "passage-missing", "passage-empty",
    ),
    "A badge is an image, a part of an address, or leads elsewhere": (
        "badge-image", "joined-badges", "badge-in-url", "badge-with-target", "hijacked-definition", "url-mismatch",
    ),
    "The label has no shield, lock or colour": (
        "message-without-label", "label-not-shown", "label-lock", "label-color", "label-without-name",
    ),
    "Teams shows the bare `[1]`, or a plain link": (
        "badge-without-claim", "badge-defined", "claim-without-badge", "foreign-marker", "graph-elsewhere", "message-type",
    ),
    "Teams refuses the message": (
        "citation-name", "citation-abstract", "citation-text", "citation-url", "position", "null-value",
        "second-message", "label-unresolved", "label-id-mismatch", "too-many-citations", "message-emptied",
    ),
    "A stream ends early, or is several bubbles": (
        "stream-channel-data", "stream-entity", "stream-id", "stream-sequence", "stream-not-growing",
        "stream-after-final", "stream-unfinished", "stream-not-personal", "stream-final-sequence",
    ),
}  # fmt: skip
"""What a developer sees, and the codes that may be the reason."""


SEEN: Final = {
    client: {re.split("[ :]", title)[0] for _, title, _, _ in read_fixture_file(CORPUS / name)}
    for client, name in (("Web Chat", "displayed.md"), ("the Agents Playground", "playground.md"))
}
"""The codes whose damage tests/browser and tests/playground see in real clients."""
# These are seen in clicks and streams.
SEEN["Web Chat"] |= {"passage-empty", "passage-missing", "stream-after-final", "stream-channel-data"}


def page() -> str:
    """The whole page."""
    parts = [_INTRODUCTION, _symptoms()]
    seen: set[str] = set()
    for title, rows in SECTIONS.items():
        parts.append(f"## {title}\n")
        for row in rows:
            if row.code not in seen:
                seen.add(row.code)
                parts.append(_code(row.code))
    return "\n".join(parts)


def _symptoms() -> str:
    rows = [
        f"| {seen} | {', '.join(f'[`{code}`](#{code})' for code in codes)} |"
        for seen, codes in SYMPTOMS.items()
    ]
    return "\n".join(["## What do you see?\n", "| you see | look at |", "|---|---|", *rows, ""])


def _code(code: str) -> str:
    where = " and ".join(client for client, codes in SEEN.items() if code in codes)
    seen = [f"A test sees this damage in {where}, and that the mended message has none.\n"] if where else []
    return "\n".join([f"### {code}\n", *map(_rule, rules_of(code)), *seen])


def _rule(rule: CheckRule) -> str:
    row = rule.explain()
    lines = (
        f"*{', '.join(client.name for client in rule.clients)}*: {row['wrong']}.",
        f"- A reader sees: {row['shown']}",
        f"- Mend it: {row['mend']}.",
        f"- Source: {row['source']}",
    )
    return "\n".join(_wrapped(line) for line in lines) + "\n"


def _wrapped(line: str) -> str:
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(line, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
