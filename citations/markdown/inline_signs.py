"""Reads the constructs of an inline text that are no brackets (CommonMark § 2.4, 2.5, 6.1, 6.2, 6.5–6.7)."""

from __future__ import annotations

import re
from bisect import bisect_left
from html import unescape
from typing import Final

from markdown_it.common.entities import entities
from markdown_it.common.html_re import HTML_TAG_RE

from ..text.controls import without_turns
from ..text.small_digits import DIGITS, SMALL_DIGITS
from . import tokens
from .delimiters import PUNCTUATION, Delimiters
from .formula import CLOSING, MAX_FORMULA, is_formula
from .inline_reading import InlineReading
from .tree import Break, Code, Formula, Marker, Text, Typed, Where

_TICKS: Final = re.compile("`+")
_AUTOLINK: Final = re.compile(
    r"<(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^<>\x00-\x20]*|[\w.!#$%&'*+/=?^`{|}~\-]+@[\w.\-]+)>"
)
_ENTITY: Final = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|([A-Za-z][A-Za-z0-9]{1,31}));")
_LONGEST_ENTITY: Final = 34
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff\u2028\u2029]")
_PRIVATE: Final = re.compile(r"\ue200[^\ue200\ue201]{0,400}\ue201")
_PRIVATE_BEGUN: Final = re.compile(r"\ue200[^\ue200\ue201]{0,400}")
"""OpenAI's own marks around what its clients show as a citation."""
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]]+", re.IGNORECASE)
_MARKER_IN: Final = re.compile(r"\[[^\[\]]*\]")
_MAX_TAG: Final = 500
"""Characters of a tag, a comment or an autolink. A longer one is text."""
_ENDED: Final = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    r"""|<(?!!--|!\[CDATA\[|\?)(?:[^=>]|=\s*(?:"[^"]*"|'[^']*'|(?!["'\s])))*>""",
    re.DOTALL,
)
"""The sign up to where a tag would have ended: a ``>`` in quotes or in a comment ends none."""
LINE_BREAK: Final = "<br ?/?>"
"""An expression for HTML's line break, which models write where Markdown has none: in tables."""
_LINE_BREAKS: Final = re.compile(rf"(?:{LINE_BREAK}[ \t]*\n?[ \t]*)+", re.IGNORECASE)
_SMALL: Final = re.compile(rf"<su([bp])>([{DIGITS}]{{1,20}})</su\1>", re.IGNORECASE)
_SMALL_BEGUN: Final = re.compile(rf"<su[bp]>[{DIGITS}]{{0,20}}(?:</?(?:su?[bp]?)?)?", re.IGNORECASE)
"""The beginning of small digits whose end may still come."""
_SMALL_TAG: Final = re.compile(r"<(/?)su[bp]>(?=([\[【［])?)", re.IGNORECASE)
_MARKER_END: Final = re.compile(r"(?:[\]】］]|\]\([^()\s<>]*\))\Z")
"""The end of a marker: a bracket, or the target of a link."""
_LONGEST_END: Final = 2000
MAX_CODE: Final = 1000
"""Characters of code. A longer one is text, so that a stream waits no longer for its end."""


def read_line_end(reading: InlineReading, start: int, end: int) -> int:
    """A line end, without the white space around it (CommonMark § 6.7, 6.8)."""
    blanks = _strip_blanks(reading, start)
    while reading.source[end : end + 1] in (" ", "\t"):
        end += 1
    reading.nodes.append(Break(blanks.endswith("  "), start, end))
    return end


def _strip_blanks(reading: InlineReading, start: int) -> str:
    """Remove the white space in front of a line end, and return it."""
    if not reading.nodes or not isinstance(last := reading.nodes[-1], Text) or last.end != start:
        return ""
    # "The spaces … before the hard line break" don't count, nor those "at the end of the line".
    words = last.text.rstrip(" \t")
    reading.nodes[-1] = Text(words, last.start, last.end)
    return last.text[len(words) :]


