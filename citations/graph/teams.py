"""The graph for Microsoft Teams, which refuses a whole message (400) for one invalid field.

Required fields and maxima are those of "Enhance AI-generated bot messages" (Microsoft Teams). Fields
outside that page stand only in the graph for Web Chat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from ..labels.ranking import LabelRanking, citation_labels, message_label
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition, clip, end_of_title
from ..model.reference import Reference
from ..model.sensitivity_label import SensitivityLabel
from ..model.wording import Wording
from ..text.url import host_of, safe_url
from .abstract import write_abstract
from .card import CARD_TYPE, write_card
from .icon import icon_of
from .schema_org import AI_GENERATED, Claim, CreativeWork, DigitalDocument, ImageObject, Message

MAX_NAME: Final = 80
MAX_ABSTRACT: Final = 160
MAX_KEYWORD: Final = 28
MAX_DESCRIPTION: Final = 1000
"""Characters of a label's description, which stands in the message and in each citation with the label."""
_LABEL_ID: Final = "sensitivity-label"
_PURVIEW_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def describe(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    ranking: LabelRanking,
    *,
    cards: bool,
    document: Callable[[Reference, LinkDefinition, int], DigitalDocument],
) -> Message:
    """The Message whose claims match the badges of the text by number.

    ``cards`` says whether passages of non-URL citations become Adaptive Cards. ``document`` is
    :func:`write_document`, or a cache of it.
    """
    generated = (AI_GENERATED,) if cited.origin.generated else ()
    highest = message_label(cited, ranking)
    whole = _label_node(highest) if highest else None
    # The cards of a message share its size.
    sharing = sum(not definition.is_url for definition in definitions) if cards else 0
    described = zip(cited.citations, definitions, citation_labels(cited, ranking), strict=True)
    return Message(
        additional_type=generated,
        citation=tuple(
            Claim(
                appearance=_add_label(
                    document(citation.reference, definition, sharing), label, highest, whole
                ),
                position=int(definition.label),
            )
            for citation, definition, label in described
        ),
        # Web Chat reads `keywords`, Teams reads `additionalType`.
        keywords=generated,
        usage_info=whole,
    )


def write_document(
    reference: Reference, definition: LinkDefinition, sharing: int, wording: Wording
) -> DigitalDocument:
    """The cited document without its label. ``sharing`` is the number of cards in the message."""
    name, url, icon = _name(reference, definition, wording), _url(reference, definition), icon_of(reference)
    # Teams refuses any `text` but "a stringified Adaptive Card".
    card = write_card(name, reference.text or "", sharing) if sharing and not definition.is_url else None
    return DigitalDocument(
        abstract=_abstract(reference.text or "", url) or name,
        encoding_format=CARD_TYPE if card else None,
        image=ImageObject(icon) if icon else None,
        name=name,
        text=card,
        url=url,
    )


def _add_label(
    document: DigitalDocument,
    label: SensitivityLabel | None,
    message: SensitivityLabel | None,
    message_node: CreativeWork | None,
) -> DigitalDocument:
    """``document`` with its label: in full if it is the message's, else by its name.

    Teams refuses any other ``usageInfo``: "Citation level usageInfo.@id value doesn't match the message
    level usageInfo.@id in at least one instance".
    """
    if label is None:
        return document
    if label == message:
        return replace(document, usage_info=message_node)
    return replace(document, keywords=(_fit(label.name, MAX_KEYWORD),))


def _name(reference: Reference, definition: LinkDefinition, wording: Wording) -> str:
    end = end_of_title(reference, wording)
    return _fit(definition.title.removesuffix(end), MAX_NAME - len(end)) + end


def _url(reference: Reference, definition: LinkDefinition) -> str | None:
    """The URL of the citation, or of its document: a badge of Teams has no dialog that could link it."""
    if definition.is_url:
        return definition.destination
    return safe_url(reference.document_url) if reference.document_url else None


def _abstract(passage: str, url: str | None) -> str:
    """The beginning of the passage, else the host: Microsoft's Agents Playground requires an abstract."""
    beginning = write_abstract(passage, MAX_ABSTRACT * 4)
    return _fit(beginning or (host_of(url) if url else ""), MAX_ABSTRACT)


def _label_node(label: SensitivityLabel) -> CreativeWork:
    """The message's label in full.

    A label of Microsoft Purview keeps its id, by which Teams may know it. No other id is disclosed.
    """
    purview = _PURVIEW_ID.fullmatch(label.id)
    return CreativeWork(
        id=label.id if purview else _LABEL_ID,
        description=_fit(label.description or "", MAX_DESCRIPTION) or None,
        name=label.name,
    )


def _fit(text: str, maximum: int) -> str:
    """``text`` truncated at a word to a length in UTF-16, in which Teams' own languages count characters."""
    if text.isascii():
        return clip(text, maximum)
    lengths = accumulate(2 if character > "\uffff" else 1 for character in text[: maximum + 1])
    fitting = sum(length <= maximum for length in lengths)
    return clip(text, fitting)
