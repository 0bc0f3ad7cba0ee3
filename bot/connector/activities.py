"""The bot's Bot Framework activities: answers, interims, plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Final

from botbuilder.schema import (
    ActionTypes,
    Activity,
    ActivityTypes,
    CardAction,
    SuggestedActions,
    TextFormatTypes,
)

from citations import Rendering
from citations.integrations.botbuilder_entity import WholeEntity

Metadata = Mapping[str, str | int]
"""The streaming metadata of an activity: ``streamType``, ``streamSequence``, ``streamId``."""


class OutgoingActivity(Activity):  # type: ignore[misc] # the SDK ships no types
    """An activity of the bot. Only its address fields change after it is created."""

    def __deepcopy__(self, memo: object) -> OutgoingActivity:
        """A shallow copy: ``TurnContext`` copies each activity that it sends, and addresses the copy."""
        return copy(self)


def answer(rendering: Rendering) -> Any:
    """The activity of a rendered answer: its text, its text's format and its graph."""
    return message(
        rendering.entities,
        text=rendering.text,
        text_format=rendering.text_format,
        speak=rendering.speak,
        channel_data=dict(rendering.channel_data) or None,
        suggested_actions=_suggest(rendering.suggestions),
    )


def message(nodes: Iterable[Mapping[str, object]] = (), **fields: Any) -> Any:
    """A message with these fields, under the SDK's names, and these entities."""
    entities = [WholeEntity(node) for node in nodes]
    return OutgoingActivity(type=ActivityTypes.message, **fields, entities=entities or None)


def messages(rendering: Rendering) -> list[Any]:
    """The activities of a rendered answer, in sending order."""
    return [answer(replace(rendering, text=part)) for part in rendering.parts or (rendering.text,)]


def informative(text: str, metadata: Metadata) -> Any:
    """An informative update: what the bot is doing. Teams shows it until the first interim."""
    return _in_stream(OutgoingActivity(type=ActivityTypes.typing, text=text), metadata)


def interim(rendering: Rendering, metadata: Metadata) -> Any:
    """An interim of a stream: the answer's text so far."""
    activity = answer(rendering)
    activity.type = ActivityTypes.typing
    return _in_stream(activity, metadata)


def final(message: Any, metadata: Metadata) -> Any:
    """``message`` as the final activity of a stream, which replaces its interims."""
    return _in_stream(_with_entities(message, message.entities or []), metadata)


def update(sent: Any, rendering: Rendering, *, in_stream: bool) -> Any:
    """``rendering`` in the place of the message ``sent``, which has the id that its channel gave it.

    With ``in_stream`` it is still the final of its stream, by which Web Chat finds it.
    """
    activity = answer(rendering)
    activity.id = sent.id
    metadata = {name: value for name, value in (sent.channel_data or {}).items() if name in _STREAM}
    return _in_stream(activity, metadata) if in_stream and metadata else activity


def replacement(message: Any, activity_id: str) -> Any:
    """A copy of ``message`` for the place of the message with this id."""
    copied = copy(message)
    copied.id = activity_id
    return copied


_STREAM: Final = ("streamType", "streamId")


def label_alone(text: str, rendering: Rendering) -> Any | None:
    """``text`` with the sensitivity label of ``rendering``; None if it has none."""
    labels = _label_entities(rendering.entities)
    return _with_entities(sentence(text), labels) if labels else None


def without_graph(message: Any) -> Any:
    """``message`` reduced to its text and its sensitivity label, to fit its channel's size limit."""
    nodes = [{"type": entity.type, **entity.additional_properties} for entity in message.entities or []]
    return _with_entities(message, _label_entities(nodes))


def _label_entities(nodes: Iterable[Mapping[str, Any]]) -> list[WholeEntity]:
    """The labelled Messages among ``nodes``, each reduced to its label."""
    return [
        WholeEntity(
            {name: node[name] for name in ("@context", "@type", "@id", "type")}
            | {"usageInfo": _full_label(node)}
        )
        for node in nodes
        if isinstance(node.get("usageInfo"), dict)
    ]


def _full_label(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The label of a Message. Where that is a reference, a citation has the properties of the same label."""
    label: Mapping[str, Any] = node["usageInfo"]
    in_citations = (claim["appearance"].get("usageInfo", {}) for claim in node.get("citation", []))
    same = (other for other in in_citations if other.get("@id") == label.get("@id") and "name" in other)
    return label if "name" in label else next(same, label)


def _with_entities(message: Any, entities: Sequence[Any]) -> Any:
    """A copy of ``message`` with other entities."""
    copied = copy(message)
    copied.entities = list(entities) or None
    return copied


def _in_stream(activity: Any, metadata: Metadata) -> Any:
    """Add the metadata to ``channelData``, where Web Chat 4.18 reads it, and as an entity, for Teams."""
    activity.channel_data = {**(activity.channel_data or {}), **metadata}
    activity.entities = [*(activity.entities or []), WholeEntity({"type": "streaminfo", **metadata})]
    return activity


def sentence(text: str) -> Any:
    """A plain-text sentence of the bot's own, such as an apology or a hint."""
    return message(text=text, text_format=TextFormatTypes.plain)


def welcome(text: str, text_format: str, questions: Sequence[str]) -> Any:
    """A greeting with suggested questions; pressing one asks it."""
    return message(text=text, text_format=text_format, suggested_actions=_suggest(questions))


def _suggest(questions: Sequence[str]) -> Any:
    actions = [CardAction(type=ActionTypes.im_back, title=question, value=question) for question in questions]
    return SuggestedActions(actions=actions) if actions else None


def typing() -> Any:
    """A typing indicator."""
    return OutgoingActivity(type=ActivityTypes.typing)
