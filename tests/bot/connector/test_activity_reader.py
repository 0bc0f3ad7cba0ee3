"""Activities are read as msrest reads them: the same fields, the same models. Nothing is refused."""

from __future__ import annotations

from typing import Any

import pytest
from botbuilder.schema import Activity
from hypothesis import given
from hypothesis import strategies as st
from msrest.serialization import Model

from bot.connector.activity_reader import read_activity

QUESTION = {
    "type": "message",
    "id": "1",
    "timestamp": "2026-01-02T03:04:05.678Z",
    "localTimestamp": "2026-01-02T04:04:05.6789012+01:00",
    "localTimezone": "Europe/Berlin",
    "channelId": "msteams",
    "serviceUrl": "https://smba.trafficmanager.net/emea/",
    "from": {
        "id": "29:1",
        "name": "Ada",
        "aadObjectId": "8a",
        "role": "user",
        "tenantId": "unknown to the SDK",
    },
    "recipient": {"id": "28:bot"},
    "conversation": {"isGroup": True, "conversationType": "channel", "tenantId": "t", "id": "19:x"},
    "text": "<at>Bot</at> hello",
    "attachments": [{"contentType": "text/html", "content": "<p>hello"}, {"contentUrl": "https://a.example"}],
    "entities": [
        {"type": "mention", "mentioned": {"id": "28:bot"}, "text": "<at>Bot</at>"},
        {"type": "clientInfo", "country": "DE", "@id": "", "deep": {"list": [1, None, {"a": 2.5}]}},
    ],
    "channelData": {"tenant": {"id": "t"}, "list": [None, True, 1.5]},
    "value": [1, "two"],
    "membersAdded": [{"id": "a"}, {"id": "b", "role": "bot"}],
    "suggestedActions": {"to": ["a"], "actions": [{"type": "imBack", "title": "t", "value": {"x": 1}}]},
    "reactionsAdded": [{"type": "like"}],
    "relatesTo": {"conversation": {"id": "c"}, "user": {"id": "u"}},
    "unknown": {"to": "the SDK"},
}

PLAIN = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab1", max_size=3)
TIMES = st.sampled_from(
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456789+05:30", "2026-01-02", "03:04", "soon", "", 7]
)
ANY = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
)
NAMES = {entry["key"]: name for name, entry in Activity._attribute_map.items()}
"""The names of an activity's attributes, by JSON key."""
INNER = st.dictionaries(
    st.sampled_from(["id", "name", "type", "isGroup", "role", "conversation", "actions", "x", "content"]),
    ANY,
    max_size=3,
)
KEYS = st.sampled_from([*NAMES, "unknown", "@id"])
BODIES = st.dictionaries(KEYS, ANY | TIMES | INNER | st.lists(INNER, max_size=2), max_size=5)


def plain(read: Any) -> Any:
    """All that a model holds, its classes named."""
    if isinstance(read, Model):
        return type(read).__name__, {name: plain(value) for name, value in vars(read).items()}
    if isinstance(read, list):
        return [plain(one) for one in read]
    return read


def test_a_question_of_teams() -> None:
    times = {"timestamp": QUESTION["timestamp"], "localTimestamp": QUESTION["localTimestamp"]}
    by_msrest = Activity().deserialize({**QUESTION, **dict.fromkeys(times)})
    by_msrest.timestamp, by_msrest.local_timestamp = times.values()
    assert plain(read_activity(QUESTION)) == plain(by_msrest)
    assert read_activity(QUESTION).entities[1].additional_properties["@id"] == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("text", 5),
        ("from", "ada"),
        ("membersAdded", {"id": "a"}),
        ("timestamp", "yesterday"),
        ("suggestedActions", ["none"]),
        ("entities", ["mention", None]),
    ],
)
def test_a_value_of_another_type_stays_as_it_is(key: str, value: Any) -> None:
    assert getattr(read_activity(QUESTION | {key: value}), NAMES[key]) == value


@given(BODIES)
def test_any_body_is_read(body: dict[str, Any]) -> None:
    unknown = {key: value for key, value in body.items() if key not in NAMES}
    assert read_activity(body).additional_properties == unknown
