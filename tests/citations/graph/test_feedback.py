"""What a channel sends when a thumb is pressed, and what is no vote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import Answer, Reference, RenderingStream, channel, cite, read_vote, render
from citations.graph import VOTE_EVENT, VOTE_INVOKE, Reaction, Vote
from citations.graph.feedback import MAX_COMMENT

CITED = cite(Answer(text="Water it [1].", references=(Reference(id="1"),)))
LIKED, DISLIKED = (
    {"@id": f"urn:answer:a1#{name}", "@type": kind, "actionStatus": "PotentialActionStatus"}
    for name, kind in (("like", "LikeAction"), ("dislike", "DislikeAction"))
)


def event(*entities: object, **fields: object) -> dict[str, Any]:
    return {"type": "event", "name": VOTE_EVENT, "entities": list(entities), **fields}


def submitted(value: object, **fields: object) -> dict[str, Any]:
    return {"type": "invoke", "name": VOTE_INVOKE, "replyToId": "m1", "value": value, **fields}


def feedback(reaction: object, feedback: object = None) -> dict[str, Any]:
    return submitted({"actionName": "feedback", "actionValue": {"reaction": reaction, "feedback": feedback}})


LIKE, DISLIKE = (Vote(reaction=reaction, answer_id="a1") for reaction in Reaction)
VOTES: list[tuple[str, dict[str, Any], Vote]] = [
    ("Web Chat 4.18", event(LIKED, {"type": "ClientCapabilities"}), LIKE),
    ("newer Web Chat", event(DISLIKED | {"actionStatus": "CompletedActionStatus"}), DISLIKE),
    ("behind another entity", event({"type": "ClientCapabilities"}, None, "x", LIKED), LIKE),
    ("legacy, up", event(LIKED | {"@type": "VoteAction", "actionOption": "upvote"}), LIKE),
    ("legacy, down", event(DISLIKED | {"@type": "VoteAction", "actionOption": "downvote"}), DISLIKE),
    ("Teams", feedback("like", '{"feedbackText":"Just what I needed"}'), Vote(reaction=Reaction.LIKE, comment="Just what I needed")),
    ("Teams without words", feedback("dislike", '{"feedbackText":""}'), Vote(reaction=Reaction.DISLIKE)),
    ("Web Chat's form", feedback("dislike", {"feedbackText": " Not so.\r\n"}), Vote(reaction=Reaction.DISLIKE, comment="Not so.")),
    ("a form of one's own", feedback("like", '{"rating": 5}'), Vote(reaction=Reaction.LIKE)),
    ("half a form", feedback("like", '{"feedbackText":'), Vote(reaction=Reaction.LIKE)),
    ("a form that is deep", feedback("like", "[" * 100_000), Vote(reaction=Reaction.LIKE)),
    ("no form", feedback("like"), Vote(reaction=Reaction.LIKE)),
]  # fmt: skip


@pytest.mark.parametrize(("activity", "vote"), [case[1:] for case in VOTES], ids=[case[0] for case in VOTES])
def test_votes(activity: dict[str, Any], vote: Vote) -> None:
    assert read_vote(activity) == vote


NO_VOTES: list[tuple[str, dict[str, Any]]] = [
    ("nothing", {}),
    ("a message", {"type": "message", "text": "like"}),
    ("another event", event(LIKED, name="stop")),
    ("a message of its name", event(LIKED, type="message")),
    ("no entities", event()),
    ("entities that are none", event() | {"entities": {"0": LIKED}}),
    ("without an id", event({"@type": "LikeAction"})),
    ("somebody else's id", event(LIKED | {"@id": "_:a1"})),
    ("an empty answer", event(LIKED | {"@id": "urn:answer:#like"})),
    ("an id with a newline", event(LIKED | {"@id": "urn:answer:a1#like\n"})),
    ("an id with a way out", event(LIKED | {"@id": "urn:answer:../a1#like"})),
    ("an endless id", event(LIKED | {"@id": f"urn:answer:{'a' * 129}#like"})),
    ("a number for an id", event(LIKED | {"@id": 1})),
    ("one thumb under the other's name", event(LIKED | {"@id": DISLIKED["@id"]})),
    ("another action", event(LIKED | {"@type": "AskAction"})),
    ("several types", event(LIKED | {"@type": ["LikeAction"]})),
    ("neither up nor down", event(LIKED | {"@type": "VoteAction"})),
    ("another invoke", feedback("like") | {"name": "message/fetchTask"}),
    ("another action of Teams", submitted({"actionName": "pick", "actionValue": {"reaction": "like"}})),
    ("no value", submitted(None)),
    ("a list for a value", submitted([])),
    ("a text for an action", submitted({"actionName": "feedback", "actionValue": "like"})),
    ("another reaction", feedback("love")),
    ("a list of reactions", feedback(["like"])),
]


@pytest.mark.parametrize("activity", [case[1] for case in NO_VOTES], ids=[case[0] for case in NO_VOTES])
def test_no_votes(activity: dict[str, Any]) -> None:
    assert read_vote(activity) is None


def test_a_comment_has_an_end() -> None:
    vote = read_vote(feedback("like", {"feedbackText": "x" * 10_000}))
    assert vote
    assert len(vote.comment) == MAX_COMMENT


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(("like", "feedback")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("@id", "@type", "actionName", "actionValue", "reaction", "feedback", "feedbackText")
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(json_values, json_values)
def test_no_json_is_too_strange(entities: object, value: object) -> None:
    read_vote(event() | {"entities": entities})
    read_vote(event(entities))
    read_vote(submitted(value))


def thumbs(answer_id: str) -> list[dict[str, str]]:
    rendering = render(CITED, channel("webchat"), answer_id=answer_id)
    found: list[dict[str, str]] = json.loads(json.dumps(rendering.entities[0]["potentialAction"]))
    return found


@given(st.text("abcxyzABCXYZ0189-._~", min_size=1, max_size=128), st.sampled_from((0, 1)))
def test_what_was_asked_is_understood(answer_id: str, pressed: int) -> None:
    shown = thumbs(answer_id)
    assert [thumb["@type"] for thumb in shown] == ["LikeAction", "DislikeAction"]
    assert shown[0]["@id"] != shown[1]["@id"]
    assert read_vote(event(shown[pressed])) == Vote(reaction=tuple(Reaction)[pressed], answer_id=answer_id)


@pytest.mark.parametrize(
    "answer_id", ["", "a b", "a#like", "a:b", "ä", "a\n", "a" * 129, "<x>", "a/../b", "\ud800"]
)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
def test_an_id_that_could_mean_something_else_is_refused(answer_id: str, channel_id: str) -> None:
    with pytest.raises(ValueError, match="id"):
        render(CITED, channel(channel_id), answer_id=answer_id)
    with pytest.raises(ValueError, match="id"):
        RenderingStream(channel(channel_id), answer_id=answer_id)


@pytest.mark.parametrize(
    ("channel_id", "asks"),
    [("webchat", True), ("directline", True), ("emulator", True), ("msteams", False), ("sms", False)],
)
def test_where_thumbs_are_shown(channel_id: str, asks: bool) -> None:
    for entity in render(CITED, channel(channel_id), answer_id="a1").entities:
        assert ("potentialAction" in entity) is asks
    for entity in render(CITED, channel(channel_id)).entities:
        assert "potentialAction" not in entity
