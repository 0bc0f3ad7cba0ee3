"""Any bot's activity becomes an answer again, so that it can be rendered for another channel.

:mod:`.graph` finds the Message in any form of JSON-LD. :mod:`.source` reads its claims, and
:mod:`.badge_marks` the badges of its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import unescape

from ...graph.schema_org import AI_GENERATED
from ...markdown import clean_text
from ...markers import cite
from ...model.answer import Answer, AnswerKind, Dialect, Origin, SourceCode
from ...model.citation import CitedAnswer
from ...model.errors import AnswerFormatError
from ...model.reference import Reference
from ...model.sensitivity_label import SensitivityLabel, label_name
from ...text.line import clean_name
from ..outcome import label_key, read_markdown
from .badge_marks import BadgeReader, mark_badges, mark_plain
from .graph import find_message
from .node import GraphNode
from .source import read_label, read_sources

__all__ = ["BadgeReader", "read_activity", "read_message"]


def read_message(activity: object) -> CitedAnswer:
    """Read the decoded JSON of any bot's activity, so that :func:`~citations.render` can pass it on.

    Badges, sources and sensitivity labels are read; the graph may have any form of JSON-LD. Nothing is
    fetched, and nothing is trusted: the next rendering sanitizes and verifies it like any answer.
    ``problems`` say what can't be read. Raises :class:`~citations.AnswerFormatError` if it is no activity
    with a text. The time grows linearly with the activity.
    """
    return cite(read_activity(activity))


def read_activity(activity: object) -> Answer:
    """The answer that an activity shows, with a numbered marker for each badge.

    Labels are named as the activity names them. A message's label that no source has becomes a reference
    of its own, which nothing cites. Raises :class:`~citations.AnswerFormatError`.
    """
    if not isinstance(activity, Mapping):
        raise AnswerFormatError("expected an activity, a JSON object")
    text = activity.get("text")
    if not isinstance(text, str):
        raise AnswerFormatError("expected the text of a message, a string", "$.text")
    message, alone, problems = find_message(activity.get("entities"))
    claims = message.nodes("citation") or tuple(alone)
    text = _without_label_line(clean_text(text), read_label(message), claims)
    plain = activity.get("textFormat") == "plain"
    definitions = () if plain else read_markdown(text).definitions
    sources = read_sources(claims, definitions, problems)
    ids = {key: reference.id for key, reference in sources.items()}
    if plain:
        text = mark_plain(text, ids)
    else:
        text = mark_badges(text, ids, {label_key(one.label) for one in definitions})
    references = tuple(sources.values())
    return Answer(
        text=text.rstrip() if definitions else text,
        references=(*references, *_message_label(message, references)),
        dialect=Dialect.NUMBERED,
        origin=_origin(message, claims),
        query=_query(message.node("isBasedOn")),
        kind=_kind(activity.get("channelData")),
        problems=tuple(problems),
    )


def _without_label_line(text: str, label: SensitivityLabel | str | None, claims: Sequence[GraphNode]) -> str:
    """``text`` without the line that a rendering puts above an answer without citations."""
    line, _, rest = text.partition("\n\n")
    if not label or claims or "\n" in line:
        return text
    return rest if unescape(line).endswith(f": {clean_name(label_name(label) or '')}") else text


def _message_label(message: GraphNode, references: Sequence[Reference]) -> Iterator[Reference]:
    """The source behind the message's label, if it is none of ``references``."""
    label = read_label(message)
    known = {one.label_name for one in references if one.label}
    name = label_name(label) or ""
    named = name.split(", ")
    if known and name not in known and known <= {*named}:
        # Labels that can't be ranked are all named by the message.
        label = name = ", ".join(one for one in named if one not in known)
    if name and name not in known:
        yield Reference(id="message", label=label, ordinal=True)


def _origin(message: GraphNode, claims: Sequence[GraphNode]) -> Origin:
    interpreter = next((one for claim in claims for one in claim.nodes("claimInterpreter")), message)
    words = (*message.texts("keywords"), *message.texts("additionalType"))
    return Origin(
        slogan=interpreter.text("slogan") or interpreter.text("name"),
        url=interpreter.text("url"),
        generated=any(AI_GENERATED in word for word in words),
    )


def _query(code: GraphNode) -> SourceCode | None:
    text = code.text("text")
    return SourceCode(text, code.text("programmingLanguage")) if text else None


def _kind(channel_data: object) -> AnswerKind | None:
    found = channel_data.get("answerKind") if isinstance(channel_data, Mapping) else None
    return AnswerKind(found) if found in tuple(AnswerKind) else None
