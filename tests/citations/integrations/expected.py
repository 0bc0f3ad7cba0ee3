"""What a bot's message is when it arrives: the activity that ``render`` prints, and the SDK's address on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from citations import Answer, LabelRanking, Reference, channel, cite, render

Activity = dict[str, Any]

PROXY = (
    Reference(id="1", name="Proxy settings", url="https://example.com/proxy", label="general"),
    Reference(
        id="2", name="handbook.pdf", page=3, text="One proxy is enough.", label="confidential", extract=True
    ),
)
TEXT = "Set a proxy [2], and never two [1][2]."

_ADDRESS = {
    "attachments",  # the Agents SDK streams with an empty list
    "channelId",
    "conversation",
    "from",
    "id",
    "inputHint",
    "locale",
    "recipient",
    "replyToId",
    "serviceUrl",
}


def rendered(
    channel_id: str,
    text: str = TEXT,
    references: tuple[Reference, ...] = PROXY,
    ranking: LabelRanking | None = None,
) -> list[Activity]:
    """The activities that ``python -m citations render`` prints, without an offer of those that follow."""
    answer = Answer(text=text, references=references)
    whole = replace(channel(channel_id), at_once=None)
    return list(render(cite(answer), whole, ranking=ranking).to_activities())


def assert_arrived(
    arrived: Activity, *expected: Activity, streamed: bool = False, others: tuple[str, ...] = ()
) -> None:
    """All fields of the one activity in ``expected`` have arrived, and no others but the address.

    ``streamed`` says whether it is in a stream, which is said by an entity of its own.
    """
    [fields] = expected
    content = {name: value for name, value in arrived.items() if name in fields or name not in _ADDRESS}
    infos = [one for one in content.get("entities", ()) if one["type"] == "streaminfo"]
    assert len(infos) == streamed
    content["entities"] = [one for one in content.get("entities", ()) if one not in infos]
    assert {name: content.pop(name) for name in fields} == fields
    assert content.keys() - {*others} == set()
