"""Reads the brackets of an inline text: markers, links and images (CommonMark § 6.3, 6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from markdown_it.helpers import parseLinkDestination, parseLinkTitle

from .delimiters import pair
from .inline_reading import Bracket, InlineReading
from .tokens import read_bracket
from .tree import LinkTarget, Mark, Marker, MarkKind, Text, Typed, Where, words_of

_WIDE: Final = {"【": "】", "［": "］"}
_NUMBERS: Final = re.compile(r"!?\[([^\[\]\n]{1,120})\]")
_GROUP: Final = re.compile(r"!?\[\s*((?:\[[^\[\]\n]{1,120}\][\s,;]*)+)\]")
_BRACKETS: Final = re.compile(r"\[([^\[\]\n]+)\]")
_WIDE_GROUP: Final = re.compile(
    r"【\s*+(?:【[^【】\n]{1,120}】[\s,;]*+)++】|［\s*+(?:［[^［］\n]{1,120}］[\s,;]*+)++］"
)
_WIDE_GROUP_BEGUN: Final = re.compile(
    r"【\s*+(?:【[^【】\n]{1,120}】[\s,;]*+)++(?:【[^【】\n]{0,120})?|［\s*+(?:［[^［］\n]{1,120}］[\s,;]*+)++(?:［[^［］\n]{0,120})?"
)
_WIDE_BRACKETS: Final = re.compile(r"(?<=[【［])[^【】［］\n]+(?=[】］])")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//|www\.", re.IGNORECASE)
_LABEL: Final = re.compile(r"\[([^\[\]\n]{0,120})\]")
_MAX_WIDE: Final = 120
MAX_LABEL: Final = 300
"""Characters between two brackets. With more, they are text, so that a stream waits no longer."""
MAX_TARGET: Final = 2048
"""Characters from the opening parenthesis on. What is longer is text."""
_SPACE: Final = re.compile(r"[ \t\n]*")
_LENIENT: Final = re.compile(r"\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_TO_FIRST: Final = re.compile(r"\(([^)\[\]\n]*)\)")
_TO_SECOND: Final = re.compile(r"\(([^()\n]*\)[!-'*-~]{1,64})\)")
"""A target with a closing parenthesis in it, and text directly behind that."""
_MAY_BE_LENIENT: Final = re.compile(
    r"\((?:[^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+(?:\([^()\n]*+)?|[^)\[\]\n]*+|[^()\n]*+\)[!-'*-~]{0,64})\Z"
)
"""Text, up to its end, that begins like one of them."""
_MAY_BE_STRICT: Final = re.compile(
    r"""\([ \t\n]*+(?:<(?:\\.|[^<>\n\\])*+\\?"""
    r"""|(?:<(?:\\.|[^<>\n\\])*+>|(?!<)(?:\\[^ ]|[^\x00-\x20\x7f\\])*+\\?)"""
    r"""(?:[ \t\n]++(?:"(?:\\.|[^"\\])*+\\?|'(?:\\.|[^'\\])*+'?\\?|\((?:\\.|[^()\\])*+\\?)?"""
    r"""|[ \t\n]++(?:"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|\((?:\\.|[^()\\])*+\))[ \t\n]*+)?)\Z""",
    re.DOTALL,
)
"""Text, up to its end, that begins like a target in CommonMark."""


def read_wide(reading: InlineReading, start: int, end: int) -> int:
    """A number in wide brackets, such as ``【1】``, or the bracket."""
    source = reading.source
    close = source.find(_WIDE[source[start]], end, start + _MAX_WIDE)
    if close < 0 and len(source) < start + _MAX_WIDE:
        reading.held.append(start)
    marker = None
    if len(source) < start + MAX_LABEL and _WIDE_GROUP_BEGUN.fullmatch(source, start):
        reading.held.append(start)
    if found := _WIDE_GROUP.match(source, start, start + MAX_LABEL):
        marker = reading.markers.group(_WIDE_BRACKETS.findall(found[0]), start, found.end())
    elif close >= 0:
        inside = source[end:close]
        marker = reading.markers.number(inside, start, close + 1, where=Where.WIDE)
        marker = marker or _token(reading, inside, start, close + 1, wide=True)
    if marker is None:
        return reading.add_text(source[start], start, end)
    reading.nodes.append(marker)
    return marker.end


