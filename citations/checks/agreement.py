"""Whether text and graph agree: "we use position … to match the link definition in Markdown to the Claim"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from ..markdown import Definition
from ..model.errors import Problem
from ..text.json_path import at
from .claims import ReadClaim
from .definitions import TEXT, is_link
from .text import ReadText, read_text
from .values import Node, each, is_node

_OPAQUE: Final = re.compile(r"[A-Za-z0-9._~:@?#%/=&+,;!$'()*\-]*")


def check_agreement(read: ReadText, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    """Definitions without a claim, claims without a definition, and pairs that differ."""
    by_position: dict[str, ReadClaim] = {}
    for claim in claims:
        if claim.position is not None:
            by_position.setdefault(claim.position, claim)
    for name, definition in read.listed.items():
        found = by_position.get(name)
        if found is None:
            yield from _check_unclaimed(definition, claimed=bool(claims))
        else:
            yield from _check_pair(read, definition, found)
    for position, claim in by_position.items():
        if position not in read.resolved:
            yield Problem(
                "claim-without-definition",
                at(claim.path, "position"),
                f"this citation isn't shown: the text has no definition [{position}] at the margin",
            )


def _check_unclaimed(definition: Definition, *, claimed: bool) -> Iterator[Problem]:
    if not is_link(definition.url):
        yield Problem(
            "definition-opens-nothing",
            TEXT,
            f"[{definition.label}] leads to {definition.url[:200]!r}, which opens nothing: give it a "
            f"claim with "
            f'position "{definition.label}" and a passage',
        )
    elif claimed:
        yield Problem(
            "definition-without-claim",
            TEXT,
            f"[{definition.label}] is a bare link, without passage and label: give it a claim with position "
            f'"{definition.label}"',
        )


def _check_pair(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    if claim.appearance is not None:
        check = _check_url if claim.url else _check_passage
        yield from check(read, definition, claim)
    name, title = claim.name, definition.title
    if name and title and name != title:
        yield Problem(
            "name-mismatch",
            at(claim.place, "name"),
            f"the list says {name[:80]!r} and the badge {title[:80]!r}: make name and title the same",
        )
    elif not title:
        yield Problem(
            "title-missing",
            TEXT,
            f"[{definition.label}] has no title, so that a screen reader says its host or number only: "
            f"add its name",
        )


def _check_url(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    path, url = at(claim.place, "url"), claim.url or ""
    if not is_link(definition.url):
        yield Problem(
            "cite-with-url",
            path,
            f"[{definition.label}] leads to {definition.url[:80]!r} and its badge does nothing: put the "
            f"URL into the "
            "definition, or omit it here",
        )
    elif url in (definition.url, read.raw_destination(definition)):
        return
    elif unquote(url) == unquote(definition.url) and url.isascii():
        yield Problem(
            "url-encoding",
            path,
            f"[{definition.label}] spells it otherwise, and its badge loses its style: make both the same",
        )
    elif url.isascii():
        yield Problem(
            "url-mismatch",
            path,
            f"the badge opens {definition.url[:200]!r} and the list this: make both the same",
        )


def _check_passage(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    if is_link(definition.url):
        yield Problem(
            "passage-on-url",
            claim.place,
            f"the list opens the passage and badge [{definition.label}] the URL: add url, or define it "
            f"as cite:…",
        )
    elif not _OPAQUE.fullmatch(read.raw_destination(definition) or definition.url):
        yield Problem(
            "cite-characters",
            TEXT,
            f"badge [{definition.label}] does nothing, for its destination changes on the way: use "
            f"cite:{definition.label}",
        )


def check_attachments(activity: Node, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    """Markdown attachments: Web Chat matches their definitions with the claims of the message, too."""
    by_position = {claim.position: claim for claim in claims}
    for path, attachment in each(activity.get("attachments"), "$.attachments"):
        if not is_node(attachment) or attachment.get("contentType") != "text/markdown":
            continue
        content = attachment.get("content")
        for name, definition in read_text(content).listed.items() if isinstance(content, str) else ():
            claim = by_position.get(name)
            if claim is not None and claim.url != (definition.url if is_link(definition.url) else None):
                yield Problem(
                    "attachment-reuses-label",
                    at(path, "content"),
                    f"its [{name}] is shown as citation {name} of the message: number on from there",
                )
