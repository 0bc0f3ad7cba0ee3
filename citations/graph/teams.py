"""The graph for Microsoft Teams, which refuses a whole message (400) for one field that it doesn't like.

"Required" and the maxima are those of "Enhance AI-generated bot messages" (Microsoft Teams). What
that page doesn't know stands only in the graph for Web Chat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import unescape
from itertools import accumulate
from typing import Final

from ..labels.catalogue import SensitivityLabel
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition, clip, page_of
from ..model.reference import Reference
from ..model.wording import Wording
from ..text.url import host_of, safe_url
from .abstract import write_abstract
from .card import CARD_TYPE, write_card
from .icon import icon_of
from .labels import Labels
from .schema_org import AI_GENERATED, Claim, CreativeWork, DigitalDocument, ImageObject, Message

MAX_NAME: Final = 80
MAX_ABSTRACT: Final = 160
MAX_KEYWORD: Final = 28
MAX_DESCRIPTION: Final = 1000
"""Of a label, which stands in every message and with each citation that carries it."""
_LABEL_ID: Final = "sensitivity-label"
_PURVIEW_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def describe(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    labels: Labels,
    *,
    cards: bool,
    document: Callable[[Reference, LinkDefinition, int], DigitalDocument],
) -> Message:
    """The Message whose claims match the badges of the text by number.

    ``cards``: whether the passage of a non-URL citation goes along, as an Adaptive Card.
    ``document`` is :func:`write_document` with its wording, or a cache of it.
    """
    generated = (AI_GENERATED,) if cited.origin.generated else ()
    whole = _label_node(labels.message) if labels.message else None
    # The citations that have a card share its room.
    sharing = sum(not definition.is_url for definition in definitions) if cards else 0
    described = zip(cited.citations, definitions, labels.carried, strict=True)
    return Message(
        additional_type=generated,
        citation=tuple(
            Claim(
                appearance=_add_label(
                    document(citation.reference, definition, sharing), label, labels.message, whole
                ),
                position=int(definition.label),
            )
            for citation, definition, label in described
        ),
        # Where Web Chat looks for it; Teams reads `additionalType`.
        keywords=generated,
        usage_info=whole,
    )


def write_document(
    reference: Reference, definition: LinkDefinition, sharing: int, wording: Wording
) -> DigitalDocument:
    """What is cited, without its label; ``sharing`` is how many cards the message has."""
    name, url, icon = _name(reference, definition, wording), _url(reference, definition), icon_of(reference)
    # Any other text than "a stringified Adaptive Card" is refused.
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
    """``document`` with its label: the message's in full, another one by its name.

    "Citation level usageInfo.@id value doesn't match the message level usageInfo.@id in at least one
    instance" is refused: another label can't be the citation's ``usageInfo``.
    """
    if label is None:
        return document
    if label == message:
        return replace(document, usage_info=message_node)
    return replace(document, keywords=(_fit(label.name, MAX_KEYWORD),))


def _name(reference: Reference, definition: LinkDefinition, wording: Wording) -> str:
    page = page_of(reference, wording)
    return _fit(definition.title.removesuffix(page), MAX_NAME - len(page)) + page


def _url(reference: Reference, definition: LinkDefinition) -> str | None:
    """Where a non-URL citation's document can be opened: its badge has no dialog that could say it."""
    if definition.is_url:
        return definition.destination
    return safe_url(reference.document_url) if reference.document_url else None


def _abstract(passage: str, url: str | None) -> str:
    """The beginning of the passage, or the host: Microsoft's Agents Playground refuses to go without."""
    beginning = write_abstract(unescape(passage[: MAX_ABSTRACT * 4]), MAX_ABSTRACT * 4)
    return _fit(beginning or (host_of(url) if url else ""), MAX_ABSTRACT)


def _label_node(label: SensitivityLabel) -> CreativeWork:
    """The message's label, in full wherever it stands.

    A label of Microsoft Purview has its own id, by which Teams can know it; no other id is given away.
    """
    purview = _PURVIEW_ID.fullmatch(label.id)
    return CreativeWork(
        id=label.id if purview else _LABEL_ID,
        description=_fit(label.description or "", MAX_DESCRIPTION) or None,
        name=label.name,
    )


def _fit(text: str, maximum: int) -> str:
    """``text`` cut at a word to a length of UTF-16, in which Teams' own languages count characters."""
    if text.isascii():
        return clip(text, maximum)
    lengths = accumulate(2 if character > "\uffff" else 1 for character in text[: maximum + 1])
    fitting = sum(length <= maximum for length in lengths)
    return clip(text, fitting)