def _token(reading: InlineReading, inside: str, start: int, end: int, *, wide: bool) -> Marker | None:
    token = read_bracket(inside, wide=wide)
    return reading.markers.token(token.ids, start, end) if token else None


def open_bracket(reading: InlineReading, start: int, end: int) -> int:
    """A number in brackets is read at once. Other brackets are read when they close."""
    source = reading.source
    image = source[start] == "!"
    for pattern in (_NUMBERS, _GROUP):
        found = pattern.match(source, start)
        if found and (stop := _number(reading, found, start, image=image)):
            return stop
    reading.nodes.append(Text(source[start:end], start, end))
    reading.brackets.append(Bracket(len(reading.nodes) - 1, start, end, image=image))
    return end


def _number(reading: InlineReading, found: re.Match[str], start: int, *, image: bool) -> int:
    """Read a number in brackets, or a group of them. Returns 0 if it is none."""
    inside, stop, source = found[1], found.end(), reading.source
    if not any(map(str.isdigit, inside)):
        return 0
    opening = start + image
    marker = (
        reading.markers.group(_BRACKETS.findall(inside), opening, stop)
        if found.re is _GROUP
        else reading.markers.number(inside, opening, stop)
    )
    if stop == len(source):
        reading.held.append(start)
    if source.startswith("(", stop):
        target = _target(reading, stop, start)
        if image and target:
            return _image(reading, inside, start, target.end)
        if not image and _named(reading, source[start + 1 : stop - 1], start, stop, target):
            return 0
        # `[1](https://elsewhere)` is a link with the text 1, and no marker.
        if target and _SCHEME.match(target.address):
            return 0
    if (
        source.startswith("[", stop)
        and (label := _LABEL.match(source, stop))
        and (longer := reading.markers.reference(inside, label[1], opening, label.end()))
    ):
        marker = longer
    marker = marker or _token(reading, inside, opening, stop, wide=False)
    if marker is None:
        return 0
    if image:
        reading.add_text("!", start, opening)
    reading.nodes.append(marker)
    return marker.end


def close_bracket(reading: InlineReading, start: int, end: int) -> int:  # noqa: PLR0911 - the ways in which a bracket ends
    """What the last open bracket became: a link, an image, a marker, or text."""
    source = reading.source
    if not reading.brackets:
        return reading.add_text("]", start, end)
    bracket = reading.brackets.pop()
    is_active = reading.around_link <= len(reading.brackets)
    reading.around_link = min(reading.around_link, len(reading.brackets))
    if start - bracket.inside > MAX_LABEL:
        return reading.add_text("]", start, end)
    if end == len(source):
        reading.held.append(bracket.start)
    if not source.startswith("(", end):
        return _reference(reading, bracket, start, end)
    target = _target(reading, end, bracket.start)
    if bracket.image and target:
        reading.drop(bracket.place)
        return _image(reading, source[bracket.inside : start], bracket.start, target.end)
    if bracket.image:
        return reading.add_text("]", start, end)
    if named := _named(reading, source[bracket.inside : start], bracket.start, end, target):
        # A link without a target encloses its words: they may stay in front of the badge.
        _link(reading, bracket, LinkTarget("", named.end), start, ("", ""))
        reading.nodes.append(named)
        return named.end
    if target is None or not is_active:
        return reading.add_text("]", start, end)
    typed = reading.source[start : target.end].replace("\n", " ")
    _link(reading, bracket, target, start, ("[", typed))
    return target.end


