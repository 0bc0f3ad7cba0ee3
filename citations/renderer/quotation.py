"""The passage of one source, for a person who asks for it by its number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ..channels import Channel
from ..labels.ranking import NO_CATALOGUE, LabelRanking
from ..markdown import (
    Block,
    Document,
    Item,
    List,
    Mark,
    MarkKind,
    Paragraph,
    Quote,
    Text,
    clean_text,
    read_document,
)
from ..model.answer import Origin
from ..model.citation import Citation, CitedAnswer, paragraph
from ..model.link_definition import title_of
from ..model.reference import Reference
from ..text.grapheme import divides
from ..text.url import safe_url
from .label_ceiling import withhold

LENGTH: Final = 3000
"""Characters of a part of a passage. With its source it fits into one message of nearly any channel."""
SHORT_LENGTH: Final = 500
"""The same for channels that speak, or send few messages at once: with its source, four SMS."""

_BREAKS: Final = ("\n\n", "\n", ". ", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A passage, or a part of one, as an answer that can be rendered.

    ``goes_on`` is the offset of the next part in the passage; None for the last part.
    """

    cited: CitedAnswer
    goes_on: int | None = None


def quote(
    citation: Citation,
    channel: Channel,
    *,
    ranking: LabelRanking | None = None,
    start: int = 0,
    more: str = "",
) -> Quotation:
    """The passage of ``citation`` from character ``start`` on, under its number in the answer.

    A passage whose label is above the channel's ceiling is withheld, as in the answer. ``more`` is a line
    of Markdown below every part but the last.
    """
    reference = citation.reference
    # The text shows the passage. So the badge links the document, if it has a URL.
    shown = replace(citation, reference=replace(reference, url=reference.url or reference.document_url))
    allowed = withhold(_cite((), (shown,), channel), channel, ranking or NO_CATALOGUE).citations[0]
    passage = clean_text(allowed.reference.text or channel.wording.no_passage)
    short = channel.at_once is not None or channel.speaks
    part, goes_on = _part(passage, start, SHORT_LENGTH if short else LENGTH)
    quoted = read_document(part).blocks
    blocks: list[Block] = [_heading(allowed, channel)]
    blocks += [Quote(quoted)] if channel.text_format == "markdown" else quoted
    if more and goes_on is not None:
        blocks += read_document(more).blocks
    return Quotation(cited=_cite(blocks, (allowed,), channel), goes_on=goes_on)


def list_sources(
    intro: str, citations: Iterable[Citation], channel: Channel, *, ranking: LabelRanking | None = None
) -> CitedAnswer:
    """``intro``, a sentence in Markdown, followed by the citations with their numbers.

    Their passages are left out, so that their labels withhold no more than a heading in a title.
    """
    named = tuple(map(_keep_name, citations))
    listed = withhold(_cite((), named, channel), channel, ranking or NO_CATALOGUE).citations
    above = read_document(clean_text(intro)).blocks
    if channel.graph:
        items = tuple(Item((_heading(citation, channel),)) for citation in listed)
        return _cite((*above, List(items, apart=False)), listed, channel)
    # A channel without a graph names them in its own list of sources.
    numbers = paragraph([piece for citation in listed for piece in (" ", citation.position)]).inline
    first = above[0].inline if above and isinstance(above[0], Paragraph) else ()
    return _cite((Paragraph((*first, *numbers)), *above[1:]), listed, channel)


def _keep_name(citation: Citation) -> Citation:
    def named(reference: Reference) -> Reference:
        return replace(reference, only_named=True)

    return replace(citation, reference=named(citation.reference), parts=tuple(map(named, citation.parts)))


def _heading(citation: Citation, channel: Channel) -> Paragraph:
    """The title of a source and its number."""
    if channel.graph is None:
        before, _, behind = channel.wording.source_number.partition("{number}")
        return paragraph([before, citation.position, behind])
    reference = citation.reference
    title = title_of(citation, safe_url(reference.url) if reference.url else None, channel.wording)
    begins, ends = (Mark(MarkKind.STRONG, opens, 0, 0) for opens in (True, False))
    return Paragraph((begins, Text(title, 0, 0), ends, *paragraph([" ", citation.position]).inline))


def _part(passage: str, start: int, length: int) -> tuple[str, int | None]:
    """At most ``length`` characters from ``start`` on, and the offset of the next part, None at the end.

    The part ends with a paragraph, line, sentence or word.
    """
    rest = passage[start:].rstrip()
    if len(rest) <= length:
        return rest.strip("\n"), None
    places = ((rest.rfind(mark, length // 2, length), mark) for mark in _BREAKS)
    end, mark = next(((place + len(mark), mark) for place, mark in places if place > 0), (length, ""))
    while not mark and divides(rest, end):
        end -= 1
    return rest[:end].strip("\n").rstrip(" "), start + end


def _cite(blocks: Iterable[Block], citations: tuple[Citation, ...], channel: Channel) -> CitedAnswer:
    """The answer that consists of ``blocks``."""
    return CitedAnswer(
        text="",
        document=Document(tuple(blocks)),
        citations=citations,
        references=tuple(part for one in citations for part in one.parts or (one.reference,)),
        origin=Origin(slogan=channel.wording.quoted, generated=False),
    )
