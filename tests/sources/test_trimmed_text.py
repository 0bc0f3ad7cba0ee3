"""What a person may read of a model's text while it comes, whatever way it was cut."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.reply import TrimmedText
from citations import SpanFound, TextDelta
from citations.readers import (
    AnswerStream,
    ChatCompletionEvents,
    JsonEvents,
    VisibleText,
)

VISIBLE: dict[str, tuple[list[str], list[str]]] = {
    "all at once": (["It", " is", " so."], ["It", " is", " so."]),
    "white space waits for text": (["\n ", "It ", "\n", "is.", " \n"], ["It", " \nis."]),
    "thoughts": (["<think>", "Hmm.", "</think>", "\n\nIt", " is."], ["It", " is."]),
    "thoughts in one delta": (["<think>Hmm.</think>It is."], ["It is."]),
    "tags that are cut": (["\n<th", "ink>Hm", "m.</thi", "nk", ">It"], ["It"]),
    "another spelling": (["<THINKING", ">Hmm", "</Thinking", ">It"], ["It"]),
    "nothing in them": (["<think>\n\n</think>\n\n", "It"], ["It"]),
    "thoughts that never end": (["<think>", "It is so", " [1]."], []),
    "a beginning that is no tag": (["<", "th", "e>", " It"], ["<the>", " It"]),
    "a beginning that is all": (["<thin"], ["<thin"]),
    "thoughts later are text": (["It is ", "<think>", "so"], ["It is", " <think>", "so"]),
    "an end as a word": (["What is ", "</think>", "?"], ["What is", " </think>", "?"]),
    "halves of a character": (["Yes \ud83d", "\ude00", "!"], ["Yes", " 😀", "!"]),
    "a half without the other": (["a\ud83d", "b", "c\ud83d"], ["a", "\ufffdb", "c", "\ufffd"]),
}


@pytest.mark.parametrize(("deltas", "shown"), VISIBLE.values(), ids=VISIBLE)
def test_what_is_shown_of_each_delta(deltas: list[str], shown: list[str]) -> None:
    assert visible(deltas) == shown


def visible(deltas: list[str]) -> list[str]:
    text, trimmed = VisibleText(), TrimmedText()
    told = [*map(text.feed, deltas), text.close()]
    return [shown for shown in [*map(trimmed.feed, told), trimmed.close()] if shown]


PIECES = ["<think>", "a </think>", "<thinking>", "a </", "<", "think", ">", " ", "\n", "a", "€", "😀", "[1]"]


@given(st.lists(st.sampled_from(PIECES)), st.data())
def test_cuts_do_not_change_what_is_shown(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    thoughts = re.compile(r"(\s*<think(ing)?>(.*?</think(ing)?>|.*))*", re.DOTALL)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    deltas = [text[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    assert "".join(visible(deltas)) == re.sub(rf"\A{thoughts.pattern}", "", text, flags=re.DOTALL).strip()


@given(st.lists(st.sampled_from(PIECES)))
def test_of_an_answer_nothing_is_held_back_but_what_may_become_a_tag(pieces: list[str]) -> None:
    text, came, shown = VisibleText(), "", ""
    for piece in pieces:
        came += piece
        shown += text.feed(piece)
        if not re.match(r"\s*<think(ing)?>", came):
            held = came.removeprefix(shown)
            assert came == shown + held
            assert (
                re.fullmatch(r" {0,3}(</?[a-z]{0,8})?", held)
                if shown.strip()
                else len(came.strip()) < len("<thinking>")
            )


LINE_ENDS = ["\n", "\r\n", "\r"]


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=5), min_size=1),
    st.sampled_from(LINE_ENDS),
    st.booleans(),
    st.data(),
)
def test_bytes_may_be_cut_anywhere(words: list[str], end: str, escaped: bool, data: st.DataObject) -> None:
    words = ["It is", *words]
    sent = "".join(event(word, end, escaped) for word in words) + f": bye{end}data: [DONE]{end}{end}"
    stream = b"\xef\xbb\xbf" + sent.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    pieces = [stream[start:stop] for start, stop in zip([0, *cuts], [*cuts, None], strict=True)]
    assert read(pieces) == "".join(words).strip()


@pytest.mark.parametrize("end", LINE_ENDS)
def test_bytes_may_be_cut_at_each_place(end: str) -> None:
    text = "Für 150 € 😀 [1]."
    stream = (event(text[:9], end, False) + event(text[9:], end, True) + f"data: [DONE]{end}{end}").encode()
    for cut in range(len(stream)):
        assert read([stream[:cut], stream[cut:]]) == text


def event(content: str, end: str, escaped: bool) -> str:
    body = {"choices": [{"delta": {"content": content}}]}
    return f"data: {json.dumps(body, ensure_ascii=escaped)}{end}{end}"


def read(pieces: list[bytes]) -> str:
    completion = AnswerStream(JsonEvents(), ChatCompletionEvents(lambda *_: ()))
    said = [events for piece in pieces for events in completion.feed(piece)]
    trimmed = TrimmedText()
    deltas = [
        event.text
        for events in [*said, *completion.close()]
        for event in events
        if isinstance(event, TextDelta)
    ]
    return "".join([*map(trimmed.feed, deltas), trimmed.close()])


def test_spans_move_with_a_text_that_is_trimmed() -> None:
    """White space in front of the text and behind it is left out."""
    trimmed = TrimmedText()
    assert trimmed.feed(" \n Grass is green. \n") == "Grass is green."
    assert trimmed.move(SpanFound(3, 18, ("1",))) == SpanFound(0, 15, ("1",))
    assert trimmed.move(SpanFound(0, 20, ("1",))) == SpanFound(0, 15, ("1",))
    assert trimmed.move(SpanFound(9, 25, ("1",))) == SpanFound(6, 22, ("1",))
