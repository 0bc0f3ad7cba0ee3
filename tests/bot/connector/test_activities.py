"""A message that is too large for its channel keeps its sensitivity label."""

from __future__ import annotations

from typing import Any

import pytest

from bot.connector.activities import answer, without_graph
from citations import Answer, LabelRanking, Reference, channel, cite, render

RANKING = LabelRanking.from_toml(
    """
    [[label]]
    id = "c"
    name = "Confidential"
    description = "For us."
    priority = 1
    encrypted = true
    """
)


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
def test_without_its_graph_a_message_has_its_label_in_full(channel_id: str) -> None:
    references = tuple(
        Reference(id=number, url=f"https://example.com/{number}", label="c") for number in ("1", "2")
    )
    cited = cite(Answer(text="Water it [1][2].", references=references))
    message = answer(render(cited, channel(channel_id), ranking=RANKING))
    smaller = without_graph(message)
    (entity,) = smaller.entities
    node: dict[str, Any] = entity.additional_properties
    assert entity.type == "https://schema.org/Message"
    assert set(node) == {"@context", "@type", "@id", "usageInfo"}
    assert (node["usageInfo"]["name"], node["usageInfo"]["description"]) == ("Confidential", "For us.")
    assert smaller.text == message.text
    assert without_graph(smaller).entities == smaller.entities


def test_without_its_graph_a_message_without_a_label_has_nothing_else() -> None:
    cited = cite(Answer(text="Water it [1].", references=(Reference(id="1", url="https://example.com/"),)))
    assert without_graph(answer(render(cited, channel("webchat")))).entities is None
