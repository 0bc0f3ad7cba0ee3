"""Makes a rendering that is too large for its channel small enough.

The least important parts go first: passages, abstracts, the last citations, the end of the text.
Sensitivity labels are never removed.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..channels import Channel, InterimMode
from ..markdown import Layout, read_layout
from ..markdown.sanitizer import write_closing_fence
from ..model.citation import Citation, CitedAnswer, Use
from ..model.errors import Problem
from ..model.rendering import Rendering
from ..model.wording import Wording
from ..text.grapheme import divides

SHOWN: Final = 0.75
"""The share of a message that the interims of an append-only stream may fill."""
_TEXT: Final = 0.875
"""The share of a message for a truncated text. The rest is for its sources and its label."""
_FAR: Final = 1.3
"""The share of a message beyond which a text is cut before it is first written."""
_FIRST: Final = 0.97
"""The share of the text's own limit for that first cut."""
_FULL: Final = 0.85
"""The share of that limit that the first cut must fill. If it fills less, the whole text is measured."""
_PASSAGES: Final = (4000, 2000, 1000, 500, 250)
"""Characters to which each passage is truncated, one step after the other. The last step also fits an
abstract."""
_WHOLE: Final = re.compile(r"&#?\w{1,32};|\[[^\[\]\n]{0,80}\]|\\.")
"""What a cut never divides: an entity, a badge, an escape."""

Render = Callable[[CitedAnswer], Rendering]
Span = tuple[int, int]


def fit(cited: CitedAnswer, channel: Channel, render: Render) -> Rendering:
    """``render(cited)``, or ``render`` of a smaller answer if one message can't hold it.

    So text and graph agree in either case. The problems say what was left out. Text that has been shown
    already changes only at its end.
    """
    if not _is_far_too_long(cited, channel):
        whole = render(cited)
        if channel.split or channel.limit.holds(whole.to_activity()):
            return whole
        if channel.interim is InterimMode.APPEND_ONLY:
            return _keep_text(cited, whole.text, channel, render)
    return _smaller(cited, channel, lru_cache(maxsize=4)(render))


def _is_far_too_long(cited: CitedAnswer, channel: Channel) -> bool:
    """Whether the text can't fit, so that it needn't be written to know.

    Markdown shortens nothing but the markers.
    """
    if channel.text_format != "markdown" or channel.interim is InterimMode.APPEND_ONLY:
        return False
    markers = sum(use.end - use.start for use in cited.uses)
    return not channel.limit.holds(cited.text, _FAR) and len(cited.text) - markers > _FAR * channel.limit.most


def _smaller(cited: CitedAnswer, channel: Channel, render: Render) -> Rendering:
    """The rendering of as much of ``cited`` as one message can hold."""
    cut = _cut_answer(cited, channel, render)
    fitting = _fit_sources(cut, channel, render)
    if channel.limit.holds(fitting.to_activity()):
        return fitting
    # Numbers as text take more bytes than badges, so the text is cut again.
    return render(_cut_answer(_first(cut, 0, channel), channel, render))


def _keep_text(cited: CitedAnswer, whole: str, channel: Channel, render: Render) -> Rendering:
    """The rendering with the text ``whole``, which may have been shown, or with most of it."""
    text, citations, problems = whole, cited.citations, cited.problems
    if not channel.limit.holds(whole, _TEXT):
        text = cut_text(whole, channel)
        seen = set(re.findall(r"\[(\d+)\]", text))
        citations = tuple(citation for citation in citations if str(citation.position) in seen)
        problems = (*problems, _text_cut(len(text), len(whole)))
    # The text is not written again for each smaller graph.
    sources = replace(cited, text="", layout=read_layout(""), uses=(), citations=citations, problems=problems)
    return _fit_sources(sources, channel, lambda smaller: replace(render(smaller), text=text))


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