def read_backslash(reading: InlineReading, start: int, end: int) -> int:
    """An escape, a hard line break, a formula, or the backslash (CommonMark § 2.4)."""
    sign = reading.source[end : end + 1]
    if sign == "\n":
        reading.nodes.append(Break(True, start, end + 1))
        return end + 1
    if not sign:
        reading.held.append(start)
    if sign in ("(", "[") and (stop := _formula(reading, start, CLOSING[sign])):
        return stop
    # "Any ASCII punctuation character may be backslash-escaped."
    if sign in PUNCTUATION:
        return reading.add_text(sign, start, end + 1)
    return reading.add_text("\\", start, end)


def read_dollars(reading: InlineReading, start: int, end: int) -> int:
    """A formula between ``$$``, or the dollars."""
    if end == len(reading.source):
        reading.held.append(start)
    if end - start == 2 and (stop := _formula(reading, start, "$$")):
        return stop
    return reading.add_text(reading.source[start:end], start, end)


def _formula(reading: InlineReading, start: int, closing: str) -> int:
    source = reading.source
    stop = source.find(closing, start + 2, start + MAX_FORMULA)
    if stop < 0:
        if len(source) < start + MAX_FORMULA:
            reading.held.append(start)
        return 0
    content, end = source[start + 2 : stop], stop + 2
    if closing == "$$":
        if end == len(source):
            reading.held.append(start)
        if source.startswith("$", end):
            return 0
    if not is_formula(content, closing):
        return 0
    # Web Chat's main build shows no badge inside of a formula, so it goes behind.
    markers: list[Marker] = []
    kept, behind = "", 0
    for found in _MARKER_IN.finditer(content):
        if marker := reading.markers.number(found[0][1:-1], end, end, where=Where.FORMULA):
            markers.append(marker)
            kept += content[behind : found.start()].rstrip()
            behind = found.end()
    kept = " ".join((kept + content[behind:]).split())
    if not is_formula(kept, closing):
        return 0
    reading.nodes.append(Formula(closing, kept, start, end))
    reading.nodes.extend(markers)
    return end


def read_code(reading: InlineReading, start: int, end: int) -> int:
    """A code span, or the backticks (CommonMark § 6.1)."""
    source = reading.source
    close = _closing_ticks(reading, start, end)
    if close < 0 or close - end > MAX_CODE:
        if close < 0 and len(source) - end <= MAX_CODE:
            reading.held.append(start)
        return reading.add_text(source[start:end], start, end)
    stop = close + end - start
    if stop == len(source):
        reading.held.append(start)
    code = source[end:close].replace("\n", " ")
    # "If the resulting string both begins and ends with a space character, but does not consist
    # entirely of space characters, a single space character is removed from the front and back."
    if code.startswith(" ") and code.endswith(" ") and code.strip(" "):
        code = code[1:-1]
    reading.nodes.append(Code(code, start, stop))
    return stop


def _closing_ticks(reading: InlineReading, start: int, end: int) -> int:
    """The next "backtick string of equal length"; -1 if there is none."""
    found = _TICKS.search(reading.source, end)
    if found and found.end() - found.start() == end - start:
        return found.start()
    if reading.ticks is None:
        reading.ticks = {}
        for run in _TICKS.finditer(reading.source):
            reading.ticks.setdefault(len(run[0]), []).append(run.start())
    places = reading.ticks.get(end - start, [])
    number = bisect_left(places, end)
    return places[number] if number < len(places) else -1


def read_angle(reading: InlineReading, start: int, end: int) -> int:
    """An autolink or a tag, what a tag stands for, or the sign (CommonMark § 6.5, 6.6)."""
    source, limit = reading.source, start + _MAX_TAG
    if stop := _shown_tag(reading, start, limit):
        return stop
    if found := _AUTOLINK.match(source, start, limit):
        reading.nodes.append(Typed(found[0], found[0][1:-1], start, found.end()))
        return found.end()
    if found := HTML_TAG_RE.match(source, start, limit):
        reading.nodes.append(Typed(found[0], found[0], start, found.end()))
        return found.end()
    sign = source[end : end + 1] or "/"
    begun = sign.isalpha() or sign in "/!?"
    if begun and len(source) < limit and not _ENDED.match(source, start):
        reading.held.append(start)
    return reading.add_text("<", start, end)


