"""The graph for Microsoft Teams, which refuses a whole message (400) for one invalid field.

Required fields and maxima are those of "Enhance AI-generated bot messages" (Microsoft Teams). Fields
outside that page stand only in the graph for Web Chat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from pkgutil import get_data
from typing import Final
from urllib.parse import unquote, urlsplit

from ..labels.ranking import LabelRanking, citation_labels, message_label
from ..model.citation import CitedAnswer
from ..model.link_definition import LinkDefinition, end_of_title
from ..model.reference import Reference
from ..model.sensitivity_label import SensitivityLabel, is_purview_id
from ..model.wording import Wording
from ..text.line import clip, write_abstract
from ..text.url import host_of, safe_url
from .card import write_card
from .schema_org import (
    AI_GENERATED,
    CARD_TYPE,
    Claim,
    CreativeWork,
    DigitalDocument,
    Graph,
    ImageObject,
    Message,
)

MAX_NAME: Final = 80
MAX_ABSTRACT: Final = 160
MAX_KEYWORD: Final = 28
MAX_KEYWORDS: Final = 3
MAX_DESCRIPTION: Final = 1000
"""Characters of a label's description, which stands in the message and in each citation with the label."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)", re.ASCII)
_LABEL_ID: Final = "sensitivity-label"
_SHAREPOINT: Final = "Microsoft SharePoint"


def describe(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    ranking: LabelRanking,
    graph: Graph,
    document: Callable[[Reference, LinkDefinition, int], DigitalDocument],
) -> Message:
    """The Message whose claims match the badges of the text by number.

    ``graph`` says which passages become Adaptive Cards. ``document`` is :func:`write_document`, or a cache of
    it.
    """
    generated = (AI_GENERATED,) if cited.origin.generated else ()
    highest = message_label(cited, ranking)
    whole = _label_node(highest) if highest else None
    cited_by = list(zip(cited.citations, definitions, citation_labels(cited, ranking), strict=True))
    has_card = [_has_card(one.reference, definition, graph) for one, definition, _ in cited_by]
    sharing = sum(has_card)  # The cards of a message share its size.
    return Message(
        additional_type=generated,
        citation=tuple(
            Claim(
                appearance=_add_label(
                    document(citation.reference, definition, sharing if shows_card else 0),
                    label,
                    highest,
                    whole,
                ),
                position=int(definition.label),
            )
            for (citation, definition, label), shows_card in zip(cited_by, has_card, strict=True)
        ),
        # Web Chat reads `keywords`, Teams reads `additionalType`.
        keywords=generated,
        usage_info=whole,
    )


def write_document(
    reference: Reference, definition: LinkDefinition, sharing: int, wording: Wording
) -> DigitalDocument:
    """The cited document without its label. ``sharing`` is the number of cards in the message.

    It is 0 for a document without a card.
    """
    name, url, icon = _name(reference, definition, wording), _url(reference, definition), icon_of(reference)
    # Teams refuses any `text` but "a stringified Adaptive Card".
    card = write_card(name, reference.text or "", sharing) if sharing else None
    return DigitalDocument(
        abstract=_abstract(reference.text or "", url) or name,
        encoding_format=CARD_TYPE if card else None,
        image=ImageObject(icon) if icon else None,
        keywords=_keywords(*reference.keywords, _day(reference.modified)),
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
    return replace(document, keywords=_keywords(label.name, *document.keywords))


def _has_card(reference: Reference, definition: LinkDefinition, graph: Graph) -> bool:
    """Whether a passage becomes a card: of one with a URL, a person would read the abstract alone."""
    if graph is Graph.TEAMS or not definition.is_url:
        return graph is not Graph.TEAMS
    beginning = write_abstract(reference.text or "", 2 * MAX_ABSTRACT)
    return graph is Graph.TEAMS_ALL_CARDS and len(beginning) > MAX_ABSTRACT


def _keywords(*words: str) -> tuple[str, ...]:
    """The first of ``words``, each once: "up to three keywords", which the pop-up shows."""
    fitting = (_fit(" ".join(word.split()), MAX_KEYWORD) for word in words)
    return tuple(dict.fromkeys(filter(None, fitting)))[:MAX_KEYWORDS]


def _day(modified: str | None) -> str:
    found = _DAY.match(modified or "")
    return found[0] if found else ""


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
    return CreativeWork(
        id=label.id if is_purview_id(label.id) else _LABEL_ID,
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


def _read_icons() -> dict[str, str]:
    """The icons by extension or beginning of a media type, the longest word first."""
    written = (get_data(__package__, "icons.txt") or b"").decode()
    rows = (line.split(": ") for line in written.splitlines() if not line.startswith("#"))
    found = {word: icon for icon, words in rows for word in words.split()}
    return {word: found[word] for word in sorted(found, key=len, reverse=True)}


_ICONS: Final = _read_icons()
_BY_MEDIA_TYPE: Final = {word: icon for word, icon in _ICONS.items() if "/" in word}


def icon_of(reference: Reference) -> str | None:
    """The icon that Teams shows, by the media type, else by the file name in the URL, the id or the name.

    None for other kinds of files, such as web pages.
    """
    by_type = _icon_of_type(reference.media_type) if reference.media_type else None
    by_file = (icon for path in _paths(reference) if (icon := _ICONS.get(_extension(path))))
    return by_type or next(by_file, None) or (_SHAREPOINT if _on_sharepoint(reference) else None)


@lru_cache(maxsize=64)
def _icon_of_type(media_type: str) -> str | None:
    written = media_type.strip().lower()
    return next((icon for beginning, icon in _BY_MEDIA_TYPE.items() if written.startswith(beginning)), None)


def _paths(reference: Reference) -> Iterator[str]:
    """The paths of its URLs, and names that may be a file's.

    A host may end like a file (``example.ai``), and so may a web page's name (``Node.js``). Neither
    counts.
    """
    yield from (_path(url) for url in (reference.url, reference.document_url) if url)
    if not reference.url:
        yield from (_path(reference.id), reference.name or "")


def _path(place: str) -> str:
    try:
        return unquote(urlsplit(place).path)
    except ValueError:
        return ""


def _extension(path: str) -> str:
    _, dot, extension = path.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return extension.lower() if dot else ""


def _on_sharepoint(reference: Reference) -> bool:
    url = safe_url(reference.url or "")
    return url is not None and host_of(url).endswith(".sharepoint.com")