def _fit_sources(cited: CitedAnswer, channel: Channel, render: Render) -> Rendering:
    """The rendering with as many of its sources as fit."""
    for smaller in _with_less_text(cited):
        rendering = render(smaller)
        if channel.limit.holds(rendering.to_activity()):
            return rendering
        cited = smaller

    def holds(count: int) -> bool:
        return channel.limit.holds(render(_first(cited, count, channel)).to_activity())

    counts = range(len(cited.citations), 0, -1)
    place = bisect_left(counts, True, key=holds)
    return render(_first(cited, counts[place] if place < len(counts) else 0, channel))


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
    place = cut_place(text, length * 3 // 4, length - 1, ()) if length else 0
    return f"{text[:place]}…" if place else None


def _first(cited: CitedAnswer, count: int, channel: Channel) -> CitedAnswer:
    """The answer with its first ``count`` citations. The numbers of the others become text."""
    dropped = {citation.position for citation in cited.citations[count:]}
    if not dropped:
        return cited
    message = f"the last {len(dropped)} of the citations are left out: the message is too large"
    problems = (*cited.problems, Problem("citations-dropped", "$.text", message))
    kept = replace(cited, citations=cited.citations[:count], problems=problems)
    # Numbers that were shown stay in the text. Without a claim they are plain text.
    return (
        kept
        if channel.interim is InterimMode.APPEND_ONLY
        else replace(kept, uses=tuple(_readable(use, dropped) for use in cited.uses))
    )


def _readable(use: Use, dropped: set[int]) -> Use:
    numbers = [str(position) for position in use.positions if position in dropped]
    if not numbers:
        return use
    positions = tuple(position for position in use.positions if position not in dropped)
    rest = " ".join(part for part in (f"[{', '.join(numbers)}]", use.rest) if part)
    return replace(use, positions=positions, rest=rest)


# The text


def _cut_answer(cited: CitedAnswer, channel: Channel, render: Render) -> CitedAnswer:
    """The answer with a text that leaves space for its sources."""
    end, cut, most = len(cited.text), cited, _TEXT * channel.limit.most
    closed = _uncuttable(cited.layout, cited.uses)

    def cut_at(most: int) -> tuple[int, CitedAnswer]:
        end = cut_place(cited.text, most * 7 // 8, most, closed)
        return end, _truncate(cited, end, channel.wording)

    if _is_far_too_long(cited, channel):
        # It is written as it is, as a rule. So that is the first try.
        first = cut_at(_longest(cited.text, int(_FIRST * most), channel))
        if channel.limit.size(render(first[1]).text) > _FULL * most:
            end, cut = first
    while end and (size := _text_size(cut, channel, render)) > most:
        end, cut = cut_at(min(end - 1, int(end * most / size * 0.98)))
    return cut


def _text_size(cited: CitedAnswer, channel: Channel, render: Render) -> int:
    """The bytes of the text, with all of its sources or with none, which may still be removed."""
    size = channel.limit.size(render(cited).text)
    if not _TEXT * channel.limit.most < size <= 2 * channel.limit.most:
        return size  # the sources don't matter: it fits with them, or not even without them
    return min(size, channel.limit.size(render(_first(cited, 0, channel)).text))


def _truncate(cited: CitedAnswer, end: int, wording: Wording) -> CitedAnswer:
    text = _with_notice(cited.text[:end], wording)
    uses = tuple(use for use in cited.uses if use.end <= end)
    cites = {position for use in uses for position in use.positions}
    return replace(
        cited,
        text=text,
        layout=read_layout(text),
        uses=uses,
        citations=tuple(citation for citation in cited.citations if citation.position in cites),
        problems=(*cited.problems, _text_cut(end, len(cited.text))),
    )


def cut_text(text: str, channel: Channel) -> str:
    """A text for ``channel`` without its end. The part that may have been shown stays."""
    most_bytes = _TEXT * channel.limit.most - channel.limit.size(channel.wording.answer_cut)
    most = _longest(text, most_bytes, channel)
    least = _longest(text, SHOWN * channel.limit.most, channel)
    end = cut_place(text, least, most, _uncuttable(read_layout(text), ()))
    return _with_notice(text[:end], channel.wording)


def _longest(text: str, most_bytes: float, channel: Channel) -> int:
    """The length of the longest beginning of ``text`` with so many bytes."""
    places = range(min(len(text), channel.limit.most))
    return bisect_right(places, most_bytes, key=lambda place: channel.limit.size(text[:place])) - 1


def _with_notice(text: str, wording: Wording) -> str:
    notice = wording.answer_cut
    return f"{text}{write_closing_fence(read_layout(text))}\n\n{notice}" if text.strip() else notice


def _text_cut(kept: int, whole: int) -> Problem:
    return Problem(
        "text-cut", "$.text", f"{kept} of {whole} characters are shown: one message can't hold more"
    )


def _uncuttable(layout: Layout, uses: Sequence[Use]) -> tuple[Span, ...]:
    """The spans that a cut must not divide: code spans, formulas and markers."""
    whole = (
        (inline.place(start), inline.place_end(end))
        for inline in layout.inlines
        for kind, start, end in inline.spans
        if kind in ("code", "formula")
    )
    return tuple(sorted((*whole, *((use.start, use.end) for use in uses))))


def cut_place(text: str, least: int, most: int, closed: Sequence[Span]) -> int:
    """The best offset for a cut: behind a paragraph, a line or a word, else a character.

    It is between ``least`` and ``most``, or before a span of ``closed`` that begins before both.
    """
    for sign in ("\n\n", "\n", " "):
        place = text.rfind(sign, least, most + 1)
        while place > 0 and (span := _around(closed, place)):
            place = text.rfind(sign, least, span[0] + 1)
        if place > 0:
            return place
    near = max(0, most - 100)
    whole = [(near + found.start(), near + found.end()) for found in _WHOLE.finditer(text[near : most + 100])]
    place = most
    while span := _around(closed, place) or _around(whole, place):
        place = span[0]
    while divides(text, place):
        place -= 1
    return place


def _around(spans: Sequence[Span], place: int) -> Span | None:
    """The span that a cut at ``place`` would divide."""
    before = bisect_left(spans, place, key=lambda span: span[0]) - 1
    return spans[before] if before >= 0 and place < spans[before][1] else None
