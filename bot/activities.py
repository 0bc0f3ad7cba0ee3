"""What is said, as Bot Framework activities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class GraphEntity(Entity):  # type: ignore[misc] # the SDK ships no types
    """A Schema.org node among an activity's entities that reaches the connector whole.

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
    return Activity(
        type=ActivityTypes.message,
        text=rendering.text,
        text_format=rendering.text_format,
        entities=[GraphEntity(node) for node in rendering.entities] or None,
    )


def sentence(text: str) -> Any:
    """A plain sentence of the bot's own: an excuse, a hint."""
    return Activity(type=ActivityTypes.message, text=text, text_format=TextFormatTypes.plain)


def welcome(text: str, text_format: str, questions: Sequence[str]) -> Any:
    """A greeting with questions to begin with, each of which is asked when it is pressed."""
    actions = [CardAction(type=ActionTypes.im_back, title=question, value=question) for question in questions]
    return Activity(
        type=ActivityTypes.message,
        text=text,
        text_format=text_format,
        suggested_actions=SuggestedActions(actions=actions) if actions else None,
    )


def typing() -> Any:
    """The sign that an answer is being worked on."""
    return Activity(type=ActivityTypes.typing)


def read_activity(body: Mapping[str, object]) -> Any:
    """An inbound activity from JSON.

    Raises ``ValueError`` where a field has a value that the Bot Framework's schema doesn't allow.
    """
    try:
        activity = Activity().deserialize(dict(body))
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError("a field has a value of the wrong type") from error
    except Exception as error:  # msrest's own DeserializationError has no public home
        if type(error).__name__ != "DeserializationError":
            raise
        raise ValueError("a field has a value of the wrong type") from error
    return activity
