"""The passage of one source, for a person who asks for it by its number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from ..channels import Channel
from ..labels.ranking import LabelRanking
from ..markdown import clean_text, read_layout
from ..markdown.sanitizer import escape
from ..model.answer import Origin
from ..model.citation import Citation, CitedAnswer, read_pieces
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
    allowed = withhold(_cite_pieces((), (shown,), channel), channel, ranking).citations[0]
    passage = clean_text(allowed.reference.text or channel.wording.no_passage)
    short = channel.at_once is not None or channel.speaks
    part, goes_on = _part(passage, start, SHORT_LENGTH if short else LENGTH)
    pieces = [*_heading(shown, channel), f"\n\n{_quote_passage(part, channel)}"]
    pieces += [f"\n\n{more}"] if more and goes_on is not None else []
    return Quotation(cited=_cite_pieces(pieces, (allowed,), channel), goes_on=goes_on)


def list_sources(intro: str, citations: Iterable[Citation], channel: Channel) -> CitedAnswer:
    """``intro``, a sentence in Markdown, followed by the citations with their numbers.

    Their passages are left out, so that their labels withhold nothing.
    """
    listed = tuple(map(_keep_name, citations))
    pieces: list[str | int] = [intro]
    for citation in listed:
        # A channel without a graph names them in its own list of sources.
        pieces += ["\n- ", *_heading(citation, channel)] if channel.graph else [" ", citation.position]
    return _cite_pieces(pieces, listed, channel)


def _keep_name(citation: Citation) -> Citation:
    def named(reference: Reference) -> Reference:
        return replace(reference, only_named=True)

    return replace(citation, reference=named(citation.reference), parts=tuple(map(named, citation.parts)))


def _heading(citation: Citation, channel: Channel) -> list[str | int]:
    """The title of a source and its number."""
    if channel.graph is None:
        before, _, behind = channel.wording.source_number.partition("{number}")
        return [before, citation.position, behind]
    reference = citation.reference
    title = title_of(reference, safe_url(reference.url) if reference.url else None, channel.wording)
    return [f"**{escape(title)}** ", citation.position]


def _quote_passage(passage: str, channel: Channel) -> str:
    if channel.text_format != "markdown":
        return passage
    return "\n".join(f"> {line}" if line else ">" for line in passage.split("\n"))


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


def _cite_pieces(
    pieces: Iterable[str | int], citations: tuple[Citation, ...], channel: Channel
) -> CitedAnswer:
    """The cited text of ``pieces``, in which numbers are citations."""
    text, uses = read_pieces(pieces)
    references = tuple(part for citation in citations for part in citation.parts or (citation.reference,))
    return CitedAnswer(
        text=text,
        layout=read_layout(text),
        uses=uses,
        citations=citations,
        references=references,
        origin=Origin(slogan=channel.wording.quoted, generated=False),
    )
