"""DESIGN § 4.3 as a function: what an engine may find in a text that was rendered for a channel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from citations import CitedAnswer
from citations.model.link_definition import define
from citations.model.wording import ENGLISH
from citations.text.url import live_url

from .engines import Readings
from .python_engines import CMARK
from .reading import Reading, ReadLink

_OF_ALL: Final = frozenset(
    {
        "webchat",
        "webchat-main",
        "markdown-it-12",
        "markdown-it-12-plain",
        "markdown-it-14",
        "markdown-it-14-plain",
        "commonmark.js",
        "micromark",
        "micromark-gfm",
    }
)
_OF_OTHERS: Final = (_OF_ALL - {"webchat-main"}) | {CMARK, "remark-gfm"}
"""Web Chat's main build has mathematics, which Teams and e-mail don't: to them a dollar is a dollar."""
HOLDING: Final = {
    "webchat": _OF_ALL,
    "passage": _OF_ALL,
    "msteams": _OF_OTHERS,
    "msteams-extended": _OF_OTHERS | {"teams-extended"},
    "email": _OF_OTHERS,
}
"""The engines of which the promise holds, by channel. What the others read is counted only."""
STRICT: Final = {
    "webchat": frozenset({"webchat", "webchat-main"}),
    "passage": frozenset({"webchat", "webchat-main"}),
    "msteams": frozenset({"remark-gfm"}),
    "msteams-extended": frozenset({"remark-gfm", "teams-extended"}),
    "email": frozenset[str](),
}
"""Those that must not make links of bare addresses either: Web Chat's and the Playground's."""


HARMLESS: Final = frozenset({"badge too many"})
"""A marker that is code to us and a badge to an engine leads to its own source all the same."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is ours in a text: the badges by label, and the definitions that they lead to.

    ``whole`` is false of an interim, which shows some of them. ``linked`` is false where the formatting
    was dropped: an e-mail's badges are no links there.
    """

    channel: str
    definitions: tuple[tuple[str, str, str], ...] = ()
    badges: Counter[str] = field(default_factory=Counter)
    live_hosts: frozenset[str] = frozenset()
    whole: bool = True
    linked: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """What an engine reads that it should not. ``holds``: the promise is of this engine too."""

    kind: str
    engine: str
    detail: str
    holds: bool


def expected_of(
    channel: str, cited: CitedAnswer, live_hosts: frozenset[str] = frozenset(), *, whole: bool = True
) -> Expected:
    """What a reader on this channel has to get of ``cited``."""
    return Expected(
        channel,
        tuple((one.label, one.destination, one.title) for one in define(cited, ENGLISH)),
        Counter(str(position) for use in cited.uses for position in use.positions),
        live_hosts,
        whole,
    )


def judge(readings: Readings, expected: Expected) -> list[Finding]:
    """All that the engines find and should not."""
    holding, strict = HOLDING[expected.channel], STRICT[expected.channel]
    findings = [
        Finding(kind, engine, detail, engine in holding and kind not in HARMLESS)
        for engines, reading in readings.by_engines
        for kind, detail in _wrong(reading, expected)
        for engine in engines
        if kind != "address" or engine in strict
    ]
    if expected.channel in {"webchat", "passage"} and not _is_listed(readings.definitions, expected):
        detail = f"{readings.definitions} for {expected.definitions}"
        findings.append(Finding("definitions", "webchat", detail, holds=True))
    return findings


def _is_listed(listed: tuple[tuple[str, str, str], ...], expected: Expected) -> bool:
    """Whether Web Chat lists our sources, or in an interim some of them, whose names may come yet."""
    if expected.whole:
        return listed == expected.definitions
    return {one[:2] for one in listed} <= {one[:2] for one in expected.definitions}


def _wrong(reading: Reading, expected: Expected) -> Iterator[tuple[str, str]]:
    for image in reading.images:
        yield "image", image
    for tag in reading.html:
        yield "html", tag
    for label in reading.aria_labels:
        yield "aria-label", label
    badges: Counter[str] = Counter()
    ours = _our_links(expected)
    for link in reading.links:
        if (link.text, link.href) in ours:
            badges[ours[link.text, link.href]] += 1
        elif kind := _kind_of(link, expected):
            yield kind, f"[{link.text}]({link.href})"
    if expected.whole:
        yield from _wrong_badges(badges, reading, expected)


def _our_links(expected: Expected) -> dict[tuple[str, str], str]:
    """The links that are badges, with their labels."""
    match expected.channel:
        case "webchat":
            return {(label, target): label for label, target, _ in expected.definitions}
        case "email":
            return {(f"({label})", target): label for label, target, _ in expected.definitions}
        case _:
            return {}


def _kind_of(link: ReadLink, expected: Expected) -> str | None:
    """What is wrong with a link that is no badge; None where nothing is."""
    targets = {target for _, target, _ in expected.definitions}
    if expected.channel == "email" and link.bare and link.href in targets:
        # The list of sources below an e-mail.
        return None
    if expected.live_hosts and live_url(link.href, expected.live_hosts) == link.href:
        return None
    if link.bare:
        return "address"
    if link.href in targets:
        return "worded badge"
    labels = {label for label, _, _ in expected.definitions}
    return "badge elsewhere" if link.text.strip("()") in labels else "link"


def _wrong_badges(badges: Counter[str], reading: Reading, expected: Expected) -> Iterator[tuple[str, str]]:
    """The badges that are lost, and those that are one too many."""
    match expected.channel:
        case "msteams" | "msteams-extended":
            found = Counter(reading.shown)
            needed = Counter({f"[{label}]": count for label, count in expected.badges.items()})
        case "email":
            found = Counter(reading.shown)
            needed = Counter({f"({label})": count for label, count in expected.badges.items()})
            urls = {
                label
                for label, target, _ in expected.definitions
                if expected.linked and not target.startswith("cite:")
            }
            links = Counter({label: count for label, count in expected.badges.items() if label in urls})
            if badges != links:
                yield "badge not a link" if badges < links else "badge too many", f"{badges} for {links}"
        case _:
            found, needed = badges, expected.badges
            if found - needed:
                yield "badge too many", f"{found - needed}"
    if needed - found:
        yield "lost badge", f"{needed - found}"
