"""Activities are read as msrest reads them: the same fields, the same models, the same refusals."""

from __future__ import annotations

from typing import Any

import pytest
from botbuilder.schema import Activity
from hypothesis import given
from hypothesis import strategies as st
from msrest.serialization import Model

from bot.connector.activity_reader import from_json

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
NAMES = st.sampled_from([one["key"] for one in Activity._attribute_map.values()] + ["unknown", "@id"])
INNER = st.dictionaries(
    st.sampled_from(["id", "name", "type", "isGroup", "role", "conversation", "actions", "x", "content"]),
    ANY,
    max_size=3,
)
BODIES = st.dictionaries(NAMES, ANY | TIMES | INNER | st.lists(INNER, max_size=2), max_size=5)


def plain(read: Any) -> Any:
    """All that a model holds, its classes named."""
    if isinstance(read, Model):
        return type(read).__name__, {name: plain(value) for name, value in vars(read).items()}
    if isinstance(read, list):
        return [plain(one) for one in read]
    return read


def outcome(read: Any, *given: Any) -> Any:
    try:
        return plain(read(*given))
    except Exception as error:  # noqa: BLE001 - whatever the one raises, the other is to raise
        return type(error).__name__


def by_msrest(body: dict[str, Any]) -> Any:
    return Activity().deserialize(body)


def test_a_question_of_teams() -> None:
    assert plain(from_json("Activity", QUESTION)) == plain(by_msrest(QUESTION))
    assert from_json("Activity", QUESTION).entities[1].additional_properties["@id"] == ""


@pytest.mark.parametrize(
    "field",
    [
        {"text": 5},
        {"text": {"a": 1}},
        {"from": "ada"},
        {"conversation": {"isGroup": "true"}},
        {"conversation": {"isGroup": 1}},
        {"membersAdded": {"id": "a"}},
        {"membersAdded": [None, {"id": "a"}]},
        {"timestamp": "2026-01-02"},
        {"timestamp": "yesterday"},
        {"timestamp": "9999-12-31T23:59:59-12:00"},
        {"entities": ["mention"]},
        {"attachments": [{"content": [{"@type": None}]}]},
        {"type": None},
        {},
    ],
    ids=str,
)
def test_what_is_out_of_the_ordinary(field: dict[str, Any]) -> None:
    body = QUESTION | field
    assert outcome(from_json, "Activity", body) == outcome(by_msrest, body)


@given(BODIES)
def test_any_fields(body: dict[str, Any]) -> None:
    assert outcome(from_json, "Activity", body) == outcome(by_msrest, body)