def _shown_tag(reading: InlineReading, start: int, limit: int) -> int:
    """A line break, small digits, or a tag that makes a marker small; 0 where there is none of them."""
    source = reading.source
    if found := _LINE_BREAKS.match(source, start, limit):
        if found.end() == len(source):
            reading.held.append(start)
        _strip_blanks(reading, start)
        if reading.nodes and isinstance(above := reading.nodes[-1], Break):
            reading.nodes[-1] = above._replace(hard=True, end=found.end())
        elif reading.nodes:
            reading.nodes.append(Break(True, start, found.end()))
    elif found := _SMALL.match(source, start):
        digits = found[2].translate(SMALL_DIGITS[found[1].lower()])
        reading.nodes.append(Text(digits, start, found.end()))
    elif (found := _SMALL_TAG.match(source, start)) and _is_beside_marker(source, start, found):
        reading.nodes.append(Text("", start, found.end()))
    else:
        if _SMALL_BEGUN.fullmatch(source, start):
            reading.held.append(start)
        return 0
    return found.end()


def _is_beside_marker(source: str, start: int, tag: re.Match[str]) -> bool:
    """Whether a tag stands in front of a bracket, or behind one or its target."""
    if not tag[1]:
        return bool(tag[2])
    return bool(_MARKER_END.search(source, max(0, start - _LONGEST_END), start))


def read_entity(reading: InlineReading, start: int, end: int) -> int:
    """A character that is written as an entity, or the sign (CommonMark § 2.5)."""
    found = _ENTITY.match(reading.source, start)
    if found and (not found[1] or found[1] in entities):
        text = without_turns(entities[found[1]] if found[1] else unescape(found[0]))
        # A line end that was written as an entity is text.
        return reading.add_text(_CONTROLS.sub(" ", text), start, found.end())
    rest = reading.source[start : start + _LONGEST_ENTITY]
    if not found and len(rest) < _LONGEST_ENTITY and ";" not in rest and " " not in rest:
        reading.held.append(start)
    return reading.add_text("&", start, end)


def read_private(reading: InlineReading, start: int, end: int) -> int:
    """OpenAI's private-use marks: no client shows them."""
    source = reading.source
    if found := _PRIVATE.match(source, start):
        return _add_token(reading, tokens.read_private(found[0]), start, found.end())
    if _PRIVATE_BEGUN.fullmatch(source, start):
        reading.held.append(start)
        return len(source) if tokens.is_begun(source[start:]) else end
    return end


def read_token(reading: InlineReading, start: int, end: int) -> int:
    """A token that is a word."""
    return _add_token(reading, tokens.read_word(reading.source[start:end]), start, end)


def _add_token(reading: InlineReading, token: tokens.ClientToken, start: int, end: int) -> int:
    if token.words:
        reading.add_text(" ".join(_CONTROLS.sub(" ", token.words).split()), start, end)
    marker = reading.markers.token(token.ids, start, end)
    if marker:
        reading.nodes.append(marker)
    elif not token.words and reading.source[start] != "\ue200":
        reading.add_text(reading.source[start:end], start, end)
    return end


def read_run(reading: InlineReading, start: int, end: int) -> int:
    """A run of signs that may be emphasis (CommonMark § 6.2)."""
    source = reading.source
    if source[start] == "~" and end - start != 2:
        return reading.add_text(source[start:end], start, end)
    if source[start] == "_" and _in_address(reading, start):
        return reading.add_text(source[start:end], start, end)
    if end == len(source):
        reading.held.append(start)
    reading.has_runs = True
    run = Delimiters(source, start, end, len(reading.nodes))
    reading.runs.append(run)
    reading.nodes.append(run)
    return end


def _in_address(reading: InlineReading, offset: int) -> bool:
    """Whether ``offset`` is in a bare address, whose underscores are no emphasis."""
    if reading.addresses is None:
        reading.addresses = [found.span() for found in _ADDRESS.finditer(reading.source)]
    before = bisect_left(reading.addresses, (offset,)) - 1
    return before >= 0 and offset < reading.addresses[before][1]
