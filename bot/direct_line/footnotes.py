"""An answer or a whole conversation as Markdown, with its sources as footnotes.

Governing source: GitHub Docs, "Basic writing and formatting syntax", § "Footnotes". What the bot has sent is
read again here. A program in between may have changed it, so the copy is sanitized as any foreign text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Any, Final

from citations.activities import BadgeReader
from citations.markdown import (
    COPIES,
    Definition,
    MarkdownWriter,
    as_entity,
    clean_text,
    escape_text,
    read_document,
    read_markdown,
)

from ..languages import Sentence, say, wording
from .conversation import Activity, is_from

_SPACES: Final = re.compile(r"\s+")
_ALLOW_COPY: Final = "AllowCopy"
"""Web Chat's keyword of a message with a copy button."""


@dataclass(frozen=True, slots=True)
class MarkdownCopy:
    """A text, and the number of its footnotes."""

    text: str
    notes: int = 0


def may_copy(activity: Activity) -> bool:
    """Return whether a message of the bot may be copied. An answer from encrypted sources may not."""
    graph = _find_graph(activity)
    return graph is None or _ALLOW_COPY in _list(graph.get("keywords"))


def copy_answer(activity: Activity, before: int = 0) -> MarkdownCopy:
    """Write a message of the bot as Markdown, with footnotes numbered behind the ``before`` earlier ones.

    Its sensitivity label stands above it in words.
    """
    text = clean_text(str(activity.get("text") or ""))
    if activity.get("textFormat") == "plain":
        return MarkdownCopy(_write_safely(escape_text(text)))
    body, definitions = _split_definitions(text)
    graph = _find_graph(activity) or {}
    sources = _Footnotes({one.label: one for one in definitions}, _read_labels(graph), before)
    reader = BadgeReader({one.label: one.label for one in definitions if one.label.isdecimal()})
    written = _FootnoteWriter(sources).document(read_document(body, reader.read_leaf))
    # Without sources, the label is in the text already.
    label = _name_label(graph) if definitions else ""
    above = [f"**{_write_words(wording().label.format(label=label))}**"] if label else []
    blocks = [*above, written, *([sources.write()] if sources.used else [])]
    return MarkdownCopy("\n\n".join(blocks), len(sources.used))


def copy_conversation(activities: Iterable[Activity], title: str, name: str) -> MarkdownCopy:
    """Write a conversation as Markdown: each question as a heading, below it the answer and its footnotes.

    ``title`` is the heading above all, or ``name`` where the title only repeats the first question. What
    the bot said before that question is left out.
    """
    messages = [one for one in activities if one.get("type") == "message" and one.get("text")]
    messages = list(dropwhile(lambda one: not is_from(one, "user"), messages))
    first = _join_lines(str(messages[0]["text"])) if messages else ""
    heading = name if first.startswith(_join_lines(title)) else title
    blocks, notes = [f"# {_write_words(heading)}"], 0
    for message in messages:
        if is_from(message, "user"):
            blocks.append(f"## {_write_words(str(message['text']))}")
        elif not may_copy(message):
            blocks.append(f"*{say(Sentence.NOT_COPIED)}*")
        else:
            copied = copy_answer(message, notes)
            blocks.append(copied.text)
            notes += copied.notes
    return MarkdownCopy("\n\n".join(blocks) + "\n", notes)


class _Footnotes:
    """The sources of one answer, which get their footnotes in the order in which they are cited."""

    def __init__(self, definitions: Mapping[str, Definition], labels: Mapping[str, str], before: int) -> None:
        self.used: list[str] = []
        self._definitions = definitions
        self._labels = labels
        self._before = before

    def number(self, label: str) -> int:
        """The number of the footnote of the source with this number in the answer."""
        if label not in self.used:
            self.used.append(label)
        return self._before + self.used.index(label) + 1

    def write(self) -> str:
        """The footnotes, one on each line."""
        return "\n".join(f"[^{self.number(label)}]: {self._describe(label)}" for label in self.used)

    def _describe(self, label: str) -> str:
        source = self._definitions[label]
        name = _write_words(source.title)
        name = f"{name} ({_write_words(self._labels[label])})" if label in self._labels else name
        if source.url.startswith(("https://", "http://")):
            return f"{name}: <{source.url}>" if name else f"<{source.url}>"
        # To a reader without footnotes, a single word would be the target of a link.
        return name if " " in name else f"{_write_words(wording().source)}: {name}"


def _split_definitions(text: str) -> tuple[str, tuple[Definition, ...]]:
    """Split an answer into its text and the link definitions at its end, which are the bot's own."""
    text = text.rstrip("\n")
    definitions = read_markdown(text).definitions
    lines = text.split("\n")
    last = {one.line for one in definitions if not one.nested}
    count = len(list(takewhile(lambda line: line in last, range(len(lines) - 1, -1, -1))))
    at_end = tuple(one for one in definitions if one.line >= len(lines) - count)
    return "\n".join(lines[: len(lines) - count]).rstrip(), at_end


class _FootnoteWriter(MarkdownWriter):
    """Writes badges as footnotes ``[^1]``, and names of files as people read them. No link stays one."""

    escapes = COPIES
    between = ""
    brackets = ""

    def __init__(self, sources: _Footnotes | None = None) -> None:
        super().__init__()
        self._sources = sources

    def sign(self, found: re.Match[str]) -> str:
        """The sign as an entity. GitHub looks for addresses of e-mail in the text that entities stand for."""
        return "&#64;\u200b" if found[0] == "@" else as_entity(found)

    def one_badge(self, position: int) -> str:
        """The footnote of the source with this number in the answer."""
        return f"[^{self._sources.number(str(position))}]" if self._sources else ""


def _write_words(text: str) -> str:
    """Write plain text on one line, of which no reader makes a link."""
    return _write_safely(escape_text(_join_lines(text)))


def _join_lines(text: str) -> str:
    return _SPACES.sub(" ", clean_text(text)).strip()


def _write_safely(text: str) -> str:
    """Write Markdown without links, images and HTML, and names of files as people read them."""
    return _FootnoteWriter().document(read_document(text))


def _find_graph(activity: Activity) -> dict[str, Any] | None:
    """Find the Schema.org ``Message`` of an activity."""
    nodes = (node for node in _list(activity.get("entities")) if isinstance(node, dict))
    return next((node for node in nodes if node.get("@type") == "Message"), None)


def _read_labels(graph: Mapping[str, Any]) -> dict[str, str]:
    """Read the names of the sources' sensitivity labels, by the numbers of the sources."""
    found: dict[str, str] = {}
    for claim in _list(graph.get("citation")):
        if label := _name_label(claim.get("appearance") or {}, graph):
            found[str(claim.get("position"))] = label
    return found


def _name_label(node: Mapping[str, Any], graph: Mapping[str, Any] | None = None) -> str:
    """Return the name of a node's label; empty without one. A reference has the name of its full node."""
    label = node.get("usageInfo") or {}
    if "name" not in label and "@id" in label:
        claims = _list((graph or node).get("citation"))
        others = ((claim.get("appearance") or {}).get("usageInfo") or {} for claim in claims)
        label = next((one for one in others if one.get("@id") == label["@id"] and "name" in one), {})
    return str(label.get("name") or "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
