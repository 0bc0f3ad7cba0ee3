"""The problems of activities: of their clients' rules, of their words beside their passages, of streams."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from ..doubts import find_doubts
from ..markdown import Document, Paragraph
from ..markers.marker_reader import DialectReader
from ..markers.positions import Positions
from ..model.answer import Dialect
from ..model.citation import CitedAnswer
from ..model.errors import Problem
from ..model.reference import Reference
from .checks import CLIENTS, check_rules
from .checks.claims import ReadClaim, read_claims
from .checks.definitions import TEXT
from .checks.message_text import ReadText, read_text
from .checks.roots import find_root
from .checks.rules import problem
from .checks.transcript import Checked, check_streams, find_activities, move
from .checks.values import Node, first, is_node

_BRACKET: Final = re.compile(r"[\[【［]")


def check(activity: object, *, channel_id: str = "webchat", complete: bool = False) -> tuple[Problem, ...]:
    """Find the mistakes of an activity that harm its reader.

    ``activity`` is the decoded JSON of any bot's activity. ``channel_id`` is a Bot Framework channel id.
    On channels outside :data:`CLIENTS` only type, size, depth and characters are checked. Each
    :class:`Problem` says what is lost and how to repair it. Never raises on JSON values and never fetches
    anything. The time grows linearly with the activity. ``complete`` says that the answer was made with
    no more of its sources than the activity has: then numbers and quotations are compared with them, too.
    """
    return check_rules(activity, channel_id, partial(_check_doubts, complete=complete))


def check_transcript(
    document: object, *, channel_id: str | None = None, complete: bool = False
) -> tuple[Problem, ...]:
    """Find the mistakes of every activity in a document, and those between the pieces of a stream.

    ``document`` is an activity, an array of them, such as a ``.transcript`` of the Emulator, or what Direct
    Line sends: an object with ``activities``, or an array of these. The path of a problem begins with its
    activity's. An activity is judged by ``channel_id``, else by its own ``channelId`` where that is in
    :data:`CLIENTS`, else as on ``webchat``. ``complete`` is that of :func:`check`. What
    people wrote (``from.role`` is ``user``) is left out.
    """
    found: list[Problem] = []
    checked: list[Checked] = []
    for path, activity in find_activities(document):
        own = str(activity.get("channelId")).lower() if is_node(activity) else ""
        channel = channel_id or (own if own in CLIENTS else "webchat")
        found += (move(one, path) for one in check(activity, channel_id=channel, complete=complete))
        if is_node(activity):
            checked.append(Checked(path, activity, CLIENTS.get(channel.lower())))
    return (*found, *check_streams(checked))


def _check_doubts(activity: Node, read: ReadText | None, *, complete: bool) -> Iterator[Problem]:
    """What is doubtful about the words, beside the passages in the graph.

    Numbers and quotations are compared only where the passages are ``complete``.
    """
    text, root = activity.get("text"), find_root(activity)
    if root is None or not isinstance(text, str):
        return
    references = tuple(
        Reference(id=claim.position, text=passage, complete=complete)
        for claim in read_claims(root)
        if claim.position and (passage := _passage(claim))
    )
    if not references:
        return
    read = read or read_text(text)
    positions = Positions()
    positions.add(references)
    reader = DialectReader(positions, Dialect.NUMBERED)
    # Only sentences with a badge are compared, whatever blocks they stand in.
    citing = (leaf.content for leaf in read.leaves if _BRACKET.search(leaf.content))
    paragraphs = tuple(Paragraph(reader.read_words(content)) for content in citing)
    cited = CitedAnswer(
        text=read.text,
        document=Document(paragraphs),
        citations=positions.citations(),
        references=references,
    )
    ids = {one.position: one.reference.id for one in cited.citations}
    for doubt in find_doubts(cited):
        cited_ids = ", ".join(ids[position] for position in doubt.positions)
        yield problem(doubt.code.value, TEXT, words=doubt.words, cited=cited_ids)


def _passage(claim: ReadClaim) -> str | None:
    abstract = first((claim.appearance or {}).get("abstract"))
    return claim.text or (abstract if isinstance(abstract, str) else None)
