"""The claims of a Message: positions, passages, URLs and interpreters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...model.citation import MAX_CITATIONS
from ...model.errors import Problem, at
from ...text.url import host_of, safe_url
from .live_content import WEB_CHAT, WEB_CHAT_MAIN, check_accessible_names, check_live, check_loads, number_of
from .message_text import ReadText, read_text
from .roots import Root
from .rules import problem
from .values import NUMERAL, Node, each, first, is_node, numeral

_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T[\d:.,+Z-]+)?)?)?\Z", re.ASCII)
_TEXTS: Final = {
    "claim": ("@id", "name", "alternateName"),
    "appearance": ("name", "abstract", "text", "url", "encodingFormat", "dateModified"),
    "claimInterpreter": ("name", "slogan", "url"),
}
_SCRIPTS: Final = re.compile(r"\s*(?:javascript|vbscript|data|file)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim as Web Chat reads it. ``position`` is the form that it compares."""

    path: str
    node: Node
    position: str | None
    appearance: Node | None

    @property
    def url(self) -> str | None:
        """``appearance.url``; None for a non-URL citation, whose text a click opens.

        Web Chat 4.18 takes an empty URL for none.
        """
        return self._text("url") or None

    @property
    def text(self) -> str | None:
        """The passage that a non-URL citation opens."""
        return self._text("text")

    @property
    def name(self) -> str | None:
        """Its name in the list of references, if the graph has one."""
        name = first(self.node.get("name"))
        return name if isinstance(name, str) else self._text("name")

    @property
    def place(self) -> str:
        """The path of its appearance."""
        return at(self.path, "appearance")

    def _text(self, key: str) -> str | None:
        value = first(self.appearance.get(key)) if self.appearance else None
        return value if isinstance(value, str) else None


def read_claims(root: Root) -> tuple[ReadClaim, ...]:
    """The claims that Web Chat keeps: "nested objects" with a type."""
    claims: list[ReadClaim] = []
    for path, node in each(root.node.get("citation"), at(root.path, "citation")):
        if is_node(node) and isinstance(node.get("@type"), str) and isinstance(node.get("@id", ""), str):
            shown = first(node.get("appearance"))
            appearance = shown if is_node(shown) and isinstance(shown.get("@type"), str) else None
            claims.append(ReadClaim(path, node, numeral(node.get("position")), appearance))
    return tuple(claims)


