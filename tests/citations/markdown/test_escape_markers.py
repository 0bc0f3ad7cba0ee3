"""A person's words that an answer repeats are shown as they were typed, and cite nothing."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from citations import Answer, Reference, channel, cite, render
from citations.markdown import escape_markers
from tests.strategies import hostile_texts

NAMES = ("1", "2", "file-2", "report.pdf", "turn0search0", "0", "4:0", "doc")
SOURCES = tuple(
    Reference(id=name, name=f"{name}.pdf", url=f"https://example.com/{number}")
    for number, name in enumerate(NAMES)
)
LETTERS = st.text(st.sampled_from('turn0search1 [](){}^:#$†【】［］\ue200\ue201\ue202cite"\\*`'), max_size=30)


@given(st.one_of(hostile_texts, LETTERS))
@example("turn0search0")
@example("\ue200cite\ue202turn0search0\ue201")
@example("【4:0†source】 ［1］ ##0$$ :contentReference[oaicite:0]{index=0} [x](file-2)")
def test_no_word_of_a_person_cites(text: str) -> None:
    answer = Answer(text=f"You said: {escape_markers(text)}. It is so [1].", references=SOURCES)
    cited = cite(answer)
    assert [one.reference.id for one in cited.citations] == ["1"]
    assert sum(len(use.positions) for use in cited.uses) == 1


@given(st.text(st.sampled_from("turn0 [](){}:#$【】*`a\n"), max_size=30).map(str.strip))
def test_it_shows_what_was_typed(text: str) -> None:
    shown = render(cite(Answer(text=escape_markers(text))), channel("webchat")).text
    tokens = MarkdownIt("commonmark").parse(shown)
    words = "".join(
        child.content
        for token in tokens
        for child in token.children or ()
        if child.type in ("text", "text_special")
    )
    assert "".join(words.split()) == "".join(text.split())
