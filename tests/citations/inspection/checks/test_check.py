"""``check`` against corpora of mistakes by which Web Chat or Microsoft Teams loses something."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.utils import read_fixture_file

from citations import Answer, channel, cite, render
from citations.inspection import CLIENTS, MAX_BYTES, MAX_DEPTH, RULES, check, check_transcript
from citations.inspection.checks.rules import SECTIONS, CheckRule
from citations.model.channel_id import Client
from tests import sample_message
from tests.attacks import ATTACKS, FORMULAS, unsanitized
from tests.check_corpus import CORPUS, SAMPLE, TEAMS, changed, claim, message
from tests.checks_page import PAGE, SEEN, SYMPTOMS, page
from tests.depth import examples
from tests.hostile_answers import ANSWERS as HOSTILE
from tests.hostile_answers import REFERENCE
from tests.ordinary_answers import ordinary_answers
from tests.rendering_promises import assert_our_check_is_clean, codes
from tests.strategies import answers


def corpus(name: str) -> list[object]:
    cases = read_fixture_file(CORPUS / name)
    assert cases
    return [pytest.param(given, expected, id=title) for _, title, given, expected in cases]


@pytest.mark.parametrize(("text", "expected"), corpus("text.md"))
def test_text(text: str, expected: str) -> None:
    activity = {"type": "message", "text": text, "entities": [message(claim("1", "One"), claim("2", "Two"))]}
    assert_found(activity, expected)


@pytest.mark.parametrize(("changes", "expected"), corpus("graph.md"))
def test_graph(changes: str, expected: str) -> None:
    assert_found(changed(changes), expected)


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "email"])
@pytest.mark.parametrize(("text", "expected"), corpus("live.md"))
def test_live(text: str, expected: str, channel_id: str) -> None:
    lines = (line.partition(" ") for line in expected.splitlines())
    here = "\n".join(problem for channel, _, problem in lines if channel == channel_id)
    assert_found({"type": "message", "text": text}, here, channel_id)


HONEST = {
    "a link in a broken link's tail",
    "a plain link",
    "a plain tag",
    "an address",
    "an address in angle brackets",
    "an address without a scheme",
    "an e-mail address",
}
"""Attacks as answers, whose bare text every client shows as its author wrote it: a bot may link."""
DAMAGE = {
    "accessible-name", "backtick-pairs", "byte-order-mark", "code-below-definition", "encoded-address", "html", "image",
    "code-behind-formula", "escaped-pipe", "unclosed-fence", "without-tables",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - HONEST))
def test_what_attacks_did_to_clients_is_found(name: str) -> None:
    attack = ATTACKS[name]
    text = attack.written or attack.text
    if attack.stable or attack.main:
        assert DAMAGE.intersection(codes(unsanitized(text)))
    if attack.playground:
        assert DAMAGE.intersection(codes(unsanitized(text, definitions=False), "msteams"))
    if attack.stable and not attack.written:
        passage = codes(unsanitized("It says so [1].", passage=text))
        assert DAMAGE.intersection(passage)


@pytest.mark.parametrize("name", FORMULAS)
def test_badges_that_formulas_swallow_are_found(name: str) -> None:
    formulas = FORMULAS[name]
    swallowed = sum(shown.count("[") for shown in formulas.unsanitized)
    assert codes(unsanitized(formulas.text)) == ["badge-in-formula"] * swallowed


@pytest.mark.parametrize(("changes", "expected"), corpus("teams.md"))
def test_teams(changes: str, expected: str) -> None:
    assert_found(changed(changes, TEAMS), expected, "msteams")


@pytest.mark.parametrize(("given", "expected"), corpus("transcripts.md"))
def test_transcripts(given: str, expected: str) -> None:
    found = check_transcript(json.loads(given))
    wanted = [
        (code, path, message)
        for code, path, *rest in map(str.split, expected.splitlines())
        for message in [" ".join(rest)]
    ]
    assert [(problem.code, problem.path) for problem in found] == [(code, path) for code, path, _ in wanted]
    for problem, (_, _, words) in zip(found, wanted, strict=True):
        assert problem.message.startswith(words)


def test_the_sample_of_web_chats_documentation() -> None:
    message = json.loads(sample_message.SAMPLE.read_text(encoding="utf-8"))
    activity = {"type": "message", "text": SAMPLE_TEXT, "entities": [message]}
    # Its third badge and its third row have different names, and no lock is drawn.
    assert [(problem.code, problem.path) for problem in check(activity)] == [
        ("name-mismatch", "$.entities[0].citation[2].appearance.name"),
        ("label-lock", "$.entities[0].usageInfo.keywords"),
    ]
    in_teams = Counter(codes(activity, "msteams"))
    assert in_teams == {
        "ai-label": 1,
        "badge-defined": 3,
        "badge-without-claim": 3,
        "citation-abstract": 2,
        "citation-format": 3,
        "citation-name": 2,
        "citation-text": 1,
        "label-id-reused": 1,
        "label-unresolved": 1,
        "label-without-id": 1,
        "position-string": 3,
    }


def assert_found(activity: object, expected: str, channel_id: str = "webchat") -> None:
    """Each expected line is a problem's code, and its path or a part of its message."""
    found = check(activity, channel_id=channel_id)
    wanted = [line.partition(" ") for line in expected.splitlines()]
    shown = "\n".join(map(str, found))
    assert [problem.code for problem in found] == [code for code, _, _ in wanted], shown
    for problem, (_, _, part) in zip(found, wanted, strict=True):
        assert part == problem.path if part.startswith("$") else part in problem.message, shown