def check_claims(root: Root, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    """The faults of the claims themselves, whatever the text says."""
    yield from _check_list(root, claims)
    seen: dict[str, str] = {}
    for claim in claims:
        yield from _check_position(claim, seen)
        yield from _check_texts(claim)
        yield from _check_appearance(claim)
        yield from _check_interpreter(claim)
    yield from _check_first_interpreter(claims)


def _check_list(root: Root, claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    path = at(root.path, "citation")
    kept = {claim.path: claim for claim in claims}
    for place, _ in each(root.node.get("citation"), path):
        if place not in kept:
            yield problem("claim-dropped", place)
        elif kept[place].node["@type"] != "Claim":
            yield problem("claim-type", at(place, "@type"))
    if len(claims) > MAX_CITATIONS:
        yield problem("too-many-citations", path, count=len(claims), most=MAX_CITATIONS)


def _check_position(claim: ReadClaim, seen: dict[str, str]) -> Iterator[Problem]:
    path = at(claim.path, "position")
    if claim.position is None or not NUMERAL.fullmatch(claim.position):
        yield problem("position", path)
    elif (other := seen.setdefault(claim.position, path)) != path:
        yield problem("duplicate-position", path, position=claim.position, other=other)


def _check_texts(claim: ReadClaim) -> Iterator[Problem]:
    parts = (
        ("claim", claim.path, claim.node),
        ("appearance", claim.place, claim.appearance),
        ("claimInterpreter", at(claim.path, "claimInterpreter"), first(claim.node.get("claimInterpreter"))),
    )
    for kind, path, node in parts:
        texts = {key: first(node.get(key)) for key in _TEXTS[kind]} if is_node(node) else {}
        for key, value in texts.items():
            if value is not None and not isinstance(value, str):
                yield problem("not-a-string", at(path, key), key=key)
    name, shown = first(claim.node.get("name")), first((claim.appearance or {}).get("name"))
    if isinstance(name, str) and isinstance(shown, str) and name != shown:
        yield problem("claim-name", at(claim.path, "name"))


def _check_appearance(claim: ReadClaim) -> Iterator[Problem]:
    date = first((claim.appearance or {}).get("dateModified"))
    if isinstance(date, str) and date and not _DATE.match(date):
        yield problem("date", at(claim.place, "dateModified"), date=date)
    if claim.appearance is None:
        yield problem("claim-without-appearance", claim.place)
    elif claim.url is not None:
        yield from check_url(at(claim.place, "url"), claim.url)
    elif claim.text is None:
        yield problem("passage-missing", at(claim.place, "text"))
    elif not claim.text.strip():
        yield problem("passage-empty", at(claim.place, "text"))


def check_url(path: str, url: str) -> Iterator[Problem]:
    """A URL that a reader can't or must not follow."""
    if _SCRIPTS.match(url):
        yield problem("unsafe-url", path, url=url)
    elif not url.isascii():
        yield problem("url-encoding", path, url=url)
    elif safe_url(url) is None:
        yield problem("url", path, url=url)


def _check_interpreter(claim: ReadClaim) -> Iterator[Problem]:
    interpreter = first(claim.node.get("claimInterpreter"))
    path = at(claim.path, "claimInterpreter")
    if not is_node(interpreter):
        return
    url = first(interpreter.get("url"))
    if isinstance(url, str) and url:
        yield from check_url(at(path, "url"), url)
    if not any(isinstance(first(interpreter.get(key)), str) for key in ("slogan", "name")):
        yield problem("interpreter-unnamed", path)


def _check_first_interpreter(claims: Sequence[ReadClaim]) -> Iterator[Problem]:
    having = [claim for claim in claims if is_node(first(claim.node.get("claimInterpreter")))]
    if having and having[0] is not claims[0]:
        yield problem("interpreter-not-first", at(claims[0].path, "claimInterpreter"))


def check_passages(claims: Sequence[ReadClaim], read: ReadText | None) -> Iterator[Problem]:
    """Live content that a document brings into its citation's dialog; ``read`` is the message's text."""
    own = {claim.url for claim in claims if claim.url}
    own |= {definition.url for definition in read.resolved.values()} if read else set()
    hosts = frozenset(host for url in own if (host := _host(url)))
    for claim in claims:
        # A URL citation has no dialog.
        if claim.url is None and claim.text:
            yield from _check_passage(claim, hosts)


def _check_passage(claim: ReadClaim, hosts: frozenset[str]) -> Iterator[Problem]:
    path, read = at(claim.place, "text"), read_text(claim.text or "")
    yield from check_loads(path, read.outcome)
    hosts |= frozenset(host for url in _opening_links(claim, read) if (host := _host(url)))
    for link in dict.fromkeys(read.outcome.links):
        if number := number_of(link.text):
            yield problem("badge-with-target", path, number=number, url=link.url)
        elif _host(link.url) not in hosts:
            yield problem("passage-link", path, url=link.url)
    yield from check_live(path, read, WEB_CHAT, WEB_CHAT_MAIN)
    yield from check_accessible_names(path, read)


def _opening_links(claim: ReadClaim, read: ReadText) -> tuple[str, ...]:
    """The URL of the link at the end of the passage that names the source: it opens the document."""
    last = read.outcome.links[-1:]
    ends = read.lines[-1].startswith("[") and read.text.rstrip().endswith(")")
    return tuple(link.url for link in last if ends and claim.name and claim.name in link.text)


def _host(url: str) -> str:
    known = safe_url(url)
    return host_of(known) if known else ""
