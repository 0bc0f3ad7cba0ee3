"""An answer that another bot sent is read, and passed on to any channel."""

from __future__ import annotations

import html
import json
import socket
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerFormatError,
    CitedAnswer,
    Dialect,
    LabelRanking,
    Reference,
    Rendering,
    SensitivityLabel,
    channel,
    cite,
    read_message,
    render,
)
from citations.inspection.activities import read_activity
from citations.labels import LabelRule
from citations.readers import read_answer, write_answer
from tests.depth import examples
from tests.hop_corpus import answer_as_prose, hop_cases
from tests.hostile_graphs import HOSTILE_GRAPHS, ROOT, calls_of, nested
from tests.json_ld_forms import FORMS
from tests.mutated_activities import mutated_activity
from tests.normal_html import normal_html
from tests.ordinary_answers import ordinary_answers
from tests.rendering_promises import assert_text_and_graph_agree_and_nothing_else_is_live
from tests.sample_message import RANKING, SAMPLE, SOURCES
from tests.span_corpus import span_answers
from tests.strategies import answers, hostile_texts

CHANNELS = {
    "webchat": channel("webchat"),
    "msteams": channel("msteams"),
    "cards": channel("msteams", cards=True),
}

# The labels of the sample, of which none withholds anything.
OPEN = tuple(replace(label, encrypted=False) for label in RANKING.labels)
KEYS = st.sampled_from(
    (
        "@context", "@id", "@type", "@graph", "@list", "@set", "@value", "@language", "@reverse", "@included", "@nest", "@index",
        "type", "id", "citation", "position", "appearance", "name", "url", "text", "usageInfo", "keywords", "claimInterpreter",
        "isBasedOn", "https://schema.org/citation", "x:y", "",
    )
)  # fmt: skip


def test_the_number_of_a_badge_is_no_id_that_a_rule_has_in_mind() -> None:
    cited = cite(Answer(text="It is so [1].", references=(Reference(id="1", name="A"),)))
    for shape in CHANNELS.values():
        sent = render(cited, shape).to_activity()
        [source] = read_answer(write_answer(read_activity(sent))).references
        assert (source.id, source.ordinal) == ("1", True)
        assert not LabelRule(label="board", id="1").matches(source)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a message made its reader look up a host")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("title", hop_cases())
def test_a_message_is_read_as_an_answer(title: str) -> None:
    activity, wanted = hop_cases()[title]
    answer = read_activity(activity)
    text, sources = answer_as_prose(answer)
    wanted_text, wanted_sources = wanted
    badges = [one.id for one in answer.references]
    assert normal_html(text, badges) == normal_html(wanted_text, badges)
    assert sources == wanted_sources
    assert read_answer(json.loads(json.dumps(write_answer(answer)))) == _without_problems(answer)
    markers = sum(written in answer.text for written in ("[1]", "[2]", "[3]"))
    assert bool(cite(answer).citations) == bool(markers)


def _without_problems(answer: Answer) -> Answer:
    return Answer(
        text=answer.text,
        references=answer.references,
        dialect=answer.dialect,
        origin=answer.origin,
        query=answer.query,
        kind=answer.kind,
    )


def hop(rendering: Rendering, form: str) -> CitedAnswer:
    """What another program reads that gets a rendering with its graph in one of JSON-LD's forms."""
    activity = rendering.to_activity()
    entities = [one for entity in rendering.entities for one in FORMS[form](entity)]
    return read_message(json.loads(json.dumps(activity | {"entities": entities})))


def words(text: str) -> str:
    """What a reader sees, without the invisible characters that keep clients from joining signs."""
    return " ".join(html.unescape(text.replace("\u200b", "")).split())


# Teams' icon and its keywords are made from what the message doesn't say: a media type, a lower label.
NOT_READ = ("abstract", "image", "keywords")


def cited(rendering: Rendering) -> list[dict[str, Any]]:
    """The claims of a rendering, with what a reader can know of their sources."""
    claims = json.loads(json.dumps(rendering.entities[0])).get("citation", [])
    for claim in claims:
        for name in NOT_READ:
            claim["appearance"].pop(name, None)
    return list(claims)


def label_of(rendering: Rendering) -> dict[str, Any] | None:
    """The label of a rendering. Without a catalogue it has the names of all, in no order that matters."""
    label = cast("dict[str, Any] | None", rendering.entities[0].get("usageInfo"))
    return label | {"name": sorted(label["name"].split(", "))} if label and "name" in label else label


def positions(answer: CitedAnswer) -> list[int]:
    """What is cited, in the order of the text."""
    return [position for use in answer.uses for position in use.positions]


