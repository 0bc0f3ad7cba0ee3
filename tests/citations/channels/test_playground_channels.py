"""What Microsoft's Agents Playground gets in each of its modes; its schema, and what it shows, as data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from citations import Channel, Rendering, channel, cite, render
from citations.channels import InterimMode
from citations.model.link_definition import define
from citations.model.wording import ENGLISH
from tests.agreement import COMMONMARK
from tests.streams import badges
from tests.teams_answers import RANKING, sourced, too_long

CONNECTOR = "http://localhost:56150/_connector"
MODES = ("msteams", "emulator", "webchat", "directline")
LIKE_TEAMS = MODES[:2]

WHERE = {
    CONNECTOR: True,
    "http://localhost:56150/_connector/": True,
    "http://127.0.0.1:3979/_connector": True,
    "https://playground.example/_connector": True,
    "": False,
    "http://localhost:56150/": False,
    "https://smba.trafficmanager.net/amer/": False,
    "http://localhost:56150/_connector/v3": False,
    "http://localhost:56150/?_connector": False,
    "http://[": False,
}


@pytest.mark.parametrize(("service_url", "known"), WHERE.items())
def test_it_is_known_by_the_path_of_its_connector(service_url: str, known: bool) -> None:
    for mode in MODES:
        assert (channel(mode, service_url) != channel(mode)) == known
        assert channel(mode, service_url).id == mode
    assert channel("sms", service_url) == channel("sms")


@pytest.mark.parametrize(
    ("mode", "interim"),
    [
        ("msteams", InterimMode.APPEND_ONLY),
        # These it updates in their place, also where it shows them as Teams would.
        ("emulator", InterimMode.REPLACING),
        ("webchat", InterimMode.REPLACING),
        ("directline", InterimMode.REPLACING),
    ],
)
def test_how_each_mode_streams(mode: str, interim: InterimMode) -> None:
    assert channel(mode, CONNECTOR).interim is interim


def refusals(activity: Any) -> list[str]:
    """What its schema refuses; it is that of its server, in Python."""
    found = [] if len(json.dumps(activity)) < 100 * 1024 else ["more than 100 KB"]
    found += [] if activity["textFormat"] in ("markdown", "plain", "xml") else ["textFormat"]
    for message in activity["entities"]:
        if message.get("additionalType", ["AIGeneratedContent"]) != ["AIGeneratedContent"]:
            found.append("additionalType")
        claims = message.get("citation", [])
        found += ["more than 10 citations"] if len(claims) > 10 else []
        labels = [message["usageInfo"]] if "usageInfo" in message else []
        for claim in claims:
            document = claim["appearance"]
            found += [] if claim["position"] > 0 else ["position"]
            found += [
                f"no {name}" for name in ("name", "abstract") if not isinstance(document.get(name), str)
            ]
            found += [] if isinstance(document.get("url", ""), str) else ["url"]
            found += [] if len(document.get("keywords", [])) <= 3 else ["keywords"]
            labels += [document["usageInfo"]] if "usageInfo" in document else []
        found += ["a label without a name" for label in labels if not isinstance(label.get("name"), str)]
        found += ["a label's description" for label in labels if label.get("description", "") is None]
    return found


def render_on(mode: str, answer: Any) -> tuple[Channel, Rendering]:
    playground = channel(mode, CONNECTOR)
    return playground, render(cite(answer), playground, ranking=RANKING, answer_id="a-1")


@pytest.mark.parametrize("mode", MODES)
def test_its_schema_takes_every_answer(mode: str) -> None:
    for answer in (*sourced(), *too_long()):
        _, rendering = render_on(mode, answer)
        assert refusals(json.loads(json.dumps(rendering.to_activity()))) == []


@pytest.mark.parametrize("mode", MODES)
def test_the_text_keeps_what_the_graph_has_no_room_for(mode: str) -> None:
    for answer in sourced():
        cited = cite(answer)
        positions = {str(citation.position) for citation in cited.citations}
        _, rendering = render_on(mode, answer)
        claims = rendering.entities[0].get("citation", [])
        assert isinstance(claims, list)
        assert [claim["position"] for claim in claims] == list(range(1, min(10, len(positions)) + 1))
        told = [problem.code for problem in rendering.problems]
        assert ("citations-not-listed" in told) == (len(positions) > 10)
        if "citations-dropped" in told:  # long URLs: twenty are more than its 100 KB
            continue
        assert positions <= badges(rendering.text)
        environment: dict[str, Any] = {}
        COMMONMARK.parse(rendering.text, environment)
        defined = {} if mode in LIKE_TEAMS else {one.label: one.destination for one in define(cited, ENGLISH)}
        assert {name: one["href"] for name, one in environment.get("references", {}).items()} == defined


@pytest.mark.parametrize("mode", MODES)
def test_it_asks_for_votes_where_it_looks_like_teams(mode: str) -> None:
    _, rendering = render_on(mode, sourced()[3])
    asks = {"feedbackLoop": {"type": "default"}} if mode in LIKE_TEAMS else {}
    assert rendering.channel_data == asks
