"""What we write of a model is what msrest writes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from botbuilder import schema
from botbuilder.schema import (
    ActionTypes,
    Activity,
    ActivityTypes,
    Attachment,
    CardAction,
    ChannelAccount,
    ConversationAccount,
    ConversationParameters,
    ConversationReference,
    Entity,
    HeroCard,
    SuggestedActions,
    TextFormatTypes,
    Transcript,
)
from hypothesis import given
from hypothesis import strategies as st
from msrest.serialization import Model, Serializer

from bot.connector.activity_writer import to_json
from citations.integrations.botbuilder import WholeEntity

MODELS = {name: kind for name, kind in vars(schema).items() if isinstance(kind, type)}
THEIRS = Serializer(MODELS)  # type: ignore[no-untyped-call]


def same(model: Any) -> None:
    by_msrest = THEIRS.body(model, type(model).__name__)  # type: ignore[no-untyped-call]
    assert json.loads(to_json(model)) == json.loads(json.dumps(by_msrest))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
texts = st.none() | st.text(max_size=8)
accounts = st.none() | st.builds(ChannelAccount, id=texts, name=texts, role=texts, aad_object_id=texts)
graphs = st.builds(
    lambda fields: WholeEntity({"type": "https://schema.org/Message", **fields}),
    st.dictionaries(st.text(max_size=5), json_values, max_size=3),
)
actions = st.builds(
    CardAction, type=st.sampled_from(list(ActionTypes)) | st.text(max_size=5), title=texts, value=json_values
)
cards = st.builds(HeroCard, title=texts, buttons=st.none() | st.lists(actions, max_size=2))
attachments = st.builds(Attachment, content_type=texts, content=json_values | cards, name=texts)
activities = st.builds(
    Activity,
    type=st.sampled_from(list(ActivityTypes)) | st.text(max_size=5),
    id=texts,
    text=texts,
    text_format=st.none() | st.sampled_from(list(TextFormatTypes)),
    from_property=accounts,
    recipient=accounts,
    conversation=st.none()
    | st.builds(ConversationAccount, id=texts, is_group=st.none() | st.booleans(), properties=json_values),
    entities=st.none() | st.lists(graphs | st.builds(Entity, type=texts), max_size=2),
    attachments=st.none() | st.lists(attachments, max_size=2),
    suggested_actions=st.none()
    | st.builds(SuggestedActions, actions=st.none() | st.lists(actions, max_size=2)),
    channel_data=json_values,
    value=json_values,
    relates_to=st.none() | st.builds(ConversationReference, activity_id=texts, user=accounts),
)


@given(activities)
def test_any_activity(activity: Any) -> None:
    same(activity)


@given(st.lists(activities, max_size=2), accounts, json_values)
def test_what_else_is_sent_to_conversations(history: list[Any], bot: Any, data: Any) -> None:
    same(Transcript(activities=history))
    same(
        ConversationParameters(bot=bot, is_group=False, channel_data=data, activity=next(iter(history), None))
    )


UNUSUAL = {
    "a number for a text": (Activity(text=5), {"text": 5}),
    "a time as text": (Activity(timestamp="2026-01-01T00:00:00Z"), {"timestamp": "2026-01-01T00:00:00Z"}),
    "a time": (Activity(timestamp=datetime(2026, 1, 1, tzinfo=UTC)), {"timestamp": "2026-01-01T00:00:00Z"}),
    "a tuple": (Activity(value=(1, (2,))), {"value": [1, [2]]}),
    "a dict for a model": (Activity(from_property={"id": "u1"}), {"from": {"id": "u1"}}),
    "a dict for an activity": ({"type": "message"}, {"type": "message"}),
    "a text": ("done", "done"),
}


@pytest.mark.parametrize(("value", "written"), UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_unusual(value: Any, written: Any) -> None:
    assert json.loads(to_json(value)) == written


def test_what_is_no_model_of_the_sdk_is_not_written() -> None:
    with pytest.raises(TypeError, match="object is no model"):
        to_json(Activity(value=object()))


def test_every_model_of_the_sdk_is_written() -> None:
    for kind in MODELS.values():
        if issubclass(kind, Model) and not kind._validation:
            same(kind())
