"""The activity graph (CITATION.md § "Activity graph"): a Schema.org ``Message`` and its claims.

Each class is one Schema.org type with the closed list of properties that clients read, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum, auto
from typing import Any, Final, get_args

CONTEXT: Final = "https://schema.org"
"""Web Chat compares the string: with a trailing slash or ``http:`` the message is lost."""
BASE: Final = "https://activity.invalid/"
"""The base that resolves ``"@id": ""``. pyld's default base is a domain of other people."""
MESSAGE_TYPE: Final = "https://schema.org/Message"
LABEL_TYPE: Final = "https://copilotstudio.microsoft.com/sensitivity-labels/v1"
"""``additionalType`` of a sensitivity label."""
COLOR_TERMS: Final = "https://www.w3.org/TR/css-color-4/"
"""The only term set of a label's colour that Web Chat knows."""
LOCK_KEYWORDS: Final = ("EncryptedContent", "encrypted-content")
"""The first is CITATION.md's. The second is the one for which Web Chat draws the lock."""
CARD_TYPE: Final = "application/vnd.microsoft.card.adaptive"
"""``encodingFormat`` of an Adaptive Card."""
AI_GENERATED: Final = "AIGeneratedContent"
ALLOW_COPY: Final = "AllowCopy"
"""The keyword for which newer Web Chat shows a copy button below a message."""


class Graph(Enum):
    """The forms of the graph, one for each kind of client. Clients refuse each other's fields."""

    WEB_CHAT = auto()
    """CITATION.md: a passage is Markdown, and a label is written once and then referenced."""
    TEAMS = auto()
    """Bounded fields and every label in full. Fields that Teams doesn't document are missing."""
    TEAMS_CARDS = auto()
    """As ``TEAMS``, and a passage without a URL is an Adaptive Card behind its badge. Such cards are in
    Teams' public developer preview. Teams fails (500) when the last message of a stream has one."""
    TEAMS_ALL_CARDS = auto()
    """As ``TEAMS_CARDS``, and so is a passage with a URL that is longer than an abstract."""

    @property
    def is_of_teams(self) -> bool:
        """Whether it is one of Teams' forms."""
        return self is not Graph.WEB_CHAT


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedTermSet:
    """A label's colour: ``termCode`` is the CSS colour."""

    in_defined_term_set: str = COLOR_TERMS
    name: str = "color"
    term_code: str


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A reference to a node of this graph: "a node that does not have any contents but ``@id``"."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreativeWork:
    """A sensitivity label. It has an ``id`` where another node references it, or Teams compares it."""

    id: str | None = None
    additional_type: str | None = None
    description: str | None = None
    keywords: tuple[str, ...] = ()
    name: str
    pattern: DefinedTermSet | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The interpreter of the claim, shown below the message with a link."""

    slogan: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ImageObject:
    """An icon of Teams, by its name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitalDocument:
    """The cited document. Without ``url`` it is a non-URL citation, whose ``text`` Web Chat shows."""

    abstract: str | None = None
    date_modified: str | None = None
    editor: str | None = None
    encoding_format: str | None = None
    image: ImageObject | None = None
    keywords: tuple[str, ...] = ()
    name: str | None = None
    pagination: str | None = None
    text: str | None = None
    url: str | None = None
    usage_info: CreativeWork | BlankNode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One citation. ``position`` is its badge's number, for Web Chat as the definition spells it."""

    id: str | None = None
    appearance: DigitalDocument
    claim_interpreter: Project | None = None
    position: str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class LikeAction:
    """The thumbs-up action. Web Chat returns it unchanged when it is pressed."""

    id: str | None = None
    action_status: str = "PotentialActionStatus"


@dataclass(frozen=True, slots=True, kw_only=True)
class DislikeAction:
    """The thumbs-down action."""

    id: str | None = None
    action_status: str = "PotentialActionStatus"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareSourceCode:
    """The query that the message is based on."""

    programming_language: str | None = None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The root of the graph: the message itself (CITATION.md § "Message thing")."""

    additional_type: tuple[str, ...] = ()
    citation: tuple[Claim, ...] = ()
    is_based_on: SoftwareSourceCode | None = None
    keywords: tuple[str, ...] = ()
    potential_action: tuple[LikeAction | DislikeAction, ...] = ()
    usage_info: CreativeWork | BlankNode | None = None


Node = (
    Message
    | Claim
    | DigitalDocument
    | ImageObject
    | CreativeWork
    | Project
    | DefinedTermSet
    | LikeAction
    | DislikeAction
    | SoftwareSourceCode
    | BlankNode
)


def _key(field: str) -> str:
    """The JSON key of a field.

    >>> _key("usage_info"), _key("id")
    ('usageInfo', '@id')
    """
    first, *others = field.split("_")
    return "@id" if field == "id" else first + "".join(word.title() for word in others)


_KEYS: Final = {kind: [(_key(one.name), one.name) for one in fields(kind)] for kind in get_args(Node)}
"""The JSON key and the field of each property, in the order of CITATION.md's sample."""


def to_json(message: Message) -> dict[str, object]:
    """The JSON-LD of a message, as an entity of an activity.

    Absent values are left out: Web Chat takes ``null`` and ``""`` for values.
    """
    whole = {"@context": CONTEXT, "@id": "", "type": MESSAGE_TYPE, **_node_to_json(message)}
    return {key: whole[key] for key in sorted(whole)}


def _node_to_json(node: Node) -> dict[str, object]:
    kind = type(node)
    # A dict keeps the order of first assignment, so `@id` stays in front.
    written: dict[str, object] = {"@id": known} if (known := getattr(node, "id", None)) else {}
    if kind is not BlankNode:
        written["@type"] = kind.__name__
    for key, field in _KEYS[kind]:
        value = getattr(node, field)
        if type(value) is str or type(value) is int:
            if value != "":
                written[key] = value
        elif value:
            written[key] = _value_to_json(value)
    return written


def _value_to_json(value: Any) -> object:
    if isinstance(value, tuple):
        return [_value_to_json(item) for item in value]
    return _node_to_json(value) if type(value) in _KEYS else value
