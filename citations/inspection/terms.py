"""The terms of Schema.org that messages use, and nodes that have no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..graph.schema_org import CONTEXT, MESSAGE_TYPE

SCHEMA: Final = "http://schema.org/"

_TYPES: Final = """
    Action Article AskAction Claim Collection Comment Conversation CreateAction CreativeWork Dataset
    DefinedTerm DefinedTermSet DigitalDocument DislikeAction EmailMessage HowTo HowToStep ImageObject
    ItemList LikeAction ListItem MediaObject Message NoteDigitalDocument Organization Person
    PresentationDigitalDocument Project Question Answer Quotation Rating ReplyAction Review
    SoftwareApplication SoftwareSourceCode SpreadsheetDigitalDocument TextDigitalDocument Thing
    UserReview VideoObject VoteAction WebPage WebSite
""".split()

_PROPERTIES: Final = """
    about abstract actionOption actionStatus additionalType agent alternateName appearance
    associatedMedia audience author caption citation claimInterpreter codeRepository codeSampleType
    comment commentCount conditionsOfAccess contentSize contentUrl contributor copyrightHolder
    copyrightNotice copyrightYear creativeWorkStatus creator creditText dateCreated dateDeleted
    dateModified datePublished dateRead dateReceived dateSent description disambiguatingDescription
    duration editor email encoding encodingFormat endTime error exampleOfWork expires familyName
    firstAppearance genre givenName hasDefinedTerm hasPart headline height honorificPrefix identifier
    image inDefinedTermSet inLanguage instrument interpretedAsClaim isAccessibleForFree isBasedOn
    isPartOf item itemListElement itemReviewed jobTitle keywords legalName license location logo
    mainEntity mainEntityOfPage maintainer mentions messageAttachment name numberOfItems object
    pageEnd pageStart pagination participant pattern position potentialAction programmingLanguage
    provider publisher ratingValue recipient result resultComment reviewAspect reviewBody
    reviewRating runtimePlatform sameAs sdDatePublished sdLicense sender size slogan sourceOrganization
    spatial startTime subjectOf target targetProduct telephone temporal termCode text thumbnail
    thumbnailUrl title toRecipient translator uploadDate url usageInfo version video width wordCount
""".split()

KNOWN: Final = frozenset(_PROPERTIES)

_IRIS: Final = frozenset(
    {"additionalType", "inDefinedTermSet", "isBasedOn", "license", "sameAs", "url", "usageInfo"}
)

SCHEMA_CONTEXT: Final[Mapping[str, Any]] = {
    "@context": {
        "type": "@type",
        "id": "@id",
        **{name: SCHEMA + name for name in _TYPES},
        **{
            name: {"@id": SCHEMA + name, "@type": "@id"} if name in _IRIS else {"@id": SCHEMA + name}
            for name in _PROPERTIES
        },
    }
}
"""The part of Schema.org's context that messages, claims, labels and actions use.

Schema.org's context ends with ``@vocab``, which expands a misspelt property to one that no client reads.
Without ``@vocab`` such a property is dropped, and ``lost_terms`` of :mod:`.json_ld` finds it."""


def is_plain(node: Mapping[str, object]) -> bool:
    """Whether a JSON-LD reader loses nothing of ``node``, as far as a look at its terms can tell.

    Its types and properties are known, and its values are strings, numbers, and nodes of the same kind.
    """
    return ("@type" in node or "@id" in node) and all(_is_kept(key, value) for key, value in node.items())


def _is_kept(key: str, value: object) -> bool:
    if key == "@context":
        return value == CONTEXT
    if key in ("@type", "type"):
        return isinstance(value, str) and (value in _TYPES or value == MESSAGE_TYPE)
    values = value if isinstance(value, list) else (value,)
    if key == "@id":
        return _is_text(value)
    return key in KNOWN and all(
        is_plain(one) if isinstance(one, dict) else _is_text(one) or isinstance(one, int | float)
        for one in values
    )


def _is_text(value: object) -> bool:
    """Whether it is a string, and no keyword of JSON-LD, such as ``@none``."""
    return isinstance(value, str) and not value.startswith("@")
