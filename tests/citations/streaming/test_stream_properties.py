"""What a stream is: however an answer is cut, its end is the same, and no word of it is taken back."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from random import Random
from statistics import median, quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerEvent,
    Reference,
    ReferencesFound,
    RenderingStream,
    TextDelta,
    channel,
    check,
)
from citations.streaming import MAX_HELD
from tests.agreement import assert_text_and_graph_agree
from tests.depth import examples, is_deep
from tests.ordinary_answers import ordinary_answers
from tests.strategies import answers
from tests.stream_assertions import (
    _assert_extended,
    _claims,
    about,
    assert_any_stream_is_sound,
    assert_ends_as_finished,
)
from tests.streams import (
    STREAMED,
    events,
    finished,
    long_answers,
    marked_answers,
    pieces,
    read_aloud,
    short_answers,
    small_pieces,
    unwatched,
    watch,
)

SAMPLE = 12
"""Cuts of each long answer; a different sample would do as well."""


@pytest.mark.parametrize("channel_id", STREAMED)
def test_cut_at_any_place_a_short_answer_ends_as_if_it_had_come_at_once(channel_id: str) -> None:
    """Each second place on one channel, and each on both in a deep run: they read alike, and write otherwise."""
    apart = 2 * len(STREAMED)
    for number, answer in enumerate(short_answers()):
        places = range(len(answer.text) + 1)
        first = (number + 2 * STREAMED.index(channel_id)) % apart
        assert_every_cut(channel_id, answer, places if is_deep() else places[first::apart])


@pytest.mark.parametrize("channel_id", STREAMED)
def test_and_so_does_a_long_one(channel_id: str) -> None:
    chance = Random(1)
    for answer in long_answers():
        places = range(len(answer.text) + 1)
        assert_every_cut(channel_id, answer, places if is_deep() else chance.sample(places, SAMPLE))


def assert_every_cut(channel_id: str, answer: Answer, cuts: Iterable[int]) -> None:
    whole = finished(channel_id, answer)
    sound = set[str]()
    for cut in cuts:
        watched = watch(channel_id, events(answer, pieces(answer.text, [cut])), answer)
        with about(watched):
            assert watched.final == whole
            if channel_id == "msteams":
                _assert_extended(watched)
            for interim in watched.interims if channel_id == "webchat" else ():
                if interim.text not in sound:
                    sound.add(interim.text)
                    assert_text_and_graph_agree(interim)


def some(corpus: tuple[Answer, ...], channel_id: str) -> tuple[Answer, ...]:
    """A third of a corpus where reading the interims takes its time."""
    return corpus[:: 3 if channel_id == "webchat" and not is_deep() else 1]


@pytest.mark.parametrize("channel_id", STREAMED)
def test_written_as_models_write_an_answer_ends_as_if_it_had_come_at_once(channel_id: str) -> None:
    chance = Random(2)
    for answer in (*some(marked_answers(), channel_id), *long_answers()):
        watched = watch(channel_id, events(answer, small_pieces(answer.text, chance)), answer)
        assert_ends_as_finished(watched, answer, finished(channel_id, answer))


@pytest.mark.parametrize("channel_id", STREAMED)
def test_references_may_come_whenever_they_like(channel_id: str) -> None:
    """Where a stream is only extended, markers without a reference keep the numbers that they got."""
    chance = Random(3)
    for answer in (*some(marked_answers(), channel_id), *long_answers()):
        told = small_pieces(answer.text, chance)
        before = chance.choice((chance.randint(0, len(told)), len(told)))
        watched = watch(channel_id, events(answer, told, before), answer)
        late = len("".join(told[:before]))
        assert_ends_as_finished(watched, answer, unwatched(channel_id, answer, late))
        if channel_id == "webchat" or answer in long_answers():
            with about(watched):
                assert len(_claims(watched.final)) == len(_claims(finished(channel_id, answer)))
                if "[12]" not in answer.text:
                    assert watched.final.text == finished(channel_id, answer).text


@examples(60)
@given(answers, st.sampled_from(STREAMED), st.lists(st.floats(0, 1), max_size=12), st.floats(0, 1))
def test_whatever_comes(answer: Answer, channel_id: str, cuts: list[float], late: float) -> None:
    assert_any_stream_is_sound(answer, channel_id, cuts, late)


NUMBERED = tuple(
    Reference(id=str(number), name=f"Document {number}", url=f"https://example.com/{number}")
    for number in range(1, 6)
)
FILES = tuple(Reference(id=f"{name}0000000-0000", name=f"{name}.pdf") for name in "abc")
cited_text = st.sampled_from(
    (
        *("Blue ", "green.", "\n\n", "- red", "`[1]`"),
        *("[1]", "[2]", "[3, 1]", "[4]", "[5][2]", "[9]", "[2024]"),
        *(f"[{file.name}]({file.id})" for file in FILES),
    )
).map(TextDelta)
some_references = st.lists(st.sampled_from((*NUMBERED, *FILES)), max_size=3).map(tuple)


@examples(100)
@given(cited_text, st.lists(st.one_of(cited_text, cited_text, some_references.map(ReferencesFound))))
def test_references_come_a_few_at_a_time_or_never(start: TextDelta, rest: list[AnswerEvent]) -> None:
    """A number that has been shown stays that of its source, whatever comes and doesn't."""
    told = (start, *rest)
    text = "".join(event.text for event in told if isinstance(event, TextDelta))
    references = [one for event in told if isinstance(event, ReferencesFound) for one in event.references]
    answer = Answer(text=text, references=tuple(references))
    watched = watch("webchat", told, answer)
    assert_ends_as_finished(watched, answer, finished("webchat", answer))


