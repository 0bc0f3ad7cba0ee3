"""Over the examples of the CommonMark specification, with a marker inserted at every place.

markdown-it-py's own rules are the judge: with ``[7]`` defined they say where a reader would see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from citations import Answer, Dialect, Reference, channel, cite, render
from citations.inspection import read_markdown
from tests.commonmark import TABLES, html, is_plain, texts
from tests.depth import is_deep
from tests.normal_html import normal_html

SEVEN = "https://seven.example/"
REFERENCE = Reference(id="7", name="Seven", url=SEVEN)


OTHERWISE = re.compile(r"[\]!]\[7\]|\[7\][\[(:]|\[\s*\[7\]\s*\]|~\[7\]~~~|\n[ >]*\[7\]\||\|\[7\]\n")
"""What CommonMark, where ``[7]`` is defined, or markdown-it-py, where three tildes strike out, read otherwise.

In front of a row's first pipe, or behind its last one, a marker is one cell more than the header has.
"""


EMPHASIS = re.compile("</?(?:em|strong)>")


def read(text: str) -> str:
    """What is read of ``text``, but for what SPEC.md's D5 leaves out or moves apart."""
    shown = normal_html(text, (), typed=True).replace("\u200b", "")
    if re.search(r"<li>(?:(?!</li>).)*<(?:blockquote>|table>|p>[0-9]+\.)", shown, re.DOTALL):
        # A blank line parts a quote, a table or a typed number from what follows it: the list becomes loose.
        shown = re.sub("</?p>", "", shown)
    return re.sub(r' class="language-(?=[^"]*[&|{}\\$~`])[^"]*"', "", shown)


def restore_markers(text: str) -> str:
    """What is read of what we write, each badge put back to the marker that it was."""
    return re.sub(rf'<a href="{re.escape(SEVEN)}"[^>]*>1</a>', "[7]", read(text))


INSIDE_A_WORD = re.compile(r"(?<=[A-Za-z]{2})(?=[A-Za-z])")


def inserted() -> Iterator[str]:
    """A marker at every second place, inside each word at one of them; a deep run takes them all."""
    for number, text in enumerate((*texts(), *TABLES)):
        same = set() if is_deep() else {found.start() for found in INSIDE_A_WORD.finditer(text)}
        places = sorted(set(range(len(text) + 1)) - same)
        for place in places if is_deep() else places[number % 2 :: 2]:
            yield text[:place] + "[7]" + text[place:]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_an_answer_without_markers_is_shown_as_it_was(dialect: Dialect) -> None:
    plain = [text for text in (*texts(), *TABLES) if is_plain(text)]
    assert len(plain) > 350
    for text in plain:
        rendering = render(
            cite(Answer(text=text, references=(REFERENCE,), dialect=dialect)), channel("webchat")
        )
        assert read(rendering.text) == read(text), text


def test_a_marker_is_a_citation_where_a_reader_would_see_it() -> None:
    wrong: list[tuple[str, str]] = []
    lost: list[tuple[str, str]] = []
    seen = 0
    for text in inserted():
        reading = read_markdown(text)
        rendering = render(
            cite(Answer(text=text, references=(REFERENCE,), dialect=Dialect.NUMBERED)), channel("webchat")
        )
        # Underscores of a bare address are no emphasis to us.
        if reading.images or OTHERWISE.search(text) or "?q=__" in text:
            # Here CommonMark's reading of a *defined* [7] is another than of a marker: an image's
            # words, a worded link, the double brackets of `[[7]]`. The corpus of markers has these.
            continue
        seen += 1
        visible = html(f"[7]: {SEVEN}\n\n{text}").count(f'<a href="{SEVEN}">')
        cited = len(read_markdown(rendering.text).links)
        if visible != cited:
            wrong.append((text, f"a reader would see {visible}, cited are {cited}"))
        elif reading.links or reading.html or reading.definitions:
            continue
        elif (shown := restore_markers(rendering.text)) != read(text):
            (lost if EMPHASIS.sub("", shown) == EMPHASIS.sub("", read(text)) else wrong).append((text, shown))
    assert not wrong, wrong[:5]
    # Emphasis beside a symbol, such as `>`, which was no punctuation before CommonMark 0.31.
    assert len(lost) < 10, lost
    assert seen > 5_000
