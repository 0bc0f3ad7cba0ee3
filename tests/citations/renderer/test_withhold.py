"""What labels keep from a channel: above its ceiling, and where nobody has shown a right to extract."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerEvent,
    LabelRanking,
    QueryKnown,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    SensitivityLabel,
    SourceCode,
    TextDelta,
    channel,
    check,
    cite,
    quote,
    render,
)
from citations.labels import LabelRule
from citations.labels import ranking as label
from citations.labels.ranking import message_label
from citations.renderer import list_sources
from citations.renderer.label_ceiling import withhold

LABELS = (
    SensitivityLabel(id="public", name="Public", priority=0),
    SensitivityLabel(id="board", name="Secret\\Board", priority=1),
    SensitivityLabel(id="sealed", name="Sealed", priority=1, encrypted=True),
)
RANKING = LabelRanking(labels=LABELS, default="public", unknown="board", ceilings={"sms": "public"})
CEILED = replace(RANKING, ceilings={"*": "public"})
"""The same with a ceiling for every channel."""
CHANNELS = ("webchat", "msteams", "sms", "email", "slack", "directlinespeech", "somewhere-else")
STREAMED = ("webchat", "directline", "emulator", "msteams")

OPEN = Reference(id="1", name="Handbook", url="https://example.com/handbook", text="Canary-open.")
BOARD = Reference(
    id="2", name="Minutes", url="https://example.com/minutes", text="Canary-board.", label="board"
)
SEALED = Reference(
    id="3",
    name="Pay.docx",
    document_url="https://example.com/pay.docx",
    text="Canary-sealed.",
    label="sealed",
)
TEXT = "Canary-text of one [1], two [2] and three [3]."


def write_all(rendering: Rendering | None) -> str:
    """All that leaves for a channel, and what is said of it here."""
    return "" if rendering is None else f"{json.dumps(rendering.to_activities())} {rendering!r}"


def answered(
    channel_id: str, *found: Reference, text: str = TEXT, ranking: LabelRanking = CEILED
) -> Rendering:
    answer = Answer(text=text, references=found, query=SourceCode("SELECT canary-query"))
    return render(cite(answer), channel(channel_id), ranking=ranking)


WITHHELD = [
    ("below the ceiling", [OPEN], CEILED, False),
    ("above the ceiling", [OPEN, BOARD], CEILED, True),
    ("above the ceiling, and alone", [BOARD], CEILED, True),
    ("with a right to extract, which is none to send", [replace(BOARD, extract=True)], CEILED, True),
    ("a label that nobody knows", [OPEN, replace(OPEN, id="2", label="forgotten")], CEILED, True),
    ("no ceiling", [OPEN, BOARD], replace(RANKING, ceilings={}), False),
    ("encrypted, and no right to extract", [OPEN, SEALED], replace(RANKING, ceilings={}), True),
    ("encrypted, with the right", [OPEN, replace(SEALED, extract=True)], replace(RANKING, ceilings={}), False),
    ("encrypted, with the right for half of it",
     [replace(SEALED, extract=True), replace(SEALED, text="More.")], replace(RANKING, ceilings={}), True),
    ("encrypted by a rule, below another label",
     [replace(BOARD, label="board")],
     replace(RANKING, ceilings={}, rules=(LabelRule(label="sealed", id="2"),)), True),
    ("encrypted, and no more than named", [OPEN, replace(SEALED, only_named=True)],
     replace(RANKING, ceilings={}), False),
]  # fmt: skip


@pytest.mark.parametrize("channel_id", CHANNELS)
@pytest.mark.parametrize(
    ("found", "ranking", "withheld"), [case[1:] for case in WITHHELD], ids=[case[0] for case in WITHHELD]
)
def test_the_answer_is_withheld(
    channel_id: str, found: list[Reference], ranking: LabelRanking, withheld: bool
) -> None:
    rendering = answered(channel_id, *found, ranking=ranking)
    assert ("Canary-text" not in write_all(rendering)) is withheld
    assert ("This answer is not shown here, because its sensitivity label is" in rendering.text) is withheld
    assert ("answer-withheld" in {problem.code for problem in rendering.problems}) is withheld
    assert check(rendering.to_activity(), channel_id=channel_id) == ()


def test_what_the_reader_gets_instead() -> None:
    rendering = answered("sms", OPEN, BOARD, SEALED)
    assert rendering.text == (
        "Sensitivity label: Sealed\n\n"
        "This answer is not shown here, because its sensitivity label is Sealed. "
        "You can read its sources where they are kept: (1) (2) (3)\n\n"
        "(1) Handbook: https://example.com/handbook\n\n"
        "(2) Minutes (Secret\\Board): https://example.com/minutes\n\n"
        "(3) Pay.docx (Sealed): https://example.com/pay.docx"
    )
    assert [(problem.code, problem.path) for problem in rendering.problems] == [
        ("passage-withheld", "$.references"),
        ("passage-withheld", "$.references"),
        ("answer-withheld", "$.text"),
        ("query-withheld", "$.query"),
    ]


def test_what_is_below_the_ceiling_of_a_withheld_answer_can_be_read() -> None:
    sent = write_all(answered("webchat", replace(OPEN, url=None), BOARD))
    assert "Canary-open" in sent
    assert "Canary-board" not in sent


def test_an_answer_that_cites_nothing_names_what_it_was_made_with() -> None:
    again = replace(OPEN, id="4")
    rendering = answered("sms", OPEN, BOARD, again, text="Canary-text.")
    assert "(1) Handbook" in rendering.text
    assert "(2) Minutes" in rendering.text
    assert "(3)" not in rendering.text


def test_an_answer_that_cites_names_what_it_cites() -> None:
    rendering = answered("sms", OPEN, BOARD, SEALED, text="Canary-text [2].")
    assert " You can read its source where it is kept: (1)\n\n(1) Minutes" in rendering.text
    assert "(2)" not in rendering.text


def test_what_is_shown_cites_no_more_than_it_did() -> None:
    named = replace(SEALED, only_named=True)
    rendering = answered("webchat", OPEN, named, text="Canary-text.", ranking=replace(RANKING, ceilings={}))
    assert "citation" not in rendering.entities[0]


def test_where_nothing_was_found_there_is_nothing_to_read() -> None:
    """An answer that broke off before anybody knew its sources counts as what is unknown does."""
    stream = RenderingStream(channel("sms"), ranking=CEILED)
    stream.feed(TextDelta("Canary-text"))
    rendering = stream.interrupt("It broke off.")
    assert rendering.text.endswith("because it ended before its sensitivity label was known.")
    assert [(problem.code, problem.message) for problem in rendering.problems] == [
        ("answer-withheld", f"the answer is labelled {LABELS[1].name!r}: what it says is kept from sms")
    ]


def test_of_what_it_was_made_with_each_has_the_label_of_its_own_parts() -> None:
    appendix = replace(BOARD, id="4", url=OPEN.url)
    rendering = answered("sms", OPEN, appendix, replace(OPEN, id="5", url=None), text="Canary-text.")
    assert rendering.text.endswith(
        "(1) Handbook (Secret\\Board): https://example.com/handbook\n\n(2) Handbook"
    )


def test_no_model_wrote_what_the_reader_gets_instead() -> None:
    assert "AIGeneratedContent" in write_all(answered("webchat", OPEN))
    assert "AIGeneratedContent" not in write_all(answered("webchat", OPEN, BOARD))


def test_one_source_is_one() -> None:
    text = answered("msteams", BOARD, text="Canary-text.").text
    assert text.endswith("You can read its source where it is kept: [1]")


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_a_link_quotes_nothing(channel_id: str) -> None:
    quoting = (
        replace(BOARD, url="https://example.com/minutes#:~:text=Canary-board"),
        replace(SEALED, document_url="https://example.com/pay.docx#page=3:~:text=Canary-sealed"),
    )
    sent = write_all(answered(channel_id, OPEN, *quoting))
    assert "anary-board" not in sent
    assert "anary-sealed" not in sent
    assert "https://example.com/minutes" in sent
    assert "https://example.com/pay.docx#page=3" in sent


@pytest.mark.parametrize("channel_id", ["sms:part", "SMS", " sms "])
def test_a_ceiling_holds_for_each_part_of_its_channel(channel_id: str) -> None:
    answer = cite(Answer(text="A [2].", references=(BOARD,)))
    assert render(answer, channel(channel_id), ranking=RANKING).is_withheld


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_who_has_edited_it_and_when_is_not_said(channel_id: str) -> None:
    told = replace(BOARD, editor="Canary-editor", modified="2024-03-01")
    answer = cite(Answer(text="A [2].", references=(told,)))
    assert "2024" in repr(render(answer, channel("webchat"), ranking=RANKING))
    withheld = render(answer, channel(channel_id), ranking=CEILED)
    assert not any(word in repr(withheld) for word in ("Canary", "2024"))
    assert not any(
        word in repr(withhold(answer, channel(channel_id), CEILED).sources) for word in ("Canary", "2024")
    )


def test_a_link_that_is_cut_keeps_its_label() -> None:
    ranking = replace(CEILED, rules=(LabelRule(label="board", file="*:~:text=*"),))
    reference = Reference(id="1", url="https://example.com/a#:~:text=Canary-board", text="Canary-board.")
    cited = withhold(cite(Answer(text="[1]", references=(reference,))), channel("sms"), ranking)
    found = message_label(cited, ranking)
    assert found is not None
    assert found.id == "board"


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_twice_is_as_good_as_once(channel_id: str) -> None:
    cited = cite(Answer(text=TEXT, references=(OPEN, BOARD, SEALED)))
    once = withhold(cited, channel(channel_id), CEILED)
    twice = withhold(once, channel(channel_id), CEILED)
    assert "anary-board" not in repr(once)
    assert replace(twice, problems=()) == replace(once, problems=())


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_who_asks_for_a_source_gets_no_more(channel_id: str) -> None:
    citations = cite(Answer(text=TEXT, references=(OPEN, BOARD, SEALED))).citations
    for citation in citations:
        quotation = quote(citation, channel(channel_id), ranking=CEILED)
        sent = write_all(render(quotation.cited, channel(channel_id), ranking=CEILED))
        assert ("anary-open" in sent) is (citation.position == 1)
        assert "anary-board" not in sent
        assert "anary-sealed" not in sent
        assert ("This passage is not shown here" in sent) is (citation.position != 1)
    listed = write_all(
        render(list_sources("These:", citations, channel(channel_id)), channel(channel_id), ranking=CEILED)
    )
    assert "These:" in listed
    assert "Minutes" in listed
    assert "anary-board" not in listed


# Streams


def render_stream(
    channel_id: str, events: Sequence[AnswerEvent], ranking: LabelRanking | None
) -> tuple[str, Rendering]:
    """All interims, and the final."""
    stream = RenderingStream(channel(channel_id), ranking=ranking)
    interims = []
    for event in events:
        stream.feed(event)
        interims.append(write_all(stream.interim()))
    return "".join(interims), stream.close()


COMES = TextDelta("Canary-text is first. ")
STREAMS: list[tuple[str, list[AnswerEvent], bool]] = [
    ("the references are said to be complete", [ReferencesFound((OPEN,), complete=True), COMES], True),
    ("they are so while the text comes", [COMES, ReferencesFound((OPEN,), complete=True)], True),
    ("it isn't said", [ReferencesFound((OPEN,)), COMES], False),
    ("there are others after it was said",
     [ReferencesFound((OPEN,), complete=True), ReferencesFound((OPEN,)), COMES], False),
    ("one of them is above the ceiling", [ReferencesFound((OPEN, BOARD), complete=True), COMES], False),
    ("one of them is only named",
     [ReferencesFound((OPEN, replace(BOARD, only_named=True)), complete=True), COMES], True),
    ("one that came before is", [ReferencesFound((BOARD,)), ReferencesFound((OPEN,), complete=True), COMES], False),
    ("none has come", [COMES], False),
]  # fmt: skip


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize(
    ("events", "shows"), [case[1:] for case in STREAMS], ids=[case[0] for case in STREAMS]
)
def test_text_is_shown_early(channel_id: str, events: list[AnswerEvent], shows: bool) -> None:
    assert bool(render_stream(channel_id, events, CEILED)[0]) is shows
    # Where no label withholds anything, nothing is held back.
    assert render_stream(channel_id, events, LabelRanking(labels=LABELS[:2]))[0]
    assert render_stream(channel_id, events, None)[0]


@pytest.mark.parametrize("channel_id", CHANNELS)
def test_an_answer_that_breaks_off_before_its_sources_are_known(channel_id: str) -> None:
    def interrupted(ranking: LabelRanking, *, complete: bool) -> tuple[str, str | None]:
        stream = RenderingStream(channel(channel_id), ranking=ranking)
        for event in (ReferencesFound((OPEN,), complete=complete), TextDelta("Canary-text [1] ")):
            stream.feed(event)
        sent = write_all(stream.interrupt("It broke off."))
        found = message_label(stream.cited, ranking)
        return sent, found.id if found else None

    sent, found = interrupted(CEILED, complete=False)
    assert "anary-text" not in sent
    assert "because it ended before its sensitivity label was known" in sent
    assert found == "board"
    sent, found = interrupted(CEILED, complete=True)
    assert "anary-text" in sent
    assert "It broke off." in sent
    assert found == "public"
    # Without anything to withhold it is shown, under the label of what isn't known.
    sent, found = interrupted(LabelRanking(labels=LABELS[:2], default="public"), complete=False)
    assert "anary-text" in sent
    assert found == "board"


# What holds for all


def cut(text: str, places: Sequence[int]) -> list[str]:
    ends = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[start:end] for start, end in pairwise(ends)]


ids = st.sampled_from("12345")
found = st.builds(
    Reference,
    id=ids,
    url=st.sampled_from((None, "https://example.com/1", "https://example.com/board/2", "https://example.com/3")),
    document_url=st.sampled_from((None, "https://example.com/d#:~:text=Canary")),
    label=st.sampled_from((None, "public", "board", "sealed", "forgotten", "")),
    extract=st.booleans(),
    only_named=st.booleans(),
)  # fmt: skip
rules = st.one_of(
    st.builds(LabelRule, label=st.sampled_from(("public", "board", "sealed")), id=ids),
    st.just(LabelRule(label="board", url_prefix="https://example.com/board/")),
    st.just(LabelRule(label="sealed", file="*3")),
)
rankings = st.builds(
    LabelRanking,
    labels=st.sampled_from((LABELS, LABELS[:2])),
    default=st.sampled_from((None, "public", "board")),
    unknown=st.sampled_from((None, "board")),
    ceilings=st.dictionaries(
        st.sampled_from(("*", "webchat", "msteams", "sms")), st.sampled_from(("public", "board", "gone")), max_size=2
    ),
    rules=st.lists(rules, max_size=2).map(tuple),
)  # fmt: skip
texts = st.lists(
    st.sampled_from(("Canary-text ", "[1]", "[2, 3]", "[5]", "**so** ", "`x` ", "\n\n", "- ")), max_size=8
).map("".join)


def with_canaries(references: Sequence[Reference]) -> list[Reference]:
    """Each with a word of its own."""
    return [replace(one, text=f"Canary-{number}-word.") for number, one in enumerate(references)]


@given(rankings, st.lists(found, max_size=4), found, texts, st.sampled_from(CHANNELS), st.integers(0, 4))
def test_another_source_neither_lowers_the_label_nor_shows_more(  # noqa: PLR0917
    ranking: LabelRanking,
    references: list[Reference],
    added: Reference,
    text: str,
    channel_id: str,
    place: int,
) -> None:
    before = with_canaries(references)
    after = [*before[:place], replace(added, text="Canary-7-word."), *before[place:]]
    was, now = (cite(Answer(text=text, references=tuple(found_))) for found_ in (before, after))
    lower, higher = message_label(was, ranking), message_label(now, ranking)
    assert lower is None or ranking.highest((lower, higher)) == higher
    less, more = (write_all(render(cited, channel(channel_id), ranking=ranking)) for cited in (now, was))
    if "Canary-text" not in more and "Canary-text" in text:
        assert "Canary-text" not in less
    withheld = {one.text for one in before if ranking.withholds(one, channel_id)}
    assert not any(word and word in less for word in withheld)


@given(
    rankings, st.lists(found, max_size=4), st.lists(rules, min_size=1, max_size=1), st.sampled_from(CHANNELS)
)
def test_another_rule_never_lowers_what_has_a_label(
    ranking: LabelRanking, references: list[Reference], rule: list[LabelRule], channel_id: str
) -> None:
    more = replace(ranking, rules=(*ranking.rules, *rule))
    for reference in references:
        if (
            any(isinstance(one.by, LabelRule) for one in ranking.labels_given(reference))
            or reference.label is not None
        ):
            lower, higher = ranking.label_of(reference), more.label_of(reference)
            assert ranking.highest((lower, higher)) == higher
            assert more.withholds(reference, channel_id) or not ranking.withholds(reference, channel_id)


def told_in_pieces(
    references: Sequence[Reference], text: str, cuts: Sequence[int], places: Sequence[int]
) -> Iterator[AnswerEvent]:
    """The text cut anywhere, the references one by one anywhere in it; the last is said to be the last."""
    events: list[AnswerEvent] = [TextDelta(piece) for piece in cut(text, cuts)]
    where = sorted(place % (len(events) + 1) for place in places[: len(references)])
    for number, (place, reference) in enumerate(zip(where, references, strict=False)):
        last = number == len(where) - 1
        events.insert(place + number, ReferencesFound((reference,), complete=last))
    return iter(events)


@given(
    rankings,
    st.lists(found, max_size=4),
    texts,
    st.sampled_from(STREAMED),
    st.lists(st.integers(0, 60), max_size=6),
    st.lists(st.integers(0, 8), min_size=4, max_size=4),
)
def test_no_interim_has_a_word_of_what_the_final_withholds(  # noqa: PLR0917
    ranking: LabelRanking,
    references: list[Reference],
    text: str,
    channel_id: str,
    cuts: list[int],
    places: list[int],
) -> None:
    told_first = with_canaries(references)
    events = [*told_in_pieces(told_first, text, cuts, places), QueryKnown(SourceCode("SELECT Canary-text"))]
    interims, final = render_stream(channel_id, events, ranking)
    whole = render(
        cite(Answer(text=text, references=tuple(told_first), query=SourceCode("SELECT Canary-text"))),
        channel(channel_id),
        ranking=ranking,
    )
    withheld = {problem.code for problem in whole.problems} & {"answer-withheld"}
    if withheld:
        assert final == whole
        assert interims == ""
        assert "Canary-text" not in write_all(final)
    for reference in told_first:
        if ranking.withholds(reference, channel_id):
            assert reference.text is not None
            assert reference.text not in interims + write_all(final)


@given(
    rankings,
    st.lists(found, max_size=4),
    texts,
    st.sampled_from(STREAMED),
    st.lists(st.integers(0, 60), max_size=6),
)
def test_however_it_is_cut_it_ends_as_the_finished_answer(
    ranking: LabelRanking, references: list[Reference], text: str, channel_id: str, cuts: list[int]
) -> None:
    found_ = tuple(with_canaries(references))
    events: list[AnswerEvent] = [ReferencesFound(found_, complete=True), *map(TextDelta, cut(text, cuts))]
    interims, final = render_stream(channel_id, events, ranking)
    assert final == render(cite(Answer(text=text, references=found_)), channel(channel_id), ranking=ranking)
    withheld = "answer-withheld" in {problem.code for problem in final.problems}
    assert not (withheld and interims)


# T22: what decides has no text to be talked into anything by.

DECIDES = (
    LabelRanking.label_of,
    LabelRanking.labels_given,
    LabelRanking.highest,
    LabelRanking.withholds,
    LabelRanking.withholds_unknown,
    LabelRanking.may_withhold,
    LabelRanking.exceeds_ceiling,
    label.highest_label,
)


@pytest.mark.parametrize("decides", DECIDES, ids=lambda decides: decides.__qualname__)
def test_what_decides_takes_no_text(decides: object) -> None:
    assert callable(decides)
    parameters = inspect.signature(decides).parameters.values()
    texts_ = [one.name for one in parameters if one.annotation == "str" and one.name != "channel_id"]
    assert texts_ == []


@given(rankings, found, st.text(), st.text(), st.sampled_from(CHANNELS))
def test_the_words_of_a_reference_decide_nothing(
    ranking: LabelRanking, reference: Reference, text: str, editor: str, channel_id: str
) -> None:
    said = replace(reference, text=text, editor=editor, media_type=text, modified=editor)
    assert ranking.labels_given(said) == ranking.labels_given(reference)
    assert ranking.withholds(said, channel_id) is ranking.withholds(reference, channel_id)
