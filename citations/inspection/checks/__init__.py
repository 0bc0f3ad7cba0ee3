"""The rules for any bot's activity: what Web Chat, Microsoft Teams or a mail reader does with it.

Every rule prevents a loss that was observed: of a message, a badge, a label or a dialog. :mod:`.teams`
has the rules of Teams; the other modules have Web Chat's. :mod:`.roots` finds the Message.
:mod:`.claims`, :mod:`.labels`, :mod:`.actions`, :mod:`.blank_nodes` and :mod:`.stream_metadata` read the
graph. :mod:`.message_text`, :mod:`.definitions` and :mod:`.badges` read the text, and :mod:`.agreement`
compares the two. :mod:`.live_content`, :mod:`.mathematics` and :mod:`.claims` find text that clients read
unlike its author.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ...model.channel_id import CHANNEL_IDS, Client
from ...model.errors import Problem
from ...text.encoding import SURROGATE
from .actions import check_actions
from .agreement import check_agreement, check_attachments, check_controls
from .badges import check_badges
from .blank_nodes import check_blank_nodes, collect
from .claims import ReadClaim, check_claims, check_passages, read_claims
from .definitions import TEXT, check_definitions
from .expansion import check_expansion
from .labels import check_labels
from .live_content import MARKDOWN_IT, REMARK, WEB_CHAT_MAIN, check_accessible_names, check_live, check_loads
from .live_content import WEB_CHAT as WEB_CHAT_ENGINE
from .mathematics import check_formulas
from .message_text import ReadText, read_text
from .roots import SCHEMA, Root, check_elsewhere, check_nodes, check_roots, find_root, outside_texts
from .rules import RULES, problem, rules_of
from .stream_metadata import check_streaming
from .teams import EXTENDED, check_teams
from .values import Node, broken_strings, depth, is_node, size, to_json

MAX_BYTES: Final = 262_144
"""The connector and Direct Line refuse a larger activity."""
MAX_DEPTH: Final = 64
"""The most nested objects and arrays that .NET's JSON readers take, the connector's among them."""
_SHOWN: Final = ("message", "typing")
_MARKDOWN: Final = (None, "markdown")
_UNREADABLE: Final = frozenset({"json-ld-keyword", "key-without-at"})
"""With these faults, JSON-LD's reading of a node isn't what its author means."""

Check = Callable[[Node, ReadText | None], Iterator[Problem]]
"""Finds the problems of an activity; its text is read already where it is Markdown."""

__all__ = ["CLIENTS", "MAX_BYTES", "MAX_DEPTH", "RULES", "Check", "check_rules", "rules_of"]


def check_rules(activity: object, channel_id: str, *others: Check) -> tuple[Problem, ...]:
    """Find what breaks a rule, and what ``others`` find in an activity that the channel's client shows."""
    if not is_node(activity):
        return (problem("not-an-activity", "$"),)
    faults = tuple(_check_whole(activity))
    if any(fault.code == "too-deep" for fault in faults):
        return faults
    client = CLIENTS.get(channel_id.lower())
    found = faults
    if client is not None and activity.get("type") in _SHOWN:
        read = _text(activity, client)
        found += tuple(one for check in (_CHECKS[client], *others) for one in check(activity, read))
    if _is_empty(activity) and not any(fault.path == TEXT for fault in found):
        found += (problem("message-empty", TEXT),)
    # The same fault of several badges needs one repair.
    return tuple(dict.fromkeys(found))


def _is_empty(activity: Node) -> bool:
    """Whether a message shows nothing."""
    text = activity.get("text")
    other = ("attachments", "suggestedActions", "value", "name", "speak")
    return activity.get("type") == "message" and not (
        (text.strip() if isinstance(text, str) else text) or any(activity.get(key) for key in other)
    )


