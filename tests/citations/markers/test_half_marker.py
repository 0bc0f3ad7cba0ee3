"""Half a marker at the end of an answer that was cut isn't shown; the end of a whole answer is."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    Cut,
    Dialect,
    Reference,
    ReferencesFound,
    RenderingStream,
    TextCut,
    TextDelta,
    TextReplaced,
    channel,
    cite,
    render,
)
from tests.strategies import MARKERS, hostile_texts

NUMBERED, NAMED = Dialect.NUMBERED, Dialect.NAMED_LINK
HALVES: Final[list[tuple[Dialect | None, str, str]]] = [
    # The dialect, what stays of a text that was cut, and what goes.
    (NAMED, "in the catalog ", "[Acme-Product-Catalog.p"),
    (NAMED, "in the catalog ", "[Acme-Product-Catalog.pdf]"),
    (NAMED, "in the catalog ", "[Acme-Product-Catalog.pdf]("),
    (NAMED, "in the catalog ", "[Acme-Product-Catalog.pdf](4be06cbf-c5"),
    (NAMED, "in the catalog ", "[Report [final].pd"),
    (NAMED, "in the catalog ", "[Report [final].pdf](4b"),
    (NAMED, "It is [so](1). And ", "["),
    (NUMBERED, "It is so ", "["),
    (NUMBERED, "It is so ", "[1"),
    (NUMBERED, "It is so ", "[1, "),
    (NUMBERED, "It is so ", "[1-"),
    (NUMBERED, "It is so ", "[1 an"),
    (NUMBERED, "It is so ", "[1, p. 6"),
    (NUMBERED, "It is so ", "[1#page"),
    (NUMBERED, "It is so ", "[Sour"),
    (NUMBERED, "It is so ", "[Source #"),
    (NUMBERED, "It is so ", "[doc1"),
    (NUMBERED, "It is so [1]", "[2"),
    (NUMBERED, "It is so ", "【3:0†so"),
    (NUMBERED, "It is so ", "［1"),
    (None, "It is so ", "[1"),
    (None, "It is so ", "[Acme.p"),
    (NUMBERED, "- one\n- two ", "[1"),
    (NUMBERED, "It is\nso ", "[1"),
    # What is no half of one.
    (NUMBERED, "It is [see the man", ""),
    (NUMBERED, "It is so [1]", ""),
    (NUMBERED, "It is so [sic]", ""),
    (NUMBERED, "It is so [^1", ""),
    (NUMBERED, "It is so [3 apples", ""),
    (NUMBERED, "It is so \\[1", ""),
    (NUMBERED, "It is `a` and `arr[1", ""),
    (NUMBERED, "```\narr[1", ""),
    (NUMBERED, "    arr[1", ""),
    (NUMBERED, "It is [1\n\nso", ""),
    (NAMED, "It is [so] ", ""),
    (NAMED, "It is [so]\n", ""),
    (NUMBERED, "It is [1\n", ""),
    (NAMED, "It is (so", ""),
    (NAMED, f"It is [{'so ' * 101}", ""),
    (NAMED, "", ""),
]
SOURCES = (Reference(id="1", name="One"), Reference(id="2", name="Two"))


@pytest.mark.parametrize(("dialect", "kept", "half"), HALVES)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms", "email"])
def test_half_a_marker_goes(channel_id: str, dialect: Dialect | None, kept: str, half: str) -> None:
    there = channel(channel_id)
    cut = render(cite(Answer(text=kept + half, references=SOURCES, dialect=dialect, cut=Cut.LENGTH)), there)
    whole = render(cite(Answer(text=kept, references=SOURCES, dialect=dialect)), there)
    assert (cut.text.rstrip(), cut.entities) == (whole.text.rstrip(), whole.entities)
    assert cut.problems[0] == Cut.LENGTH.problem


@pytest.mark.parametrize(("dialect", "kept", "half"), HALVES)
def test_an_answer_that_is_whole_keeps_its_end(dialect: Dialect | None, kept: str, half: str) -> None:
    cited = cite(Answer(text=kept + half, dialect=dialect))
    assert cited.uses == ()
    assert cited.text == kept + half


def test_a_badge_within_brackets_that_stay_open_stays() -> None:
    cut = cite(Answer(text="It is [[1]", references=SOURCES, dialect=NUMBERED, cut=Cut.LENGTH))
    assert render(cut, channel("msteams")).text == "It is [1]"


NOTICE = "It broke off."
FOUND = "\n\nIt was made from:\n\n- One [1]"


@pytest.mark.parametrize(("dialect", "kept", "half"), HALVES)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
@pytest.mark.parametrize("behind", ["", FOUND])
def test_of_a_stream_that_breaks_off_nothing_is_shown_that_the_final_leaves_out(
    channel_id: str, dialect: Dialect | None, kept: str, half: str, behind: str
) -> None:
    def final(text: str) -> tuple[list[str], str]:
        stream = RenderingStream(channel(channel_id), dialect=dialect)
        stream.feed(ReferencesFound(SOURCES))
        interims = []
        for character in text:
            stream.feed(TextDelta(character))
            interims.extend([shown.text] if (shown := stream.interim()) else [])
        if behind:
            stream.feed(TextCut(Cut.LENGTH))
            for character in behind:
                stream.feed(TextDelta(character))
                interims.extend([shown.text] if (shown := stream.interim()) else [])
        return interims, stream.interrupt(NOTICE).text

    interims, shown = final(kept + half)
    _, expected = final(kept)
    assert "".join(shown.split()) == "".join(expected.split())
    if channel_id == "msteams":
        assert all(shown.startswith(interim) for interim in interims)


texts = st.one_of(
    hostile_texts,
    st.lists(st.sampled_from(("It is ", "so", ". ", "\n\n", "- ", "`", "[", *MARKERS)), max_size=8).map(
        "".join
    ),
)


@given(texts, st.sampled_from([None, *Dialect]), st.sampled_from(["webchat", "msteams"]), st.data())
def test_any_pieces_of_an_answer_that_is_cut_show_the_same(
    text: str, dialect: Dialect | None, channel_id: str, data: st.DataObject
) -> None:
    there = channel(channel_id)
    expected = render(cite(Answer(text=text, references=SOURCES, dialect=dialect, cut=Cut.LENGTH)), there)
    stream = RenderingStream(there, dialect=dialect)
    stream.feed(ReferencesFound(SOURCES))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    interims = []
    for start, end in zip([0, *cuts], [*cuts, None], strict=True):
        stream.feed(TextDelta(text[start:end]))
        interims.extend([shown.text] if (shown := stream.interim()) else [])
    stream.feed(TextCut(Cut.LENGTH))
    final = stream.close()
    assert (final.text, final.entities) == (expected.text, expected.entities)
    if channel_id == "msteams":
        assert all(final.text.startswith(interim) for interim in interims)


# Texts that replace each other


@pytest.mark.parametrize("channel_id", ["webchat", "sms"])
def test_a_new_text_takes_the_place_of_the_old(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id))
    stream.feed(ReferencesFound(SOURCES))
    stream.feed(TextDelta("It is so [1]. "))
    stream.interim()
    stream.feed(TextReplaced("It is not so [2]. "))
    interim = stream.interim()
    stream.feed(TextDelta("No."))
    expected = render(cite(Answer(text="It is not so [2]. No.", references=SOURCES)), channel(channel_id))
    assert stream.close() == expected
    if channel_id == "webchat":
        assert interim
        assert interim.text.startswith("It is not so [1].")


@pytest.mark.parametrize("looked", [True, False])
def test_where_what_is_shown_stays_a_new_text_stands_below_it(looked: bool) -> None:
    stream = RenderingStream(channel("msteams"))
    stream.feed(ReferencesFound(SOURCES))
    stream.feed(TextDelta("It is so [1].\n\n```\na"))
    interim = stream.interim() if looked else None
    stream.feed(TextReplaced("It is not so [2]."))
    final = stream.close()
    codes = [problem.code for problem in final.problems]
    if interim:
        assert final.text == "It is so [1].\n\n```\na\n```\n\nIt is not so [2]."
        assert final.text.startswith(interim.text)
        assert codes == ["text-not-replaced"]
    else:
        assert final == render(cite(Answer(text="It is not so [2].", references=SOURCES)), channel("msteams"))


@given(texts, texts, st.lists(st.booleans(), min_size=2, max_size=2), st.booleans())
def test_a_new_text_renders_as_if_it_were_the_first(
    old: str, new: str, looks: list[bool], before: bool
) -> None:
    stream = RenderingStream(channel("webchat"))
    found = ReferencesFound(SOURCES)
    for event in (found, TextDelta(old)) if before else (TextDelta(old), found):
        stream.feed(event)
        if looks[0]:
            stream.interim()
    stream.feed(TextReplaced(new))
    if looks[1]:
        stream.interim()
    assert stream.close() == render(cite(Answer(text=new, references=SOURCES)), channel("webchat"))