def assert_survives(answer: CitedAnswer, name: str, form: str, ranking: LabelRanking | None = None) -> None:
    """Passed on to the same channel, the same sources stand at the same places with the same labels."""
    sent = render(answer, CHANNELS[name], ranking=ranking)
    received = hop(sent, form)
    assert positions(received) == positions(answer)
    passed_on = render(received, CHANNELS[name], ranking=ranking)
    assert cited(passed_on) == cited(sent)
    assert label_of(passed_on) == label_of(sent)
    assert words(passed_on.text) == words(sent.text)


@examples(150)
@given(answers, st.sampled_from(tuple(CHANNELS)), st.sampled_from(tuple(FORMS)))
def test_what_an_answer_cites_survives_a_hop(answer: Answer, name: str, form: str) -> None:
    assert_survives(cite(answer), name, form)


@pytest.mark.parametrize("name", CHANNELS)
def test_what_ordinary_answers_cite_survives_a_hop(name: str) -> None:
    for answer, form in zip(ordinary_answers().values(), cycle(FORMS), strict=False):
        assert_survives(cite(answer), name, form)


def test_what_spans_cite_survives_a_hop() -> None:
    for (answer, _), form, name in zip(span_answers().values(), cycle(FORMS), cycle(CHANNELS), strict=False):
        assert_survives(cite(answer), name, form)


def sample_activity() -> dict[str, Any]:
    """CITATION.md's sample as a message."""
    rendering = render(cite(Answer(text="Override[1][2][3].", references=SOURCES)), channel("webchat"))
    sample = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return rendering.to_activity() | {"entities": [sample]}


separated = st.lists(
    st.sampled_from(
        "[1] [2] [1][2] ( ) : ! $ [2024] \\[5\\] a 日本 \u200b \u200b\u200b ] ** - | `".split(" ")
    ),
    min_size=1,
    max_size=8,
).map("".join)


@pytest.mark.parametrize("names", [("webchat",), ("msteams",), ("webchat", "msteams")], ids="-".join)
@given(text=separated)
def test_what_keeps_badges_apart_does_not_grow_with_the_hops(names: tuple[str, ...], text: str) -> None:
    references = tuple(Reference(id=one, url=f"https://example.com/{one}") for one in "12")
    answer, counts = Answer(text=text, references=references, dialect=Dialect.NUMBERED), []
    for _ in range(4):
        for name in names:
            rendering = render(cite(answer), CHANNELS[name])
            answer = read_activity(rendering.to_activity())
        counts.append(rendering.text.count("\u200b"))
    assert counts[-1] <= counts[-2] <= counts[-3]


@pytest.mark.parametrize("name", CHANNELS)
def test_the_sample_survives_a_hop_with_its_labels(name: str) -> None:
    answer = read_message(sample_activity())
    assert [one.reference.label_name for one in answer.citations] == ["General", None, RANKING.labels[1].name]
    rendering = render(answer, CHANNELS[name], ranking=replace(RANKING, labels=OPEN))
    claims = cited(rendering)
    assert [str(claim["position"]) for claim in claims] == ["1", "2", "3"]
    assert [claim["appearance"].get("url") for claim in claims] == [one.url for one in SOURCES]
    # The catalogue knows the label by its name, and gives it its colour.
    label = next(claim["appearance"]["usageInfo"] for claim in claims if "usageInfo" in claim["appearance"])
    assert label["name"] in {one.name for one in OPEN}
    whole = cast("dict[str, Any]", rendering.entities[0]["usageInfo"])
    shown = claims[2]["appearance"]["usageInfo"]
    assert whole.get("name", shown["name"]) == RANKING.labels[1].name


def test_labels_survive_a_hop_between_bots_with_one_catalogue() -> None:
    ranking = replace(RANKING, labels=OPEN)
    for name in CHANNELS:
        for form in FORMS:
            assert_survives(cite(Answer(text="Override[1][2][3].", references=SOURCES)), name, form, ranking)


LONG = "Confidential\\Any User (No Protection) of the Hamburg Site"
KEYWORDS = LabelRanking(
    labels=(
        SensitivityLabel(id="g", name="General", priority=0),
        SensitivityLabel(id="l", name=LONG, priority=1),
        SensitivityLabel(id="h", name="Highly Confidential", priority=2),
    )
)


@pytest.mark.parametrize("cards", [False, True])
def test_a_sources_own_label_comes_back_from_a_keyword_of_teams(*, cards: bool) -> None:
    """Teams takes the message's label with its id, and each lower one as a keyword, which may be cut."""
    sources = tuple(
        Reference(id=str(number), name=f"Source {number}", url=f"https://example.com/{number}", label=label)
        for number, label in enumerate(("g", "l", "h", None), 1)
    )
    answer = cite(Answer(text="So [1][2][3][4].", references=sources))
    teams = render(answer, channel("msteams", cards=cards), ranking=KEYWORDS)
    assert LONG not in json.dumps(teams.entities)
    received = cite(read_answer(json.loads(json.dumps(write_answer(read_activity(teams.to_activity()))))))
    labels = [KEYWORDS.label_of(citation.reference) for citation in received.citations]
    assert [one and one.id for one in labels] == ["g", "l", "h", None]
    assert read_message(teams.to_activity()).citations[0].reference.keywords == ("General",)
    again = render(received, channel("webchat"), ranking=KEYWORDS)
    assert label_of(again) == label_of(render(answer, channel("webchat"), ranking=KEYWORDS))
    assert cited(again)[1]["appearance"]["usageInfo"]["name"] == LONG


