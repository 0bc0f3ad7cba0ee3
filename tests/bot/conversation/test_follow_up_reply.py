"""What is said to somebody who wants to know more about the last answer, channel by channel."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.follow_up import FollowUpReply, FollowUps, MoreRequest, SourceRequest
from bot.conversation.last_answer import RememberedAnswer, read_record, remember, write_record
from bot.languages import Sentence, say, wording
from citations import Answer, AnswerKind, LabelRanking, Reference, channel, check, cite

CHANNELS = ["webchat", "directline", "emulator", "msteams", "sms", "email", "telegram", "line", "unheard-of"]
GRAPHS = {"webchat", "directline", "emulator", "msteams"}

FERNS = Reference(
    id="1",
    name="Ferns *at home*.md",
    text="# Water\n\nA fern wants **moist** soil [2]. [A link](https://evil.example/) <b>tag</b>",
    page=3,
    document_url="https://docs.example.com/ferns.md",
)
LIGHT = Reference(
    id="2", name="Light", url="https://example.com/light", text="Ferns like shade.", label="secret"
)
SOIL = Reference(id="3", name="Soil", url="https://example.com/soil", text="Peat.")
MOSS = Reference(id="4", name="Moss", text="Moss is no fern.")
MOSS_AGAIN = replace(MOSS, text="Nor is lichen.", label="secret")

LABELS = LabelRanking.from_toml(
    """
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "secret"
    name = "Top Secret"
    priority = 1
    [ceiling]
    sms = "general"
    telegram = "general"
    webchat = "general"
    """
)


def answered(*references: Reference, text: str = "Water it [1], in shade [2].") -> RememberedAnswer:
    return remember(text, cite(Answer(text=text, references=references)), interrupted=False)


FOUND = answered(FERNS, LIGHT, SOIL, MOSS, MOSS_AGAIN)


def source(
    number: int, last: RememberedAnswer, channel_id: str, ranking: LabelRanking | None = None
) -> FollowUpReply:
    following = FollowUps(channel=channel(channel_id), ranking=ranking).follow(SourceRequest(number), last)
    assert following is not None
    return following


def more(last: RememberedAnswer, channel_id: str) -> FollowUpReply:
    following = FollowUps(channel=channel(channel_id)).follow(MoreRequest(), last)
    assert following is not None
    # What is kept of it is what comes back next time.
    assert read_record(write_record(following.answer) or b"") == following.answer
    return following


def text_of(following: FollowUpReply) -> str:
    return "\n\n".join(following.rendering.parts) or following.rendering.text


def positions(following: FollowUpReply) -> list[int]:
    return [int(claim["position"]) for node in following.rendering.entities for claim in node["citation"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_the_passage_has_the_number_of_its_source(channel_id: str) -> None:
    following = source(2, FOUND, channel_id)
    text = text_of(following)
    assert "Ferns like shade." in text
    assert "Light" in text
    assert "secret" in text or channel_id in GRAPHS
    if channel_id in GRAPHS:
        assert "[2]" in text
        assert positions(following) == [2]
    else:
        assert "(2)" in text or "[2]" in text
        assert "https://example.com/light" in text
    assert "[1]" not in text
    assert "(1)" not in text


@pytest.mark.parametrize("channel_id", ["webchat", "directline", "emulator"])
@pytest.mark.parametrize("number", [1, 2])
def test_web_chat_gets_what_it_can_show(channel_id: str, number: int) -> None:
    following = source(number, FOUND, channel_id)
    assert check(following.rendering.to_activity() | {"channelId": channel_id}) == ()


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_a_passage_does_nothing(channel_id: str) -> None:
    text = text_of(source(1, FOUND, channel_id))
    assert "](https://evil.example" not in text
    assert "<b>" not in text
    assert "moist" in text
    # Its document is where the badge or the list leads; its own [2] leads nowhere.
    assert channel_id == "msteams" or "https://docs.example.com/ferns.md" in text
    assert channel_id not in GRAPHS or "[2]" not in text


@pytest.mark.parametrize("channel_id", ["sms", "telegram", "webchat"])
def test_a_passage_above_the_ceiling_stays_where_it_is(channel_id: str) -> None:
    following = source(2, FOUND, channel_id, LABELS)
    assert "shade" not in repr(following.rendering)
    assert "Top Secret" in text_of(following)
    assert "https://example.com/light" in text_of(following)


def test_one_label_of_two_snippets_is_enough() -> None:
    listed = more(FOUND, "sms")
    moss = listed.answer.citations[3]
    assert moss.parts == (MOSS, MOSS_AGAIN)
    assert "no fern" not in text_of(source(4, listed.answer, "sms", LABELS))


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_a_number_that_no_source_has(channel_id: str) -> None:
    following = source(7, FOUND, channel_id)
    assert (
        text_of(following) == "My last answer has no source 7. Reply 1 or 2 for the passage of that source."
    )
    assert following.rendering.text_format == "plain"
    assert following.answer == FOUND
    alone = answered(FERNS, text="Water it [1].")
    assert text_of(source(0, alone, channel_id)) == (
        "My last answer has no source 0. Reply 1 for the passage of its only one."
    )


def test_nothing_to_ask_about_is_a_question() -> None:
    greeting = RememberedAnswer(text="Hello!")
    follower = FollowUps(channel=channel("sms"))
    assert follower.follow(SourceRequest(2), greeting) is None
    assert follower.follow(MoreRequest(), greeting) is None


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_more_is_what_was_found_besides_and_then_all(channel_id: str) -> None:
    listed = more(FOUND, channel_id)
    text = text_of(listed)
    assert say(Sentence.ALSO_FOUND) in text
    assert "Soil" in text
    assert "Moss" in text
    assert "Light" not in text
    if channel_id in GRAPHS:
        assert positions(listed) == [3, 4]
    assert "Peat." in text_of(source(3, listed.answer, channel_id))
    assert text_of(more(listed.answer, channel_id)) == "That was all. Reply with a number for the passage."


def test_more_of_an_excerpt_is_first_its_whole_passage() -> None:
    asked = cite(Answer(text="Probably here: [4]", references=(MOSS, SOIL), kind=AnswerKind.UNSURE))
    last = remember(asked.text, asked, interrupted=False)
    passage = more(last, "sms")
    assert "Moss is no fern." in text_of(passage)
    assert "Soil" in text_of(more(passage.answer, "sms"))
    whole = remember(f"Probably here: (1)\n\n> **{MOSS.text}**", asked, interrupted=False)
    assert "Soil" in text_of(more(whole, "sms"))


def test_many_sources_come_ten_at_a_time() -> None:
    last = answered(
        *(Reference(id=str(number), name=f"Page {number}") for number in range(1, 26)), text="[1]"
    )
    first = more(last, "msteams")
    second = more(first.answer, "msteams")
    third = more(second.answer, "msteams")
    assert positions(first) + positions(second) + positions(third) == list(range(2, 26))
    assert text_of(more(third.answer, "msteams")) == "That was all. Reply with a number for the passage."


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_a_long_passage_comes_in_parts_that_lose_nothing(channel_id: str) -> None:
    words = [f"word{number}" for number in range(900)]
    long = replace(LIGHT, text=" ".join(words))
    following = source(2, answered(FERNS, long), channel_id)
    told, times = text_of(following), 1
    while following.answer.passage or following.answer.rest:
        assert wording().more in text_of(following)
        following = more(following.answer, channel_id)
        told, times = f"{told} {text_of(following)}", times + 1
    assert times > 1
    assert [word.strip(">.") for word in told.split() if word.strip(">").startswith("word")] == words
    assert wording().more not in text_of(following)


def test_a_passage_goes_on_before_the_answer_does() -> None:
    waiting = replace(answered(FERNS, replace(LIGHT, text="long " * 200)), rest=("the fifth message",))
    first = source(2, waiting, "sms")
    second = more(first.answer, "sms")
    assert "long" in text_of(second)
    assert second.answer.passage is None
    assert text_of(more(second.answer, "sms")) == "the fifth message"


def test_the_rest_of_an_answer_comes_as_many_messages_at_a_time_as_the_answer() -> None:
    waiting = replace(FOUND, rest=tuple(f"message {number}" for number in range(5, 11)))
    first = more(waiting, "sms")
    assert first.rendering.parts == ("message 5", "message 6", "message 7", "message 8")
    second = more(first.answer, "sms")
    assert second.rendering.parts == ("message 9", "message 10")
    assert say(Sentence.ALSO_FOUND) in text_of(more(second.answer, "sms"))


def test_a_source_without_a_passage_says_so() -> None:
    text = text_of(source(1, answered(Reference(id="1", url="https://example.com/x"), text="[1]"), "sms"))
    assert "There is no passage" in text
    assert text.endswith("(1) example.com: https://example.com/x")


HOSTILE = st.text(st.sampled_from("[]()<>!`*_~#|\\\n -1:2/x&;.") | st.characters(), max_size=80)


@given(HOSTILE, HOSTILE, st.sampled_from(CHANNELS))
def test_whatever_a_passage_holds_it_is_shown_and_harmless(title: str, passage: str, channel_id: str) -> None:
    hostile = replace(LIGHT, name=title, text=passage)
    following = source(2, answered(FERNS, hostile), channel_id)
    assert text_of(following).strip()
    if channel_id == "webchat":
        assert check(following.rendering.to_activity()) == ()