def sample() -> dict[str, Any]:
    return copy.deepcopy(SAMPLE)


@pytest.mark.parametrize("activity", [None, True, 1, 1.5, "message", [], [SAMPLE]])
def test_what_is_not_an_object_is_no_activity(activity: object) -> None:
    assert codes(activity) == ["not-an-activity"]


def nested(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_a_deep_activity_is_not_looked_into() -> None:
    assert codes(sample() | {"channelData": nested(MAX_DEPTH - 1)}) == []
    assert codes(sample() | {"channelData": nested(MAX_DEPTH)}) == ["too-deep"]
    assert codes(sample() | {"channelData": nested(100_000)}) == ["too-deep"]


def test_an_activity_of_the_largest_size() -> None:
    empty = len(json.dumps(sample() | {"value": ""}, ensure_ascii=False, separators=(",", ":")).encode())
    assert codes(sample() | {"value": "x" * (MAX_BYTES - empty)}) == []
    assert codes(sample() | {"value": "x" * (MAX_BYTES - empty + 1)}) == ["too-large"]
    assert codes(sample() | {"value": "é" * (MAX_BYTES // 2)}) == ["too-large"]


def test_teams_counts_utf_16() -> None:
    room = 80_000 - 2 * len(json.dumps(TEAMS | {"value": ""}, ensure_ascii=False))
    assert codes(TEAMS | {"value": "é" * (room // 2)}, "msteams") == []
    assert codes(TEAMS | {"value": "é" * (room // 2 + 1)}, "msteams") == ["too-large"]
    assert codes(TEAMS | {"value": "👍" * (room // 4 + 1)}, "msteams") == ["too-large"]


def labels_inside_each_other(levels: int) -> dict[str, Any]:
    activity = sample()
    label: dict[str, Any] = {"@type": "CreativeWork", "name": "Label"}
    for _ in range(levels):
        label = {"@type": "CreativeWork", "name": "Label", "usageInfo": label}
    activity["entities"][0]["usageInfo"] = label
    return activity


def labels_that_refer_to_the_next(count: int) -> dict[str, Any]:
    activity = sample()
    activity["entities"].append({"type": "labels", "chain": []})
    for number in range(count):
        node = {"@id": f"_:n{number}", "@type": "CreativeWork", "usageInfo": {"@id": f"_:n{number + 1}"}}
        activity["entities"][1]["chain"].append(node)
    return activity


@pytest.mark.parametrize("make", [labels_inside_each_other, labels_that_refer_to_the_next])
def test_a_chain_of_nodes_that_hangs_the_browser(make: Any) -> None:
    assert "graph-too-deep" not in codes(make(10))
    assert "graph-too-deep" in codes(make(40))


def test_a_chain_of_thousands_of_references_is_followed() -> None:
    assert "graph-too-deep" in codes(labels_that_refer_to_the_next(1_500))


@pytest.mark.parametrize(("count", "expected"), [(20, []), (21, ["too-many-citations"])])
def test_twenty_citations_are_enough_for_teams(count: int, expected: list[str]) -> None:
    claims = [{**TEAMS["entities"][0]["citation"][1], "position": number + 1} for number in range(count)]
    text = "".join(f"[{number + 1}]" for number in range(count))
    graph = {**TEAMS["entities"][0], "citation": claims}
    assert codes({"type": "message", "text": text, "entities": [graph]}, "msteams") == expected


@pytest.mark.parametrize(("count", "expected"), [(20, []), (21, ["too-many-citations"])])
def test_twenty_citations_are_enough(count: int, expected: list[str]) -> None:
    names = [str(number) for number in range(1, count + 1)]
    badges = " ".join(f"[{name}]" for name in names)
    definitions = "\n".join(f'[{name}]: https://example.com/{name} "{name}"' for name in names)
    claims = [claim(name, name) for name in names]
    assert (
        codes({"type": "message", "text": f"{badges}\n\n{definitions}", "entities": [message(*claims)]})
        == expected
    )


def test_other_channels_have_no_rules_of_web_chat() -> None:
    activity = changed('message.@context = "http://schema.org"')
    assert (
        codes(activity, "directline")
        == codes(activity, "emulator")
        == codes(activity, "WebChat")
        == ["context"]
    )
    assert codes(activity, "sms") == codes(activity, "nobody-knows") == []
    assert codes({"text": "x"}, "sms") == ["activity-type"]


def large_activities() -> list[tuple[object, str]]:
    """Wrong activities that are too long to be written down, with their channels."""
    claims = [{**TEAMS["entities"][0]["citation"][1], "position": number + 1} for number in range(21)]
    return [
        (None, "webchat"),
        (sample() | {"channelData": nested(MAX_DEPTH)}, "webchat"),
        (sample() | {"value": "x" * MAX_BYTES}, "webchat"),
        (TEAMS | {"value": "x" * MAX_BYTES}, "msteams"),
        (TEAMS | {"entities": [{**TEAMS["entities"][0], "citation": claims}]}, "msteams"),
        (changed(f"message.citation = {json.dumps([claim(str(n), 'x') for n in range(1, 22)])}"), "webchat"),
        (labels_inside_each_other(40), "webchat"),
    ]


def found_in_the_corpora() -> Iterator[tuple[str, Client]]:
    """The codes of the problems of all cases, with the client that the case is for."""
    for name, client in (
        ("graph.md", Client.WEB_CHAT),
        ("text.md", Client.WEB_CHAT),
        ("teams.md", Client.TEAMS),
    ):
        for _, _, _, expected in read_fixture_file(CORPUS / name):
            yield from ((line.split()[0], client) for line in expected.splitlines())
    for _, _, _, expected in read_fixture_file(CORPUS / "live.md"):
        yield from ((code, CLIENTS[channel]) for channel, code, *_ in map(str.split, expected.splitlines()))
    for _, _, written, _ in read_fixture_file(CORPUS / "transcripts.md"):
        teams = "msteams" in written
        for problem in check_transcript(json.loads(written)):
            yield problem.code, Client.TEAMS if teams else Client.WEB_CHAT
    for activity, channel_id in large_activities():
        yield from ((code, CLIENTS[channel_id]) for code in codes(activity, channel_id))


def test_each_rule_has_a_case_for_each_of_its_clients() -> None:
    found = set(found_in_the_corpora())
    assert [
        (rule.code, kind)
        for rule in RULES
        if rule not in SECTIONS["Doubts"]  # tests/test_doubts.py has them
        for kind in rule.kinds
        if not (any(code == rule.code for code, _ in found) if kind is None else (rule.code, kind) in found)
    ] == []


def test_each_problem_has_a_rule_for_its_client() -> None:
    known = {(rule.code, kind) for rule in RULES for kind in rule.kinds}
    assert {
        (code, client)
        for code, client in found_in_the_corpora()
        if (code, client) not in known and (code, None) not in known
    } == set()


def test_there_are_hundreds_of_wrong_activities() -> None:
    files = ("graph.md", "text.md", "teams.md", "live.md", "transcripts.md")
    wrong = [case for name in files for case in read_fixture_file(CORPUS / name) if case[-1].strip()]
    assert len(wrong) > 200


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.code}-{rule.clients[0].name}")
def test_each_rule_is_explained_and_has_a_source(rule: CheckRule) -> None:
    row = rule.explain()
    assert list(row) == ["code", "clients", "wrong", "shown", "mend", "source"]
    assert all(row.values())
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.code)
    assert re.match(r"https://\S+$|seen ", rule.source)
    assert rule.shown.endswith(".")
    for sentence in (rule.wrong, rule.mend):
        assert not sentence.endswith(".")
        assert "\n" not in sentence


def test_no_client_has_two_rules_of_one_code() -> None:
    pairs = [(rule.code, kind) for rule in RULES for kind in rule.kinds]
    assert len(pairs) == len(set(pairs))


def test_the_page_is_the_rules() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.checks_page"


def test_many_rules_are_seen_in_real_clients() -> None:
    assert len(SEEN["Web Chat"]) > 50
    assert len(SEEN["the Agents Playground"]) > 20
    assert set().union(*SEEN.values()) <= {rule.code for rule in RULES}


def test_the_symptoms_of_the_page_have_rules() -> None:
    assert {code for codes in SYMPTOMS.values() for code in codes} <= {rule.code for rule in RULES}


def test_every_message_is_one_line_that_says_what_to_do() -> None:
    found = [
        problem
        for name, sample, channel_id in (("graph.md", SAMPLE, "webchat"), ("teams.md", TEAMS, "msteams"))
        for _, _, changes, _ in read_fixture_file(CORPUS / name)
        for problem in check(changed(changes, sample), channel_id=channel_id)
    ]
    assert found
    for problem in found:
        assert "\n" not in str(problem)
        assert re.search(r": \S|must be", problem.message), problem


SAMPLE_TEXT = """\
Sure, you should override the default proxy settings[1]\u200b[2], when your proxy server requires authentication[3].

[1]: https://support.microsoft.com/en-us/windows/use-a-proxy-server-in-windows-03096c53-0554-4ffe-b6ab-8b1deee8dae1 "Use a proxy server in Windows"
[2]: https://learn.microsoft.com/en-us/troubleshoot/windows-server/networking/configure-proxy-server-settings "Configure proxy server settings - Windows Server"
[3]: cite:1 "Introduction Configuring proxy settings is a fundamental aspect..."
"""


keys = st.sampled_from(
    (
        "@context", "@id", "@type", "type", "citation", "position", "appearance", "url", "text", "name",
        "usageInfo", "keywords", "pattern", "termCode", "claimInterpreter", "entities", "channelData",
        "streamType", "@graph", "@value", "@list", "@set", "@reverse", "@language", "@index", "@nest",
        "@included", "id", "x:y", "", "a b",
    )
)  # fmt: skip
strings = (
    "",
    "_:s1",
    "_:s2",
    "https://schema.org",
    "https://schema.org/Message",
    "Message",
    "Claim",
    "1",
    "@type",
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(strings)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(keys, st.text()), inner, max_size=5)
    ),
    max_leaves=25,
)
thorough = examples(120)


@thorough
@given(values)
def test_any_json_is_judged(value: object) -> None:
    check_transcript(value)
    check_transcript([value, {"activities": [value]}])
    for channel_id in ("webchat", "msteams"):
        check(value, channel_id=channel_id)
        for entities in (value, [value]):
            activity = {"type": "message", "text": "[1]\n\n[1]: cite:1", "entities": entities}
            check(activity, channel_id=channel_id)


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            found += places(inner, (*path, step))
    return found


def has(holder: object, step: object) -> bool:
    """Whether an earlier change left something at this step."""
    if isinstance(holder, list):
        return isinstance(step, int) and step < len(holder)
    return isinstance(holder, dict) and step in holder


def changes_of(activity: dict[str, Any]) -> Any:
    """One to three values, each with a place of the activity."""
    return st.lists(st.tuples(st.sampled_from(places(activity)[1:]), values), min_size=1, max_size=3)


@thorough
@given(changes_of(SAMPLE))
def test_any_change_of_the_sample_is_judged(changes: list[tuple[tuple[Any, ...], object]]) -> None:
    check(with_changes(sample(), changes))


@thorough
@given(changes_of(TEAMS))
def test_any_change_of_the_sample_for_teams_is_judged(changes: list[tuple[tuple[Any, ...], object]]) -> None:
    check(with_changes(copy.deepcopy(TEAMS), changes), channel_id="msteams")


def with_changes(activity: dict[str, Any], changes: list[tuple[tuple[Any, ...], object]]) -> dict[str, Any]:
    for path, value in changes:
        holder: Any = activity
        for step in path[:-1]:
            holder = holder[step] if has(holder, step) else None
        if has(holder, path[-1]) or (isinstance(holder, dict) and isinstance(path[-1], str)):
            holder[path[-1]] = value
    return activity


@thorough
@given(answers)
def test_our_own_renderings_are_clean(answer: Answer) -> None:
    assert_our_check_is_clean(answer)


OURS = {
    "Web Chat": channel("webchat"),
    "Teams": channel("msteams"),
    "Teams with cards": channel("msteams", cards=True),
    "e-mail": channel("email"),
    "the Playground as Teams": channel("msteams", "http://localhost:56150/_connector"),
}


@pytest.mark.parametrize("name", OURS)
def test_our_renderings_of_ordinary_answers_are_clean(name: str) -> None:
    kind = OURS[name]
    for title, answer in ordinary_answers().items():
        rendering = render(cite(answer), kind, answer_id="a-1")
        assert codes(rendering.to_activity(), kind.id) == [], title


@pytest.mark.parametrize("name", OURS)
def test_our_renderings_of_hostile_answers_and_passages_are_clean(name: str) -> None:
    kind = OURS[name]
    for text in HOSTILE.values():
        passage = replace(REFERENCE, url=None, text=text)
        for answer in (
            Answer(text=text, references=(REFERENCE,)),
            Answer(text="It says so [1].", references=(passage,)),
        ):
            activity = render(cite(answer), kind).to_activity()
            # The marker of a hostile answer may have gone with what it stood in.
            assert set(codes(activity, kind.id)) <= {"claim-without-badge"}, text