def test_a_keyword_never_lowers_a_label() -> None:
    kept = Reference(id="1", label="h", keywords=("General", "anything", "…"))
    assert KEYWORDS.label_of(kept) == KEYWORDS.labels[2]
    assert replace(KEYWORDS, default="l").label_of(replace(kept, label=None)) == KEYWORDS.labels[1]
    assert KEYWORDS.label_of(replace(kept, label=None)) == KEYWORDS.labels[0]


def test_a_label_outside_the_catalogue_counts_as_the_highest() -> None:
    answer = read_message(sample_activity())
    ranking = LabelRanking(labels=(OPEN[0], replace(OPEN[1], name="Confidential")))
    assert "answer-withheld" not in {one.code for one in render(answer, channel("msteams")).problems}
    labelled = render(answer, channel("msteams"), ranking=ranking)
    assert cast("dict[str, Any]", labelled.entities[0]["usageInfo"])["name"] == "Confidential"
    encrypted = render(answer, channel("msteams"), ranking=RANKING)
    assert "answer-withheld" in {one.code for one in encrypted.problems}


@pytest.mark.parametrize(
    ("activity", "fault"),
    [
        (None, r"\$: expected an activity"),
        ([], r"\$: expected an activity"),
        ("<html>", r"\$: expected an activity"),
        ({}, r"\$\.text: expected the text"),
        ({"type": "message", "text": None}, r"\$\.text: expected the text"),
        ({"type": "message", "text": ["a"]}, r"\$\.text: expected the text"),
    ],
)
def test_what_is_no_message_is_an_error_with_its_place(activity: object, fault: str) -> None:
    with pytest.raises(AnswerFormatError, match=f"^{fault}"):
        read_message(activity)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(("", "_:s1", "https://schema.org", "Message", "Claim", "1", "[1]", "\ud800", "http://[", "@id", "a b:c"))
    | hostile_texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)  # fmt: skip


@examples(100)
@given(VALUES, hostile_texts)
def test_no_graph_makes_its_reader_fail(entities: object, text: str) -> None:
    activity = {"type": "message", "text": f"a [1] {text}", "entities": [ROOT, entities]}
    answer = read_message(activity)
    for one in CHANNELS.values():
        render(answer, one)
    assert_text_and_graph_agree_and_nothing_else_is_live(read_activity(activity))


@examples(150)
@given(st.integers(0, 2**32))
def test_no_mutated_activity_makes_its_reader_fail(seed: int) -> None:
    """It is read, or it is no message with a text; and what is read can be passed on."""
    try:
        answer = read_message(mutated_activity(Random(seed)))
    except AnswerFormatError:
        return
    for one in CHANNELS.values():
        render(answer, one)


@pytest.mark.parametrize("key", ["type", "@type"])
def test_a_type_that_is_null_is_absent(key: str) -> None:
    assert (
        read_message({"type": "message", "text": "a [1]", "entities": [ROOT | {key: None}]}).text == "a [1]"
    )


@pytest.mark.parametrize("shape", HOSTILE_GRAPHS)
def test_the_work_grows_linearly_with_the_graph(shape: str) -> None:
    few, many = (calls_of(HOSTILE_GRAPHS[shape], count) for count in (60, 240))
    # Four times the graph takes less than six times the work, as quadratic work would take sixteen times.
    assert many < 6 * few + 60_000


@pytest.mark.parametrize(
    ("entity", "code"),
    [
        (nested(70), "entity-too-large"),
        ({"@id": "", "@type": "Message", "text": "x" * 300_000}, "entity-too-large"),
        ({"@context": {f"t{one}": f"t{one + 1}:x" for one in range(3000)}, "@id": ""}, "json-ld"),
        ({"@context": "file:///etc/passwd", "@id": ""}, "context-not-loaded"),
        ({"@context": {"@import": "https://evil.example"}, "@id": ""}, "context-not-loaded"),
        ({"@context": "https://schema.org", "@id": "", "keywords": [str(one) for one in range(101)]}, "too-many-values"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_problem(entity: object, code: str) -> None:
    answer = read_message({"type": "message", "text": "a [1]", "entities": [entity, ROOT]})
    assert [one.code for one in answer.problems] == [code]
    assert [one.reference.name for one in answer.citations] == ["One"]
