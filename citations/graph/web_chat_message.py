"""The graph for Web Chat, in the form of CITATION.md's sample."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ..labels.ranking import LabelRanking, citation_labels, message_label
from ..markdown import clean_text, sanitize, write_words
from ..model.answer import Origin, SourceCode
from ..model.citation import CitedAnswer
from ..model.link_definition import ISO_DATE, LinkDefinition, pages_of
from ..model.reference import Reference
from ..model.sensitivity_label import SensitivityLabel, is_color
from ..model.wording import Wording
from ..text.line import clean_name, clip, write_abstract
from ..text.url import safe_url
from .schema_org import (
    AI_GENERATED,
    ALLOW_COPY,
    LABEL_TYPE,
    LOCK_KEYWORDS,
    BlankNode,
    Claim,
    CreativeWork,
    DefinedTermSet,
    DigitalDocument,
    Message,
    Project,
    SoftwareSourceCode,
)

MAX_PASSAGE: Final = 8000
"""Characters of a passage; an activity holds 262,144 bytes in all."""
MAX_ABSTRACT: Final = 100
MAX_QUERY: Final = 4000
MAX_LANGUAGE: Final = 40
# Unicode Technical Report 36 § "Bidirectional text spoofing": code that looks unlike what it does.
_BIDI: Final = re.compile("[\u061c\u200e\u200f]")
# RFC 6838 § 4.2: "restricted-name".
_RESTRICTED_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
_MEDIA_TYPE: Final = re.compile(f"{_RESTRICTED_NAME}/{_RESTRICTED_NAME}")


def describe(
    cited: CitedAnswer,
    definitions: Sequence[LinkDefinition],
    ranking: LabelRanking,
    wording: Wording,
    document: Callable[[Reference, LinkDefinition], DigitalDocument],
) -> Message:
    """The Message whose claims match the link definitions of the text by position, URL and title.

    ``document`` is :func:`write_document`, or a cache of it.
    """
    message = message_label(cited, ranking)
    # The message's label: "should be a blank node" (CITATION.md § "usageInfo").
    *labels, whole = _label_nodes([*citation_labels(cited, ranking), message])
    interpreter = _interpreter(cited.origin, wording)
    claims = [
        Claim(
            id=_claim_id(definition),
            appearance=_add_label(document(citation.reference, definition), label),
            claim_interpreter=interpreter,
            position=definition.label,
        )
        for citation, definition, label in zip(cited.citations, definitions, labels, strict=True)
    ]
    return Message(
        citation=tuple(claims),
        is_based_on=_code(cited.query) if cited.query else None,
        keywords=_keywords(cited.origin, message),
        usage_info=whole,
    )


def _keywords(origin: Origin, label: SensitivityLabel | None) -> tuple[str, ...]:
    generated = (AI_GENERATED,) if origin.generated else ()
    # An answer from encrypted sources gets no copy button.
    return generated if label and label.encrypted else (*generated, ALLOW_COPY)


def _code(query: SourceCode) -> SoftwareSourceCode | None:
    """The query as it was typed: clients show it as code."""
    text = clip(_BIDI.sub("", clean_text(query.text[: MAX_QUERY * 2])), MAX_QUERY)
    if not text.strip():
        return None
    return SoftwareSourceCode(
        programming_language=clean_name(query.language or "", MAX_LANGUAGE) or None, text=text
    )


def _claim_id(definition: LinkDefinition) -> str:
    return definition.destination if definition.is_url else f"_:c{definition.destination.partition(':')[2]}"


def write_document(
    reference: Reference, definition: LinkDefinition, live_hosts: frozenset[str], wording: Wording
) -> DigitalDocument:
    """The cited document without its label."""
    media_type, modified = reference.media_type or "", reference.modified or ""
    return DigitalDocument(
        abstract=_abstract(reference.text or ""),
        date_modified=modified if ISO_DATE.fullmatch(modified) else None,
        editor=clean_name(reference.editor or "") or None,
        encoding_format=media_type if _MEDIA_TYPE.fullmatch(media_type) else None,
        name=definition.title or None,
        pagination=_pagination(reference),
        # "Citation which does not have a link to point the user to. But part or whole of the cited
        # content is attached" (CITATION.md § "Non-URL citation"). Without it a click crashes Web Chat.
        text=None if definition.is_url else _passage(reference, definition.title, live_hosts, wording),
        url=definition.destination if definition.is_url else None,
    )


def _pagination(reference: Reference) -> str | None:
    """The pages, as in ``135`` or ``11-15`` (Schema.org ``pagination``)."""
    pages = pages_of(reference)
    return "-".join(map(str, dict.fromkeys(pages))) if pages else None


def _add_label(document: DigitalDocument, label: CreativeWork | BlankNode | None) -> DigitalDocument:
    return document if label is None else replace(document, usage_info=label)


def _passage(reference: Reference, name: str, live_hosts: frozenset[str], wording: Wording) -> str:
    """The Markdown that the badge of a non-URL citation opens; never empty."""
    # Leading spaces stay: they mark the code that `sanitize` left as code.
    text = sanitize(clip(reference.text or "", MAX_PASSAGE), live_hosts=live_hosts).strip("\n")
    passage = text if text.strip() else write_words(name or clean_name(reference.id) or wording.source)
    # The provider gave the document's URL, not the document itself. So it may be a link.
    document = safe_url(reference.document_url) if reference.document_url else None
    if document is None:
        return passage
    target = document.replace("(", "%28").replace(")", "%29")
    return f"{passage}\n\n[{wording.open.format(name=write_words(name))}]({target})"


def _abstract(text: str) -> str | None:
    return clip(write_abstract(text, MAX_ABSTRACT * 4), MAX_ABSTRACT, "...") or None


def _interpreter(origin: Origin, wording: Wording) -> Project | None:
    if not (origin.generated or origin.slogan or origin.provider or origin.url):
        # No model worded it, and its author isn't known.
        return None
    surfaced = wording.surfaced_with.format(provider=origin.provider or wording.ai)
    slogan = clean_name(surfaced if origin.slogan is None else origin.slogan) or None
    url = safe_url(origin.url) if origin.url else None
    return Project(slogan=slogan, url=url) if slogan or url else None


def _label_nodes(labels: Sequence[SensitivityLabel | None]) -> list[CreativeWork | BlankNode | None]:
    """The nodes of these labels. Each label is written in full once, and referenced elsewhere."""
    uses = Counter(labels)
    shared = [label for label, count in uses.items() if label and count > 1]
    # An id from a provider could denote another label. So no other blank-node ids are written.
    ids = {label: f"_:s{number}" for number, label in enumerate(shared, 1)}
    nodes: list[CreativeWork | BlankNode | None] = []
    for place, label in enumerate(labels):
        if label is None:
            nodes.append(None)
        elif labels.index(label) < place:
            nodes.append(BlankNode(ids[label]))
        else:
            nodes.append(_label_node(label, ids.get(label)))
    return nodes


def _label_node(label: SensitivityLabel, node_id: str | None) -> CreativeWork:
    colored = label.color is not None and is_color(label.color)
    return CreativeWork(
        id=node_id,
        additional_type=LABEL_TYPE,
        description=label.description,
        keywords=LOCK_KEYWORDS if label.encrypted else (),
        name=label.name,
        pattern=DefinedTermSet(term_code=label.color) if colored and label.color else None,
    )
