"""Whether text and graph agree: "we use position … to match the link definition in Markdown to the Claim"."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from urllib.parse import unquote

from ...model.errors import Problem, at
from ...text.controls import TURN
from ..outcome import Definition
from .claims import ReadClaim
from .definitions import TEXT, is_link
from .message_text import ReadText, read_text
from .rules import problem
from .values import Node, each, is_node

# Unicode TR 36: a name or a title reads as another one.


def check_agreement(
    read: ReadText, claims: Sequence[ReadClaim], outside: Container[str]
) -> Iterator[Problem]:
    """Definitions without a claim, claims without a definition, and pairs that differ.

    ``outside`` has the ``@id`` of each claim outside the Message that has a text. A definition that names one
    opens that.
    """
    by_position: dict[str, ReadClaim] = {}
    for claim in claims:
        if claim.position is not None:
            by_position.setdefault(claim.position, claim)
    for name, definition in read.listed.items():
        found = by_position.get(name)
        if found is None:
            yield from _check_unclaimed(definition, claimed=bool(claims), opens=definition.url in outside)
        else:
            yield from _check_pair(read, definition, found)
    for position, claim in by_position.items():
        if position not in read.resolved:
            yield problem("claim-without-definition", at(claim.path, "position"), position=position)


def _check_unclaimed(definition: Definition, *, claimed: bool, opens: bool) -> Iterator[Problem]:
    if not is_link(definition.url):
        if not opens:
            yield problem("definition-opens-nothing", TEXT, label=definition.label, url=definition.url)
    elif claimed:
        yield problem("definition-without-claim", TEXT, label=definition.label)


def _check_pair(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    if claim.appearance is not None:
        check = _check_url if claim.url else _check_passage
        yield from check(read, definition, claim)
    name, title = claim.name, definition.title
    if name and title and name != title:
        yield problem("name-mismatch", at(claim.place, "name"), name=name[:80], title=title[:80])
    elif not title:
        yield problem("title-missing", TEXT, label=definition.label)


def _check_url(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    path, url = at(claim.place, "url"), claim.url or ""
    if not is_link(definition.url):
        yield problem("cite-with-url", path, label=definition.label, url=definition.url)
    elif url in (definition.url, read.raw_destination(definition)):
        return
    elif unquote(url) == unquote(definition.url) and url.isascii():
        yield problem("url-encoding", path, url=url)
    elif url.isascii():
        yield problem("url-mismatch", path, url=definition.url)


def _check_passage(read: ReadText, definition: Definition, claim: ReadClaim) -> Iterator[Problem]:
    if is_link(definition.url):
        yield problem("passage-on-url", claim.place, label=definition.label)
    # markdown-it normalises a destination: `urn:a:b:1` becomes `urn:a:1:b`, which no definition has.
    elif read.raw_destination(definition) not in (None, definition.url):
        yield problem("cite-characters", TEXT, label=definition.label)


def check_controls(read: ReadText, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    """Bidirectional controls in the names of citations and the titles of definitions."""
    named: list[tuple[str, str | None]] = [(TEXT, one.title) for one in read.resolved.values()]
    named += [(at(claim.place, "name"), claim.name) for claim in claims]
    for path, name in named:
        if found := TURN.search(name or ""):
            yield problem("bidi-control", path, character=f"U+{ord(found[0]):04X}")


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
                yield problem("attachment-reuses-label", at(path, "content"), label=name)
