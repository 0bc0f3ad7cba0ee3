"""The page of the peers is what its script says, and its judge finds what is wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.peers.__main__ import RULES, jobs_of, judge_peer, read_result
from benchmarks.peers.answers import load_cases
from benchmarks.peers.bots.wire import Results
from benchmarks.peers.page import Row, table_cell
from benchmarks.peers.peers import PEERS, Peer
from tests.clients.engines import Engines

PAGE = (Path(__file__).parents[1] / "docs" / "peers.md").read_text("utf-8")
CASES = load_cases()
OURS = [peer for peer in PEERS if peer.bot == "ours"]
Activity = dict[str, Any]


@pytest.fixture(scope="module")
def engines() -> Iterator[Engines]:
    started = Engines()
    yield started
    started.close()


@pytest.fixture(scope="module")
def results() -> dict[str, Results]:
    return {peer.channel: peer.run(jobs_of(peer, CASES))[1] for peer in OURS}


def test_there_are_thirty_answers_and_some_are_hostile() -> None:
    assert len({case.id for case in CASES}) == 30
    assert sum(case.hostile for case in CASES) > 5
    assert all(f"| `{case.id}` | {case.why}" in PAGE for case in CASES)


@pytest.mark.parametrize("peer", OURS, ids=lambda peer: peer.channel)
def test_the_page_says_of_this_library_what_holds(
    peer: Peer, results: dict[str, Results], engines: Engines
) -> None:
    row = Row(peer, {}, judge_peer(peer, CASES, results[peer.channel], engines))
    [heads, _, *lines] = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.count("|") > 6]
    column = heads.index(peer.name)
    shown = {int(line[0].partition(".")[0]): line[column] for line in lines}
    timed = 9
    assert {rule: table_cell(row, rule) for rule in shown if rule != timed} == {
        rule: cell for rule, cell in shown.items() if rule != timed
    }


@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.better], ids=lambda peer: peer.bot)
def test_the_page_shows_what_ran(peer: Peer) -> None:
    assert f"```python\n{peer.snippet}\n```" in PAGE
    assert peer.better in PAGE


def number_from_two(activity: Activity) -> None:
    for claim in activity["entities"][0]["citation"]:
        claim["position"] = str(int(claim["position"]) + 1)


def drop_the_claims(activity: Activity) -> None:
    activity["entities"][0]["citation"] = []


def load_an_image(activity: Activity) -> None:
    activity["text"] = "![x](https://evil.example/p.png) " + activity["text"]


def run_lines_together(activity: Activity) -> None:
    activity["text"] = activity["text"].replace("\n   - ", " ")


def change_the_code(activity: Activity) -> None:
    activity["text"] = activity["text"].replace("settings[2]", "settings")


def lose_the_id(activity: Activity) -> None:
    del activity["entities"][0]["@id"]


MISTAKES: list[tuple[int, str, Callable[[Activity], None]]] = [
    (1, "order", number_from_two),
    (2, "order", drop_the_claims),
    (3, "one", load_an_image),
    (4, "list", run_lines_together),
    (5, "code-span", change_the_code),
    (6, "one", lose_the_id),
]


@pytest.mark.parametrize(("rule", "name", "spoil"), MISTAKES, ids=lambda one: getattr(one, "__name__", None))
def test_the_judge_finds_what_is_wrong(
    rule: int, name: str, spoil: Callable[[Activity], None], results: dict[str, Results], engines: Engines
) -> None:
    [peer] = [one for one in OURS if one.channel == "webchat"]
    [case] = [one for one in CASES if one.id == name]
    result = copy.deepcopy(results["webchat"][name])
    assert list(RULES[rule](read_result(peer, case, result, engines))) == []
    spoil(result["sent"][-1])
    assert list(RULES[rule](read_result(peer, case, result, engines)))
