"""The sources of a message: its claims, and the link definitions of its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final
from urllib.parse import unquote

from ...graph.card import read_card
from ...graph.schema_org import CARD_TYPE
from ...markdown import escape_text
from ...model.errors import Problem
from ...model.reference import Reference
from ...model.sensitivity_label import SensitivityLabel, is_purview_id
from ...text.controls import without_turns
from ...text.line import clean_name
from ...text.url import host_of, safe_url
from ..checks.values import NUMERAL
from ..outcome import Definition, label_key
from .node import GraphNode

"""A position that the grammar of markers reads as it stands."""
_DOCUMENT_LINK: Final = re.compile(r"\n\n\[(?:[^\[\]\\\n]|\\.)+\]\((?P<url>https?://[^\s()<>]+)\)\s*\Z")
"""A last paragraph that is only a link: to the document of the passage."""
_PAGINATION: Final = re.compile(r"(?P<first>[1-9]\d{0,5})(?:[-–](?P<last>[1-9]\d{0,5}))?", re.ASCII)
_NO_ADDRESS: Final = re.compile(r"(?:cite:|_:)")
"""The beginning of what identifies a source without an address: in a definition, and in a graph."""
_PERSON: Final = re.compile(r"mailto:([^\s?,;<>@]+@[^\s?,;<>@]+)(?:\?.*)?", re.IGNORECASE | re.DOTALL)


def read_sources(
    claims: Sequence[GraphNode], definitions: Sequence[Definition], problems: list[Problem]
) -> dict[str, Reference]:
    """The sources by the label that a badge has in the text, in the order of the text's definitions.

    "If there are deviations … the Markdown should take precedence over the Message thing" (CITATION.md).
    Of two definitions or claims with one label, clients use the first. Each reference's id is a number
    that no other reference has: its position, where that is one. ``problems`` gets each address that is none.
    """
    known: dict[str, GraphNode] = {}
    by_address: dict[str, GraphNode] = {}
    for claim in claims:
        for position in claim.texts("position"):
            known.setdefault(label_key(position), claim)
        if claim.id and not claim.texts("position"):
            by_address.setdefault(claim.id, claim)
    found: dict[str, Reference] = {}
    for one in definitions:
        key = label_key(one.label)
        if key not in found:
            found[key] = _define(known.get(key) or by_address.get(one.url), one)
    for key, claim in known.items():
        if key not in found:
            found[key] = read_claim(claim)
    written = {one.url for one in definitions}
    for source in found.values():
        if source.url and not safe_url(source.url) and not _PERSON.fullmatch(source.url):
            name, url = (clean_name(part or "", 100) for part in (source.name, source.url))
            fault = f"source {name!r} has the address {url!r}, which is none of http or https: it is left out"
            problems.append(
                Problem("url-dropped", "$.text" if source.url in written else "$.entities", fault)
            )
    return _numbered({key: _without_dead_address(one) for key, one in found.items()})


def _without_dead_address(reference: Reference) -> Reference:
    """``reference`` without an address that no link may have. That of a person stays as words.

    A handbook's source may be a desk that people write to: ``[1]: mailto:desk@example.com "HR desk"``.
    """
    url = reference.url
    if not url or safe_url(url):
        return reference
    person = _PERSON.fullmatch(url)
    address = unquote(person[1]) if person else ""
    return replace(
        reference,
        url=None,
        name=reference.name or address or None,
        text=reference.text or escape_text(address) or None,
    )


def read_claim(claim: GraphNode) -> Reference:
    """The source of one claim, without an id."""
    document = claim.node("appearance")
    name, pages = _split_pages(claim.text("name") or document.text("name"), document.text("pagination"))
    url = document.text("url") or claim.text("url")
    if not document.members and url is None:
        # Claims of older bots have their address for an identifier.
        url = claim.id
    url = url if url and not _NO_ADDRESS.match(url) else None
    text = document.text("text") or claim.text("text")
    media_type = document.text("encodingFormat")
    document_url = None
    if media_type == CARD_TYPE:
        # A badge of Teams that opens a card has its document's address beside it.
        text, media_type = read_card(text or "", name or ""), None
        url, document_url = None, url
    elif url is None:
        text, document_url = _split_link(text)
    return Reference(
        id="",
        name=name,
        url=url,
        page=pages[0] if pages else None,
        last_page=pages[1] if pages and pages[1] > pages[0] else None,
        text=text or _abstract(document.text("abstract") or claim.text("abstract"), name, url),
        label=read_label(document) or read_label(claim),
        media_type=media_type,
        modified=document.text("dateModified"),
        editor=document.text("editor") or document.node("editor").text("name"),
        document_url=document_url,
        keywords=document.texts("keywords"),
        # What a badge is numbered with is no id of the source: a rule for `id = "1"` has another in mind.
        ordinal=True,
    )


def read_label(node: GraphNode) -> SensitivityLabel | str | None:
    """A node's sensitivity label, without a priority; its name, where there is no more of it.

    Its id is Microsoft Purview's, else its name. Whether it encrypts is not read: who sent the message had
    the right to its words.
    """
    label = node.node("usageInfo")
    name = label.text("name")
    known = label.id if label.id and is_purview_id(label.id) else name
    if not known:
        return None
    description, color = label.text("description"), label.node("pattern").text("termCode")
    if not description and not color:
        return name or known
    return SensitivityLabel(id=known, name=clean_name(name or known), description=description, color=color)


def _define(claim: GraphNode | None, definition: Definition) -> Reference:
    reference = read_claim(claim) if claim else Reference(id="", ordinal=True)
    is_address = not _NO_ADDRESS.match(definition.url)
    url = definition.url if is_address and (safe_url(definition.url) or not reference.url) else reference.url
    return replace(reference, name=reference.name or without_turns(definition.title) or None, url=url)


def _split_pages(name: str | None, pagination: str | None) -> tuple[str | None, tuple[int, int] | None]:
    """A name without the pages at its end, in any language's words, and these pages."""
    numbers = _PAGINATION.fullmatch(pagination or "")
    if not (name and numbers):
        return name, None
    first, last = numbers["first"], numbers["last"]
    end = re.search(rf", [^\d,]{{1,12}}{first}" + (rf"[^\d,]{{1,5}}{last}" if last else "") + r"\Z", name)
    return (name[: end.start()], (int(first), int(last or first))) if end else (name, None)


def _split_link(text: str | None) -> tuple[str | None, str | None]:
    """A passage, and the address of its document if a link to it ends the passage."""
    link = _DOCUMENT_LINK.search(text or "")
    return (text[: link.start()], link["url"]) if text and link else (text, None)


def _abstract(abstract: str | None, name: str | None, url: str | None) -> str | None:
    """The abstract, unless it only repeats what the source is called: Teams wants one in any case."""
    address = safe_url(url) if url else None
    return None if abstract in (name, address and host_of(address)) else abstract


def _numbered(sources: Mapping[str, Reference]) -> dict[str, Reference]:
    taken = {key for key in sources if NUMERAL.fullmatch(key)}
    free = (str(number) for number in count(1) if str(number) not in taken)
    return {key: replace(one, id=key if key in taken else next(free)) for key, one in sources.items()}
