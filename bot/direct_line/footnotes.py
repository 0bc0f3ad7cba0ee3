"""An answer or a whole conversation as Markdown, with its sources as footnotes.

Governing source: GitHub Docs, "Basic writing and formatting syntax", § "Footnotes". What the bot has sent is
read again here. A program in between may have changed it, so the copy is sanitized as any foreign text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, Final

from citations.markdown import COPIES, MarkdownWriter, as_entity, clean_text, escape_text, read_document
from citations.model import LinkDefinition, define

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
    """Whether a message of the bot may be copied. An answer from encrypted sources may not."""
    graph = _find_graph(activity)
    return graph is None or _ALLOW_COPY in _list(graph.get("keywords"))


def copy_answer(activity: Activity, before: int = 0) -> MarkdownCopy:
    """Write a message of the bot as Markdown, with footnotes numbered behind the ``before`` earlier ones.

    Its sensitivity label stands above it in words.
    """
    from citations.inspection import read_message  # noqa: PLC0415 - most processes copy no answer

    cited = read_message(activity)
    label = _name_label(_find_graph(activity) or {})
    above = [f"**{_write_words(wording().label.format(label=label))}**"] if label else []
    sources = define(cited, wording(), pages=False)
    labels = {str(one.position): one.reference.label_name for one in cited.citations}
    notes = [f"[^{before + int(one.label)}]: {_describe(one, labels[one.label])}" for one in sources]
    blocks = [*above, _FootnoteWriter(before).document(cited.document), "\n".join(notes)]
    return MarkdownCopy("\n\n".join(filter(None, blocks)), len(notes))


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


def _describe(source: LinkDefinition, label: str | None) -> str:
    name = _write_words(source.title)
    name = f"{name} ({_write_words(label)})" if label else name
    if source.is_url:
        return f"{name}: <{source.destination}>"
    # To a reader without footnotes, a single word would be the target of a link.
    return name if " " in name else f"{_write_words(wording().source)}: {name}"


class _FootnoteWriter(MarkdownWriter):
    """Writes badges as footnotes ``[^1]``, and names of files as people read them. No link stays one."""

    escapes = COPIES
    between = ""
    brackets = ""

    def __init__(self, before: int = 0) -> None:
        super().__init__()
        self._before = before

    def sign(self, found: re.Match[str]) -> str:
        """The sign as an entity. GitHub looks for addresses of e-mail in the text that entities stand for."""
        return "&#64;\u200b" if found[0] == "@" else as_entity(found)

    def one_badge(self, position: int) -> str:
        """The footnote of the source with this number in the answer."""
        return f"[^{self._before + position}]"


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


def _name_label(graph: Mapping[str, Any]) -> str:
    """The name of a message's label; empty without one. A reference has the name of its full node."""
    label = graph.get("usageInfo") or {}
    if "name" not in label and "@id" in label:
        documents = (claim.get("appearance") or {} for claim in _list(graph.get("citation")))
        others = (one.get("usageInfo") or {} for one in documents)
        label = next((one for one in others if one.get("@id") == label["@id"] and "name" in one), {})
    return str(label.get("name") or "")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
