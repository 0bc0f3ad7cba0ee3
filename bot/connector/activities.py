"""What is said, as Bot Framework activities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

from botbuilder.schema import (
    ActionTypes,
    Activity,
    ActivityTypes,
    CardAction,
    Entity,
    SuggestedActions,
    TextFormatTypes,
)

from citations import Rendering

from .activity_reader import from_json

Metadata = Mapping[str, str | int]
"""What makes an activity a piece of a stream: ``streamType``, ``streamSequence``, ``streamId``."""


class OutgoingActivity(Activity):  # type: ignore[misc] # the SDK ships no types
    """An activity of ours, which nobody changes once it is made, but to say where it goes."""

    def __deepcopy__(self, memo: object) -> OutgoingActivity:
        """A copy that shares what is said: ``TurnContext`` copies what it sends, to address the copy."""
        return copy(self)


class WholeEntity(Entity):  # type: ignore[misc] # the SDK ships no types
    """An entity, such as a Schema.org node, that reaches the connector whole.

    The SDK sends only the attributes that a class declares: of an ``Entity``, a dict or an
    ``Entity.deserialize(…)`` nothing but ``type`` leaves the process. An empty ``key`` in the
    attribute map makes it write all of ``additional_properties`` at the top level.
    """

    _attribute_map: ClassVar[dict[str, dict[str, str]]] = {
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }

    def __init__(self, node: Mapping[str, object]) -> None:
        super().__init__(type=node["type"])
        self.additional_properties = {name: value for name, value in node.items() if name != "type"}


def answer(rendering: Rendering) -> Any:
    """The activity of a rendered answer: its text, its text's format and its graph."""
    return OutgoingActivity(
        type=ActivityTypes.message,
        text=rendering.text,
        text_format=rendering.text_format,
        speak=rendering.speak,
        channel_data=dict(rendering.channel_data) or None,
        entities=[WholeEntity(node) for node in rendering.entities] or None,
    )


def message(fields: Mapping[str, Any], nodes: Iterable[Mapping[str, object]]) -> Any:
    """A message with these fields, by the SDK's names, and these entities."""
    entities = [WholeEntity(node) for node in nodes]
    return OutgoingActivity(type=ActivityTypes.message, **fields, entities=entities or None)


def messages(rendering: Rendering) -> list[Any]:
    """The activities of a rendered answer, in the order in which they are to be sent."""
    return [answer(replace(rendering, text=part)) for part in rendering.parts or (rendering.text,)]


def informative(text: str, metadata: Metadata) -> Any:
    """What the bot is doing before there is any text; Teams shows it until the first interim."""
    return _in_stream(OutgoingActivity(type=ActivityTypes.typing, text=text), metadata)


def interim(rendering: Rendering, metadata: Metadata) -> Any:
    """The text so far of an answer that is being written."""
    piece = answer(rendering)
    piece.type = ActivityTypes.typing
    return _in_stream(piece, metadata)


def final(message: Any, metadata: Metadata) -> Any:
    """``message`` as the end of a stream: it takes the place of all that was shown of it."""
    return _in_stream(_with_entities(message, message.entities or []), metadata)


def label_alone(text: str, rendering: Rendering) -> Any | None:
    """``text`` with the sensitivity label of ``rendering`` and nothing else of it; None if it has none."""
    labels = _labels(rendering.entities)
    return _with_entities(sentence(text), labels) if labels else None


def without_graph(message: Any) -> Any:
    """``message`` with its text and its sensitivity label alone, where it is too large for its channel."""
    nodes = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or []]
    return _with_entities(message, _labels(nodes))


def _labels(nodes: Iterable[Mapping[str, Any]]) -> list[WholeEntity]:
    """The Messages among ``nodes`` that have a label, with nothing else."""
    return [
        WholeEntity(
            {name: node[name] for name in ("@context", "@type", "@id", "type")}
            | {"usageInfo": _full_label(node)}
        )
        for node in nodes
        if isinstance(node.get("usageInfo"), dict)
    ]


def _full_label(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The label of a Message, in full also where only a citation has it so."""
    label: Mapping[str, Any] = node["usageInfo"]
    carried = (claim["appearance"].get("usageInfo", {}) for claim in node.get("citation", []))
    same = (other for other in carried if other.get("@id") == label.get("@id") and "name" in other)
    return label if "name" in label else next(same, label)


def _with_entities(message: Any, entities: Sequence[Any]) -> Any:
    """A copy of ``message`` with other entities."""
    copied = copy(message)
    copied.entities = list(entities) or None
    return copied


def _in_stream(activity: Any, metadata: Metadata) -> Any:
    """Web Chat 4.18 reads a stream's metadata from ``channelData`` only, Teams from the entity."""
    activity.channel_data = {**(activity.channel_data or {}), **metadata}
    activity.entities = [*(activity.entities or []), WholeEntity({"type": "streaminfo", **metadata})]
    return activity


def sentence(text: str) -> Any:
    """A plain sentence of the bot's own: an excuse, a hint."""
    return OutgoingActivity(type=ActivityTypes.message, text=text, text_format=TextFormatTypes.plain)


def welcome(text: str, text_format: str, questions: Sequence[str]) -> Any:
    """A greeting with questions to begin with, each of which is asked when it is pressed."""
    actions = [CardAction(type=ActionTypes.im_back, title=question, value=question) for question in questions]
    return OutgoingActivity(
        type=ActivityTypes.message,
        text=text,
        text_format=text_format,
        suggested_actions=SuggestedActions(actions=actions) if actions else None,
    )


def typing() -> Any:
    """The sign that an answer is being worked on."""
    return OutgoingActivity(type=ActivityTypes.typing)


def read_activity(body: Mapping[str, object]) -> Any:
    """An inbound activity from JSON.

    Raises ``ValueError`` where a field has a value that the Bot Framework's schema doesn't allow.
    """
    try:
        activity = from_json("Activity", body)
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError("a field has a value of the wrong type") from error
    except Exception as error:  # msrest's own DeserializationError has no public home
        if type(error).__name__ != "DeserializationError":
            raise
        raise ValueError("a field has a value of the wrong type") from error
    return activity
