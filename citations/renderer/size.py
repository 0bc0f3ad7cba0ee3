"""Makes a rendering that is too large for its channel small enough.

The least important parts go first: passages, abstracts, the last citations, the end of the text.
Sensitivity labels are never removed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from ..channels import Channel, InterimMode
from ..markdown import open_fence
from ..model.citation import Citation, CitedAnswer
from ..model.errors import Problem
from ..model.rendering import Rendering
from ..text.grapheme import divides

SHOWN: Final = 0.75
"""The share of a message that the interims of an append-only stream may fill."""
_TEXT: Final = 0.875
"""The share of a message for a truncated text. The rest is for its sources and its label."""
_PASSAGES: Final = (4000, 2000, 1000, 500, 250)
"""Characters to which each passage is truncated, one step after the other. The last step also fits an
abstract."""
_PART: Final = re.compile(r"(?:&#?\w{0,10}|\[\d*)+\Z")
"""The beginning of an entity, or of a badge."""
_STEP: Final = 4096
"""Characters that are measured at once."""
_TICKS: Final = re.compile("`+")
_BADGE: Final = re.compile(r"[\[(](\d+)[\])]")

Write = Callable[[CitedAnswer], str]
"""Writes the text of an answer."""
Finish = Callable[[CitedAnswer, str], Rendering]
"""Returns the rendering of an answer with its written text."""


def fit(cited: CitedAnswer, channel: Channel, write: Write, finish: Finish) -> Rendering:
    """The rendering of ``cited``, or of a smaller answer if one message can't hold it.

    So text and graph agree in either case. The problems say what was left out. The text is written once,
    and changes only at its end, unless citations must be left out.
    """
    body = write(cited)
    if channel.split:
        return finish(cited, body)
    if channel.limit.holds(body, _TEXT):
        whole = finish(cited, body)
        if channel.limit.holds(whole.to_activity()):
            return whole
    cut, kept = _cut(cited, body, channel)
    fitting = _fit_sources(cut, kept, channel, write, finish)
    if channel.limit.holds(fitting.to_activity()) or channel.interim is InterimMode.APPEND_ONLY:
        return fitting
    # Numbers as text take more bytes than badges, so the text is cut again.
    bare = _first(cited, 0)
    return finish(*_cut(bare, write(bare), channel))


def report_unlisted(cited: CitedAnswer, channel: Channel) -> tuple[Problem, ...]:
    """The problem of citations beyond the limit of the channel's graph."""
    count = len(cited.citations)
    if channel.graph is None or count <= channel.most_claims:
        return ()
    message = (
        f"the graph has the first {channel.most_claims} of {count} citations: {channel.id} takes no more"
    )
    return (Problem("citations-not-listed", "$.entities", message),)


# Sources


def _fit_sources(cited: CitedAnswer, body: str, channel: Channel, write: Write, finish: Finish) -> Rendering:
    """The rendering with as many of its sources as fit. Numbers that were shown stay as they are."""
    for smaller in _with_less_text(cited):
        rendering = finish(smaller, body)
        if channel.limit.holds(rendering.to_activity()):
            return rendering
        cited = smaller

    def with_first(count: int) -> Rendering:
        smaller = _first(cited, count)
        shown = channel.interim is InterimMode.APPEND_ONLY
        return finish(smaller, body) if shown else finish(*_cut(smaller, write(smaller), channel))

    counts = range(len(cited.citations), 0, -1)
    place = bisect_left(counts, True, key=lambda count: channel.limit.holds(with_first(count).to_activity()))
    return with_first(counts[place] if place < len(counts) else 0)


def _with_less_text(cited: CitedAnswer) -> Iterator[CitedAnswer]:
    """The answer as it is, with ever shorter passages, and with none."""
    yield cited
    longest = max((len(citation.reference.text or "") for citation in cited.citations), default=0)
    for length in _PASSAGES:
        if longest > length:
            message = f"the passages of the sources are cut to {length} characters: the message is too large"
            yield _with_passages(cited, length, Problem("passages-shortened", "$.references", message))
    if longest:
        yield without_passages(cited)