@pytest.mark.parametrize("channel_id", STREAMED)
def test_an_interim_stands_the_check(channel_id: str) -> None:
    chance = Random(4)
    for answer in long_answers():
        watched = watch(channel_id, events(answer, small_pieces(answer.text, chance)), answer)
        for interim in (*chance.sample(watched.interims, 3), watched.final):
            assert check(interim.to_activity(), channel_id=channel_id) == (), (interim, str(watched))


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("name", ordinary_answers())
def test_no_word_and_no_badge_is_taken_back(name: str, channel_id: str) -> None:
    """What a reader has read stays, though an asterisk may become emphasis."""
    answer = ordinary_answers()[name]
    watched = watch(channel_id, events(answer, small_pieces(answer.text, Random(5))), answer)
    end = read_aloud(watched.final, channel_id)
    with about(watched):
        for interim in watched.interims:
            said = read_aloud(interim, channel_id)
            assert end.startswith(said), (interim.text[-100:], said[-40:])


def test_where_nothing_is_streamed_there_is_only_the_end() -> None:
    for channel_id in ("sms", "email", "slack"):
        for answer in long_answers():
            watched = watch(channel_id, events(answer, small_pieces(answer.text, Random(6))), answer)
            assert watched.interims == ()
            assert watched.final == finished(channel_id, answer)


@pytest.mark.parametrize("channel_id", STREAMED)
def test_of_ordinary_answers_next_to_nothing_is_held_back(channel_id: str) -> None:
    chance = Random(8)
    held: list[int] = []
    for answer in long_answers():
        stream = RenderingStream(channel(channel_id), dialect=answer.dialect)
        for event in events(answer, small_pieces(answer.text, chance)):
            stream.feed(event)
            stream.interim()
            if isinstance(event, TextDelta):
                held.append(stream.held)
    assert len(held) > 6_000
    assert median(held) == 0
    # On Teams a pair of marks comes as a whole.
    assert quantiles(held, n=20)[-1] <= (30 if channel_id == "msteams" else 20)


@pytest.mark.parametrize("channel_id", STREAMED)
def test_what_is_not_held_is_shown(channel_id: str) -> None:
    """An interim is what the finished rendering of the text that it covers would be."""
    chance = Random(9)
    for answer in long_answers():
        stream, received = RenderingStream(channel(channel_id), dialect=answer.dialect), 0
        for event in events(answer, small_pieces(answer.text, chance)):
            stream.feed(event)
            received += len(event.text) if isinstance(event, TextDelta) else 0
            interim = stream.interim()
            if interim and chance.random() < 0.1:
                covered = answer.text[: received - stream.held]
                part = Answer(text=covered, references=answer.references, dialect=answer.dialect)
                # Bold that is still open is closed, or not begun; code on Teams is still open.
                shown, whole = (
                    re.sub(r"\*|&#42;|\s+", "", one.text.partition("\n\n[1]: ")[0])
                    for one in (interim, finished(channel_id, part))
                )
                assert whole.startswith(shown.removesuffix("```")[:-1])
                assert len(whole) - len(shown) <= 40