def _reference(reading: InlineReading, bracket: Bracket, start: int, end: int) -> int:
    """The words of a reference link, or brackets that are text."""
    inside, label = reading.source[bracket.inside : start], _LABEL.match(reading.source, end)
    find = reading.markers.reference
    if label and not bracket.image and (marker := find(inside, label[1], label.end(), label.end())):
        reading.nodes[bracket.place] = Text("", bracket.start, bracket.inside)
        reading.nodes.append(marker)
        return label.end()
    marker = reading.markers.number(inside, bracket.start, end)
    marker = marker or (None if label else find(inside, inside, end, end))
    if marker is None or bracket.image:
        return reading.add_text("]", start, end)
    reading.drop(bracket.place)
    reading.nodes.append(marker)
    return end


def _link(
    reading: InlineReading, bracket: Bracket, target: LinkTarget, start: int, typed: tuple[str, str]
) -> None:
    # "Inline links … bind tighter than … emphasis": what is inside pairs inside.
    inside = [run for run in reading.runs if run.place > bracket.place]
    reading.pairs.extend((opener.start, closer.end) for opener, closer in pair(inside)[0])
    reading.runs = reading.runs[: len(reading.runs) - len(inside)]
    address, (opening, closing) = target.address, typed
    reading.nodes[bracket.place] = Mark(MarkKind.LINK, True, bracket.start, bracket.inside, address, opening)
    reading.pairs.append((bracket.start, target.end))
    reading.nodes.append(Mark(MarkKind.LINK, False, start, target.end, address, closing))
    # "Links may not contain other links, at any level of nesting."
    reading.around_link = len(reading.brackets)


def _named(
    reading: InlineReading, inside: str, start: int, at: int, target: LinkTarget | None
) -> Marker | None:
    targets = [*dict.fromkeys((*([target] if target else ()), *_lenient_targets(reading.source, at)))]
    return reading.markers.name(inside, targets, start) if targets else None


def _image(reading: InlineReading, words: str, start: int, end: int) -> int:
    shown = words_of(reading.read(words))
    reading.nodes.append(Typed(reading.source[start:end], shown, start, end))
    return end


def _target(reading: InlineReading, at: int, start: int) -> LinkTarget | None:
    target = _strict_target(reading.source, at)
    if _may_become_target(reading.source, at, target):
        reading.held.append(start)
    return target


def _strict_target(source: str, at: int) -> LinkTarget | None:
    """The target of an inline link at ``at`` (CommonMark § 6.3); None if there is none."""
    limit = min(len(source), at + MAX_TARGET)
    if source.find(")", at, limit) < 0:
        return None
    place = _behind_space(source, at + 1)
    address = ""
    destination = parseLinkDestination(source, place, limit)
    if destination.ok:
        address, place = destination.str, destination.pos
        behind = _behind_space(source, place)
        if behind > place:
            title = parseLinkTitle(source, behind, limit)
            place = _behind_space(source, title.pos) if title.ok else behind
    return LinkTarget(address, place + 1) if place < limit and source[place] == ")" else None


def _lenient_targets(source: str, at: int) -> Iterator[LinkTarget]:
    """The same with spaces and parentheses that CommonMark doesn't allow, on one line."""
    for pattern in (_LENIENT, _TO_FIRST, _TO_SECOND):
        if found := pattern.match(source, at, at + MAX_TARGET):
            yield LinkTarget(found[1], found.end())


def _may_become_target(source: str, at: int, target: LinkTarget | None) -> bool:
    """Whether more text could make a target, or another one than ``target``, of what begins at ``at``."""
    if len(source) >= at + MAX_TARGET:
        return False
    if _MAY_BE_LENIENT.match(source, at):
        return True
    return target is None and _MAY_BE_STRICT.match(source, at) is not None


def _behind_space(source: str, at: int) -> int:
    found = _SPACE.match(source, at)
    return found.end() if found else at