def _check_whole(activity: Node) -> Iterator[Problem]:
    """The rules that hold on every channel."""
    if depth(activity, MAX_DEPTH) > MAX_DEPTH:
        yield problem("too-deep", "$", most=MAX_DEPTH)
        return
    kind = activity.get("type")
    if (
        not isinstance(kind, str)
        or kind.startswith(SCHEMA)
        or (kind not in _SHOWN and kind.lower() in _SHOWN)
    ):
        said = "has no type" if kind is None else f"is of type {kind!r:.40}, which no channel knows"
        yield problem("activity-type", "$.type", said=said)
    written = to_json(activity)
    if SURROGATE.search(written):
        yield from (problem("not-unicode", path) for path in broken_strings(activity, "$"))
    if (bytes_ := size(written)) > MAX_BYTES:
        yield problem("too-large", "$", size=bytes_, most=MAX_BYTES)


def _check_web_chat(activity: Node, read: ReadText | None) -> Iterator[Problem]:
    entities = activity.get("entities")
    if entities is not None and not isinstance(entities, list):
        yield problem("entities-not-an-array", "$.entities")
    listed = entities if isinstance(entities, list) else []
    root = find_root(activity)
    yield from check_roots(listed, root)
    if root is None:
        yield from check_elsewhere(activity)
    claims = read_claims(root) if root else ()
    yield from _check_text(activity, read, claims)
    yield from check_attachments(activity, claims)
    yield from check_passages(claims, read)
    yield from _check_graph(listed, root, claims, read)
    yield from check_streaming(activity)


def _text(activity: Node, client: Client) -> ReadText | None:
    """The text as Markdown; None without a text, or for a text in another format."""
    text, kind = activity.get("text"), activity.get("textFormat")
    # Teams has one more format in public developer preview.
    is_markdown = kind in _MARKDOWN or (client is Client.TEAMS and kind == EXTENDED)
    return read_text(text) if isinstance(text, str) and text and is_markdown else None


def _check_text(activity: Node, read: ReadText | None, claims: tuple[ReadClaim, ...]) -> Iterator[Problem]:
    text, kind = activity.get("text"), activity.get("textFormat")
    if text is not None and not isinstance(text, str):
        yield problem("text-not-a-string", TEXT)
    elif claims and not text:
        yield problem("text-missing", TEXT)
    elif text and kind not in _MARKDOWN and (claims or read_text(text).outcome.definitions):
        yield problem("text-format", "$.textFormat")
    if read is not None:
        yield from check_definitions(read)
        yield from check_badges(read, frozenset(claim.position for claim in claims if claim.position))
        yield from check_controls(read, claims)
        yield from check_agreement(read, claims, outside_texts(activity))
        yield from check_live(TEXT, read, WEB_CHAT_ENGINE, WEB_CHAT_MAIN)
        yield from check_accessible_names(TEXT, read)
        yield from check_formulas(TEXT, read)


def _check_graph(
    entities: list[object], root: Root | None, claims: tuple[ReadClaim, ...], read: ReadText | None
) -> Iterator[Problem]:
    blank = collect(entities)
    unending = tuple(check_blank_nodes(blank, entities))
    yield from unending
    if root is None:
        return
    faults = tuple(check_nodes(root))
    yield from faults
    yield from check_claims(root, claims)
    yield from check_actions(root)
    text = read.text if read else ""
    yield from check_labels(root, claims, blank, text=text, listed=read is not None and bool(read.listed))
    if not unending and _UNREADABLE.isdisjoint(fault.code for fault in faults):
        yield from check_expansion(root)


def _check_mail(_: Node, read: ReadText | None) -> Iterator[Problem]:
    """The rules for a mail reader, whose Markdown is unknown: faults in any engine."""
    if read is not None:
        yield from check_loads(TEXT, read.outcome)
        yield from check_live(TEXT, read, MARKDOWN_IT, REMARK)


_CHECKS: Final[Mapping[Client, Check]] = {
    Client.WEB_CHAT: _check_web_chat,
    Client.TEAMS: check_teams,
    Client.EMAIL: _check_mail,
}
CLIENTS: Final[Mapping[str, Client]] = {
    name: row.client for name, row in CHANNEL_IDS.items() if row.client in _CHECKS
}
"""The client of each channel, by channel id. Its rules apply there."""
