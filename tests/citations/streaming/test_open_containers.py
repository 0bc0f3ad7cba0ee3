"""What is complete in a quote, a list or a table that grows is read once, and ends as in the finished answer."""

from __future__ import annotations

import pytest

from citations import Answer, Reference, ReferencesFound, RenderingStream, TextDelta, channel, cite, render
from citations.markdown import parse_blocks
from citations.markdown.block_reader import ParsedBlocks
from tests.streams import STREAMED

REFERENCES = (Reference(id="1", name="Document", url="https://example.com/1"),)
NESTED = {
    "a list in a quote": "> - a\n> - b [1]\n>\n> - c\n>\n> d\n",
    "a quote in an item": "1.  a\n\n    > b\n    >\n    > c [1]\n\n    d\n2.  e\n",
    "a mark without a blank behind it": ">8) >a\n>    >\n>    >b*\n",
    "an item that begins on the next line": "-\n  a\n\n  b\n- c\n",
    "an empty quote in an item": ">2)   -\n>      >\n>     t\n",
    "an item that could be a table's header": "+ +\n  + ||p\n  -|-|-\nc\n",
    "a table in an item": "- |a|b|\n  |-|-|\n  |c [1]|d|\n  |e|f|\n\n  g\n- h\n",
    "lists that touch": "> - a\n> - b\n>\n> * c\n> * d\n>\n> - e\n",
    "an item that is code": "-     a\n\n  b\n\n  c\n",
    "tabs": "-\ta\n\n\t> b\n\t>\n\t> c\n",
    "a quote that ends in code": "> ```\n> a\n>\n> b\n> ```\n>\n> c\n\nd\n",
    "numbers from 7": "7. a\n\n   b\n8. c\n   - d\n   - e\n",
    "tasks": "- [ ] a\n- [x] b\n  - [ ] c\n  - d\n",
    "a lazy line": "> - a\nb\n> - c\n",
}
LONG = {
    "items of a quote": ("", "> - a\n"),
    "paragraphs of a quote": ("", "> a [1]\n>\n"),
    "paragraphs of an item": ("- x\n\n", "  a [1]\n\n"),
    "items of an item": ("- x\n", "  - a\n"),
    "quotes of a quote of an item": ("- > x\n", "  > > a\n  >\n"),
    "rows": ("|a|b|\n|-|-|\n", "|c [1]|d|\n"),
    "rows of a quote": ("> |a|b|\n> |-|-|\n", "> |c [1]|d|\n"),
}


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("name", NESTED)
def test_wherever_it_is_cut_it_ends_as_the_finished_answer(name: str, channel_id: str) -> None:
    text, there = NESTED[name], channel(channel_id)
    whole = render(cite(Answer(text=text, references=REFERENCES)), there)
    for size in range(1, 9):
        stream = RenderingStream(there)
        stream.feed(ReferencesFound(REFERENCES))
        shown = ""
        for start in range(0, len(text), size):
            stream.feed(TextDelta(text[start : start + size]))
            if interim := stream.interim():
                assert channel_id != "msteams" or interim.text.startswith(shown)
                shown = interim.text
        assert stream.close() == whole


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("name", LONG)
def test_what_is_complete_in_it_is_read_once(
    name: str, channel_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, repeated = LONG[name]
    text = begins + repeated * (12_000 // len(repeated))
    read: list[int] = []

    def counted(text: str, *, plain: bool = False) -> ParsedBlocks:
        read.append(len(text))
        return parse_blocks(text, plain=plain)

    monkeypatch.setattr("citations.streaming.growing_text.parse_blocks", counted)
    stream = RenderingStream(channel(channel_id))
    stream.feed(ReferencesFound(REFERENCES))
    for start in range(0, len(text), 100):
        stream.feed(TextDelta(text[start : start + 100]))
        stream.interim()
    stream.close()
    assert len(read) > 100
    assert sum(read) < 2 * len(text)
