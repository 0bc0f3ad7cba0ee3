"""Withholds from a channel what its label ceiling forbids, and tells the reader so.

The titles of documents and their links stay: a link's server checks the reader's rights. What stands in the
document goes, headings and names of sheets included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ..channels import Channel
from ..labels.ranking import LabelRanking, message_label
from ..markdown import Document, escape_text
from ..markers.source_identity import distinct_sources
from ..model.citation import MAX_CITATIONS, Citation, CitedAnswer, paragraph, write_pieces
from ..model.errors import Problem
from ..model.reference import Reference
from ..model.rendering import ANSWER_WITHHELD
from ..model.sensitivity_label import SensitivityLabel
from ..model.wording import Wording
from ..text.line import clean_name

_PAGE: Final = re.compile(r"page=\d{1,6}(?!\w)")
"""A fragment that leads to a page (RFC 8118 § 3)."""


def withhold(cited: CitedAnswer, channel: Channel, ranking: LabelRanking) -> CitedAnswer:
    """``cited`` without the content that its labels keep from ``channel``. Idempotent.

    A reference that :meth:`LabelRanking.withholds` keeps its name and link. If the answer was made with
    it, or may have been, the text and the query are withheld, too. A notice and the sources replace them.
    The problems say what was withheld.
    """
    unknown = ranking.problems(cited.references)
    problems = [*cited.problems, *unknown]
    if cited.complete and not any(ranking.withholds(one, channel.id) for one in cited.sources):
        return replace(cited, problems=tuple(problems)) if unknown else cited
    hidden = withholds_text(cited, channel, ranking)
    found = cited.citations
    if hidden and not found:
        # Without citations the reader gets the sources that were found.
        found = distinct_sources(cited.references)[:MAX_CITATIONS]
    citations: list[Citation] = []
    for citation in found:
        label = _label_above_ceiling(citation, channel, ranking)
        citations.append(_link(citation, label, channel) if label else citation)
        if label:
            message = (
                f"[{citation.position}] is labelled {label.name!r}: what it says is kept from {channel.id}"
            )
            problems.append(Problem("passage-withheld", "$.references", message))
    shown = replace(
        cited,
        citations=tuple(citations),
        references=tuple(_unread(one, channel, ranking) for one in cited.references),
        problems=tuple(problems),
    )
    return _without_text(shown, channel, message_label(cited, ranking)) if hidden else shown


def withholds_text(cited: CitedAnswer, channel: Channel, ranking: LabelRanking) -> bool:
    """Whether the answer's text may contain content that is withheld from ``channel``."""
    if not cited.complete and ranking.withholds_unknown(channel.id):
        return True
    return withholds_any(cited.sources, channel, ranking)


def withholds_any(references: Iterable[Reference], channel: Channel, ranking: LabelRanking) -> bool:
    """Whether an answer made with ``references`` may contain content that is withheld from ``channel``."""
    return any(not one.only_named and ranking.withholds(one, channel.id) for one in references)


def _label_above_ceiling(
    citation: Citation, channel: Channel, ranking: LabelRanking
) -> SensitivityLabel | None:
    """The label of a citation that may show only its name and link; else None."""
    parts = (citation.reference, *citation.parts)
    if not any(ranking.withholds(part, channel.id) for part in parts):
        return None
    return ranking.highest(ranking.label_of(part) for part in parts)


def _link(citation: Citation, label: SensitivityLabel, channel: Channel) -> Citation:
    reference = _keep_name(citation.reference, label, channel.wording)
    # Without a graph the link to the document has no other place.
    url = reference.url if channel.graph else reference.url or reference.document_url
    return replace(
        citation,
        reference=replace(reference, url=url),
        parts=tuple(_keep_name(part, label, channel.wording) for part in citation.parts),
    )


def _unread(reference: Reference, channel: Channel, ranking: LabelRanking) -> Reference:
    label = ranking.label_of(reference)
    withheld = label and ranking.withholds(reference, channel.id)
    return _keep_name(reference, label, channel.wording) if label and withheld else reference


def _keep_name(reference: Reference, label: SensitivityLabel, wording: Wording) -> Reference:
    """A reference with only its name and link.

    It keeps its label even if a rule found the label by a field that is removed.
    """
    place = reference.place
    return replace(
        reference,
        name=reference.document_name or reference.name,
        url=_place(reference.url),
        document_url=_place(reference.document_url),
        place=replace(place, sheet=None) if place else None,
        modified=None,
        editor=None,
        text=wording.passage_withheld.format(label=escape_text(_words(label))),
        label=label,
        only_named=True,
    )


def _place(url: str | None) -> str | None:
    """A URL without its fragment, which may be a heading or quote the text (URL Fragment Text Directives).

    The number of a page stays.
    """
    if not url:
        return url
    whole, _, fragment = url.partition("#")
    page = _PAGE.match(fragment)
    return f"{whole}#{page[0]}" if page else whole


def _without_text(cited: CitedAnswer, channel: Channel, label: SensitivityLabel | None) -> CitedAnswer:
    """``cited`` with a notice in place of its text, and its sources below."""
    name = _words(label) if label else ""
    positions: list[str | int] = [citation.position for citation in cited.citations]
    wording = channel.wording
    pieces: list[str | int] = [_notice(name, wording, complete=cited.complete)]
    if positions:
        pieces += [" ", wording.read_sources if positions[1:] else wording.read_source]
    for position in positions:
        pieces += [" ", position]
    message = f"the answer is labelled {name!r}: what it says is kept from {channel.id}"
    problems = [*cited.problems, Problem(ANSWER_WITHHELD, "$.text", message)]
    if cited.query:
        # A query may reveal as much as its result.
        problems.append(Problem("query-withheld", "$.query", message))
    return replace(
        cited,
        text=write_pieces(pieces),
        document=Document((paragraph(pieces),)),
        origin=replace(cited.origin, generated=False),
        query=None,
        problems=tuple(problems),
    )


def _notice(name: str, wording: Wording, *, complete: bool) -> str:
    if not complete:
        return wording.answer_withheld_unknown
    return wording.answer_withheld.format(label=name)


def _words(label: SensitivityLabel) -> str:
    return clean_name(label.name)