def without_passages(cited: CitedAnswer) -> CitedAnswer:
    """The answer without passages, and so without abstracts."""
    message = "the passages of the sources are left out: the message is too large"
    return _with_passages(cited, 0, Problem("passages-dropped", "$.references", message))


def _with_passages(cited: CitedAnswer, length: int, problem: Problem) -> CitedAnswer:
    citations = tuple(
        replace(citation, reference=replace(citation.reference, text=_truncate_passage(citation, length)))
        for citation in cited.citations
    )
    return replace(cited, citations=citations, problems=(*cited.problems, problem))


def _truncate_passage(citation: Citation, length: int) -> str | None:
    text = citation.reference.text or ""
    if len(text) <= length:
        return text or None
    place = _pause(text, length * 3 // 4, length - 1) if length else 0
    return f"{text[:place]}…" if place else None


def _first(cited: CitedAnswer, count: int) -> CitedAnswer:
    """The answer with its first ``count`` citations. The numbers of the others are text."""
    dropped = len(cited.citations) - count
    if not dropped:
        return cited
    message = f"the last {dropped} of the citations are left out: the message is too large"
    problems = (*cited.problems, Problem("citations-dropped", "$.text", message))
    return replace(cited, citations=cited.citations[:count], problems=problems)


# The text


def _cut(cited: CitedAnswer, body: str, channel: Channel) -> tuple[CitedAnswer, str]:
    """The answer and its text, without an end that the message can't hold."""
    if channel.limit.holds(body, _TEXT):
        return cited, body
    text = cut_text(body, channel)
    seen = {int(number) for number in _BADGE.findall(text)}
    kept = tuple(citation for citation in cited.citations if citation.position in seen)
    message = f"{len(text)} of {len(body)} characters are shown: one message can't hold more"
    cut = Problem("text-cut", "$.text", message)
    told = tuple(cut if one.code == cut.code else one for one in cited.problems)
    problems = told if cut in told else (*told, cut)
    return replace(cited, citations=kept, problems=problems), text


def cut_text(text: str, channel: Channel) -> str:
    """A text that was written for ``channel``, without its end. The part that may have been shown stays."""
    notice = channel.wording.answer_cut
    most_bytes = _TEXT * channel.limit.most - channel.limit.size(notice)
    most = _longest(text, most_bytes, channel)
    least = _longest(text, SHOWN * channel.limit.most, channel)
    kept = text[: _pause(text, least, most)].rstrip()
    if channel.text_format == "markdown":
        kept = _complete(kept)
    return f"{kept}\n\n{notice}" if kept.strip() else notice


def _complete(text: str) -> str:
    """The beginning of a Markdown text of ours, in which no code is left open."""
    if fence := open_fence(text):
        return f"{text}{fence}"
    line = text.rpartition("\n")[2]
    if line.lstrip(" >").startswith("|"):
        # Half of a table's row.
        return text[: len(text) - len(line)].rstrip()
    place = 0
    while run := _TICKS.search(line, place):
        # Each run has its partner on its line (:mod:`citations.markdown.inline_writer`).
        partner = re.compile(rf"(?<!`){run[0]}(?!`)").search(line, run.end())
        if partner is None:
            return text[: len(text) - len(line) + run.start()].rstrip()
        place = partner.end()
    return text


def _longest(text: str, most_bytes: float, channel: Channel) -> int:
    """The length of the longest beginning of ``text`` with so many bytes."""
    size, quotes = channel.limit.size, channel.limit.size("")
    length, left, step = 0, most_bytes - quotes, _STEP
    while step and length < len(text):
        # JSON writes each character by itself.
        taken = size(text[length : length + step]) - quotes
        if taken <= left:
            length, left = length + step, left - taken
        else:
            step //= 2
    return min(length, len(text) - 1)


def _pause(text: str, least: int, most: int) -> int:
    """The best offset for a cut: behind a paragraph, a line or a word, else a character."""
    for sign in ("\n\n", "\n", " "):
        place = text.rfind(sign, least, most + 1)
        if place > 0:
            return place
    place = most
    while divides(text, place):
        place -= 1
    part = _PART.search(text, max(0, place - 12), place)
    return part.start() if part else place
