"""DESIGN's rules as functions: what fails in an activity, as the engines of clients read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import Any, Final

import cmarkgfm
from cmarkgfm.cmark import Options

from citations.inspection.json_ld import ExpansionError, lost_terms
from tests.clients.engines import Readings
from tests.clients.judge import HOLDING
from tests.clients.reading import Reading

from .answers import Case, MarkerForm

MESSAGE: Final = "https://schema.org/Message"
OPEN_WEBUI: Final = re.compile(r'<source_id data="(\d+)" title="[^"]*" />')
_INERT: Final = re.compile(rf"<br>|{OPEN_WEBUI.pattern}")
"""A line break, which leads nowhere, and Open WebUI's badge."""
_HTTP: Final = re.compile(r"https?://|cite:")


@dataclass(frozen=True, slots=True)
class Sent:
    """What a channel got for a case, with what its engines read in the text and in the passages."""

    case: Case
    form: MarkerForm
    channel: str
    activity: dict[str, Any]
    readings: Readings
    passages: tuple[Readings, ...]
    cited: tuple[str, ...] | None
    problems: tuple[str, ...]

    @property
    def text(self) -> str:
        text: str = self.activity["text"]
        return text

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The root nodes of the graph."""
        return [one for one in self.activity.get("entities") or () if one.get("type") == MESSAGE]

    @property
    def claims(self) -> list[dict[str, Any]]:
        return [claim for one in self.messages for claim in one.get("citation") or ()]

    def read(self, engine: str) -> Reading:
        [found] = [reading for names, reading in self.readings.by_engines if engine in names]
        return found

    @property
    def badges(self) -> list[int]:
        """The numbers that a person sees as badges, as they stand in the text."""
        if self.channel == "open-webui":
            return [int(number) for number in OPEN_WEBUI.findall(self.text)]
        if self.channel == "webchat":
            labels = {label for label, _, _ in self.readings.definitions}
            return [int(one.text) for one in self.read("webchat").links if one.text in labels]
        known = {claim["position"] for claim in self.claims}
        shown = [int(one[1:-1]) for one in self.read("micromark-gfm").shown if one.startswith("[")]
        return [number for number in shown if number in known]


def is_hidden_from_web_chat(node: dict[str, Any]) -> bool:
    """Web Chat, getOrgSchemaMessage: the message is the node with this id, and no other."""
    return node.get("@id") != ""


def positions(sent: Sent) -> Iterator[str]:
    """§4.1: 1..n in order of first use, one for each source, at most 20, and no drop is silent."""
    used = sent.case.sources_in_order
    if sent.channel == "open-webui":
        first = list(dict.fromkeys(sent.badges))
        if first != list(range(1, len(first) + 1)):
            yield f"the numbers are {first}"
        return
    if len(used) > 20 and not sent.problems:
        yield f"{len(used)} sources are cited, and nothing reports that a message holds 20"
    found = sorted(int(claim["position"]) for claim in sent.claims)
    if found != list(range(1, min(len(used), 20) + 1)):
        yield f"the positions are {_short(found)}, for so many distinct sources: {len(used)}"
    first = list(dict.fromkeys(sent.badges))
    if first != sorted(first):
        yield f"the numbers in the text are {_short(first)}"


def agreement(sent: Sent) -> Iterator[str]:
    """§4.2: a definition, a claim and a visible badge for each position, which agree."""
    claims = {int(claim["position"]): claim for claim in sent.claims}
    unseen = sorted(set(claims) - set(sent.badges))
    if sent.channel == "msteams":
        if not claims:
            yield "no claim"
        if unseen:
            yield f"a claim without a visible marker: {_short(unseen)}"
        if len(sent.case.sources_in_order) > len(claims) and len(claims) < 20:
            yield "a source that is cited has no claim"
        return
    if any(map(is_hidden_from_web_chat, sent.messages)) or not claims:
        yield "Web Chat finds no claim"
    definitions = {label: (url, title) for label, url, title in sent.readings.definitions}
    if {str(position) for position in claims} != set(definitions) or unseen:
        yield f"badges {_short(sorted(set(sent.badges)))} for claims {_short(sorted(claims))}"
        return
    for position, claim in claims.items():
        url, title = definitions[str(position)]
        appearance = claim["appearance"]
        if appearance.get("url", url) != url or title != appearance.get("name"):
            yield f"definition {position} differs from its claim"


def liveness(sent: Sent) -> Iterator[str]:
    """§4.3: no foreign link, image, HTML or accessible name, in the text and in what badges open."""
    own = {(label, url) for label, url, _ in sent.readings.definitions if label.isdecimal()}
    own -= {(label, url) for label, url in own if url not in sent.case.urls and not url.startswith("cite:")}
    markers = {one["id"] for one in sent.case.sources}  # where named markers lead to, which are Writer's
    yield from _live(sent.readings, own, markers)
    for passage in sent.passages:
        yield from (f"in a passage: {one}" for one in _live(passage, set(), set()))
    addresses = [claim["appearance"].get("url") for claim in sent.claims]
    addresses += [one["url"] for one in sent.case.sources if sent.cited and one["id"] in sent.cited]
    for url in addresses:
        if url and not _HTTP.match(url):
            yield f"a badge leads to {url}"


def _live(readings: Readings, own: set[tuple[str, str]], markers: set[str]) -> Iterator[str]:
    for names, reading in readings.by_engines:
        if not HOLDING["webchat"] & set(names):
            continue
        yield from (f"an image of {url}" for url in reading.images)
        yield from (f"HTML {tag}" for tag in reading.html if not _INERT.fullmatch(tag))
        yield from (f"the accessible name {one}" for one in reading.aria_labels)
        for link in reading.links:
            if (link.text, link.href) not in own and link.href not in markers and not link.bare:
                yield f"[{link.text}]({link.href})"


def rendering(sent: Sent) -> Iterator[str]:
    """§4.4: outside markers the answer renders as it did."""
    if sent.case.hostile:
        return
    expected, found = (_without_badges(text, sent.case) for text in (sent.case.write(sent.form), sent.text))
    if expected != found:
        place = next((n for n, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b), 0)
        yield f"…{found[max(0, place - 15) : place + 25]}… for …{expected[max(0, place - 15) : place + 25]}…"


def literals(sent: Sent) -> Iterator[str]:
    """§4.5: what is no citation stays readable text."""
    visible = unescape(re.sub(r"<[^>]*>", "", _html(sent.text))).replace("\u200b", "")
    for words in sent.case.literals(sent.form):
        if words not in visible:
            yield f"“{words}” is not shown"
    decoys = [sent.case.sources[number - 1] for number in sent.case.decoys]
    names = {claim["appearance"].get("name") for claim in sent.claims}
    for one in decoys:
        if one["name"] in names or (sent.cited and one["id"] in sent.cited):
            yield f"{one['name']} is cited by what is no marker"
    if sent.cited and "a link without a source" in sent.cited:
        yield "a link without a source is taken for a citation"
    if decoys and sent.channel == "open-webui" and len(sent.badges) > len(sent.case.uses):
        yield "what is no marker is a badge"


def json_ld(sent: Sent) -> Iterator[str]:
    """§4.6: one root with the context and the id, nothing empty, and nothing lost by expansion."""
    if len(sent.messages) != 1:
        yield f"{len(sent.messages)} root nodes"
    for node in sent.messages:
        if node.get("@context") != "https://schema.org":
            yield f"@context is {node.get('@context')!r}"
        if is_hidden_from_web_chat(node):
            yield (
                f'"@id": "{node["@id"]}"' if "@id" in node else f'no "@id": "", but "id": "{node.get("id")}"'
            )
        if re.search(
            r'": (null|"")', json.dumps({key: value for key, value in node.items() if key != "@id"})
        ):
            yield "a null or an empty string"
        try:
            lost = lost_terms(node, "$")
        except ExpansionError as error:
            yield f"it doesn't expand: {error}"
        else:
            yield from (f"{one.path} is lost" for one in lost)


def prefixes(interims: Iterable[str], final: str) -> Iterator[str]:
    """§4.7, on append-only channels: each interim is the beginning of the next."""
    texts = [*interims, final]
    for shown, following in pairwise(texts):
        if not following.startswith(shown):
            yield f"“{shown[-12:]}” was shown, and became “{following[: len(shown) + 3][-14:]}”"


def same_final(streamed: dict[str, Any], whole: dict[str, Any]) -> Iterator[str]:
    """§4.7: the final is the rendering of the finished answer."""
    if streamed["text"] != whole["text"]:
        yield "the text of the stream's end is not that of the finished answer"
    elif _graph(streamed) != _graph(whole):
        yield "the graph of the stream's end is not that of the finished answer"


def _graph(activity: dict[str, Any]) -> list[dict[str, Any]]:
    nodes = [one for one in activity.get("entities") or () if one.get("type") == MESSAGE]
    return [
        {**one, "citation": sorted(one.get("citation", ()), key=lambda claim: int(claim["position"]))}
        for one in nodes
    ]


def shown_label(activity: dict[str, Any]) -> str | None:
    """The name of the message's label, which may stand with a claim (CITATION.md § "usageInfo")."""
    [node] = [one for one in activity["entities"] if one["type"] == MESSAGE]
    usage: dict[str, Any] = node.get("usageInfo", {})
    labels = [usage, *(claim["appearance"].get("usageInfo", {}) for claim in node.get("citation", ()))]
    return next((one["name"] for one in labels if "name" in one and one.get("@id") == usage.get("@id")), None)


def _html(text: str) -> str:
    html: str = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
    return html


def _without_badges(text: str, case: Case) -> str:
    html = _html(OPEN_WEBUI.sub("", text)).replace("\u200b", "")
    for one in case.sources:
        html = html.replace(f'<a href="{one["id"]}">{one["name"]}</a>', "")
    html = re.sub(r'<a href="[^"]*"(?: title="[^"]*")?>\d+</a>|\[(?:doc)?\d+\]', "", html)
    return re.sub(r"\s+", " ", html).strip()


def _short(numbers: list[int]) -> str:
    return f"{numbers[0]}…{numbers[-1]}" if len(numbers) > 6 else ", ".join(map(str, numbers)) or "none"
