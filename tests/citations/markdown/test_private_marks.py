"""OpenAI's marks of private use: none is shown, nor what stands between the two that open and close one."""

from __future__ import annotations

import pytest

from citations import Answer, RenderingStream, TextDelta, channel, cite, render

CITED = "\ue200cite\ue202turn0search0\ue202turn0search3\ue201"
LONGEST = f"\ue200{'a' * 400}\ue201"
CASES = {
    "behind a sentence": (f"It is so.{CITED} And **more**{CITED}.", "It is so. And **more**."),
    "alone": (CITED, ""),
    "words between two others stay": ("\ue203It is so.\ue204", "It is so."),
    "two that open": (f"a\ue200b{CITED}c", "abc"),
    "one that is never closed": ("It is \ue200so", "It is so"),
    "the longest": (f"a{LONGEST}b", "ab"),
    "one that is too long": (f"a\ue200{'b' * 401}\ue201c", f"a{'b' * 401}c"),
    "in code": (f"`a{CITED}`", f"`a{CITED}`"),
}


@pytest.mark.parametrize(("text", "shown"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
def test_no_mark_is_shown(channel_id: str, text: str, shown: str) -> None:
    assert render(cite(Answer(text=text)), channel(channel_id)).text == shown


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
@pytest.mark.parametrize("mark", [CITED, LONGEST])
def test_nothing_of_a_mark_is_shown_before_it_is_whole(channel_id: str, mark: str) -> None:
    stream = RenderingStream(channel(channel_id))
    for character in f"It is so{mark}. And more{mark}.":
        stream.feed(TextDelta(character))
        interim = stream.interim()
        assert interim is None or "It is so. And more.".startswith(interim.text)
    assert stream.close().text == "It is so. And more."