HOSTILE = {
    "brackets": "[",
    "closed brackets": "[]",
    "numbers that stay open": "[1",
    "lists of numbers": "[1, ",
    "wide brackets": "【1†",
    "backticks": "`",
    "runs of backticks": "` `` ```` ```````` ",
    "backslashes": "\\",
    "tags": "<a ",
    "attributes": '<a b="',
    "angle brackets": "<",
    "autolinks": "<https://",
    "comments": "<!-- ",
    "instructions": "<? ",
    "CDATA": "<![CDATA[",
    "images": "![",
    "links": "[a](",
    "targets": "](",
    "targets in angle brackets": "[a](<",
    "titles": '[a](b "',
    "parentheses": "[a](((((",
    "asterisks": "*",
    "emphasis": "*_**",
    "strokes": "~",
    "entities": "&",
    "an entity without end": "&amp",
    "references without end": "&#0",
    "quotes": "> ",
    "lists": "- ",
    "numbers": "1. ",
    "headings": "# ",
    "pipes": "|",
    "rows": "| a ",
    "dashes": "-",
    "equal signs": "=",
    "colons": ":",
    "spaces": " ",
    "tabs": "\t",
    "returns": "\r",
    "NUL": "\x00",
    "surrogates": "\ud800",
    "joiners": "👩\u200d",
    "accents": "e\u0301",
    "a word": "word",
    "lines of brackets": "[\n",
    "lines of definitions": "[a]: b\n",
    "a definition that goes on": "[a]: <",
    "titles that stay open": '[a]: b "\n',
    "lines of quotes": "> > > >\n",
    "lines of lists": "- - - -\n",
    "deeper and deeper": " - a\n  ",
    "tables without end": "| a |\n",
    "headers of tables": "a | b\n\n",
    "rows below": "|-|\n",
    "fences": "```\n",
    "lines below a paragraph": "a\n",
    "empty lines": "\n",
    "HTML": "<div>\n",
}


BEGINNINGS = ("", "Blue [1", "a [b](", "| a |\n|-|\n| `")


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_no_text_is_held_beyond_the_bound(piece: str) -> None:
    """Behind one of the beginnings; behind each in a deep run."""
    text = piece * (5 * MAX_HELD // 4 // len(piece))
    turn = [*HOSTILE.values()].index(piece) % len(BEGINNINGS)
    for begin in BEGINNINGS if is_deep() else BEGINNINGS[turn : turn + 1]:
        assert_bounded("msteams", begin + text, 199 if is_deep() else 499)
    if is_deep() or turn == 0:
        assert_bounded("webchat", text, 499)


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_nor_of_a_line_of_a_hundred_thousand_characters(piece: str) -> None:
    line = piece.replace("\n", " ")
    assert_bounded("msteams", line * (100_000 // len(line)), 5_000)


def assert_bounded(channel_id: str, text: str, size: int) -> None:
    stream = RenderingStream(channel(channel_id))
    received = 0
    for delta in pieces(text, range(size, len(text), size)):
        stream.feed(TextDelta(delta))
        stream.interim()
        received += len(delta)
        # A text full of signs is read when it has doubled: each reading takes as long as it is.
        assert stream.held <= max(MAX_HELD, received // 2), (channel_id, text[:40], stream.held)


def calls(channel_id: str, text: str, references: tuple[Reference, ...]) -> int:
    """How many functions are called to stream ``text``: a clock that no other process disturbs."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    told = events(Answer(text=text, references=references), pieces(text, range(4, len(text), 4)))
    stream = RenderingStream(channel(channel_id))
    sys.setprofile(profile)
    try:
        for event in told:
            stream.feed(event)
            stream.interim()
        stream.close()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("channel_id", STREAMED)
def test_each_delta_costs_the_same(channel_id: str) -> None:
    long = [answer for answer in long_answers() if answer.dialect is None]
    text = "\n\n".join(answer.text for answer in long[:5])
    references = long[0].references
    once, twice = (calls(channel_id, text * times, references) for times in (1, 2))
    assert twice <= 2.2 * once
