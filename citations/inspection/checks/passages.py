"""The passages in a dialog: a document's own words, which Web Chat reads as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.errors import Problem, at
from ...text.url import host_of, safe_url
from .claims import ReadClaim
from .live_content import WEB_CHAT, WEB_CHAT_MAIN, check_accessible_names, check_live, check_loads, number_of
from .rules import problem
from .text import ReadText, read_text


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
