"""Over the examples of the CommonMark specification, with a marker inserted at every place.

markdown-it-py's own rules are the judge: with ``[7]`` defined they say where a reader would see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from citations import Answer, Dialect, Reference, channel, cite, render
from citations.markdown import read_markdown

from .commonmark import TABLES, html, is_plain, texts

SEVEN = "https://seven.example/"
REFERENCE = Reference(id="7", name="Seven", url=SEVEN)


OTHERWISE = re.compile(r"[\]!]\[7\]|\[7\][\[(:]|\[\s*\[7\]\s*\]")


def shown(text: str) -> str:
    """The HTML of what we write, each badge put back to the marker that it was."""
    badge = rf'\u200b?<a href="{re.escape(SEVEN)}"[^>]*>1</a>\u200b?'
    return re.sub(badge, "[7]", html(text))


def inserted() -> Iterator[str]:
    for text in (*texts(), *TABLES):
        for place in range(len(text) + 1):
            yield text[:place] + "[7]" + text[place:]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_an_answer_without_markers_is_shown_as_it_was(dialect: Dialect) -> None:
    plain = [text for text in (*texts(), *TABLES) if is_plain(text)]
    assert len(plain) > 350
    for text in plain:
        rendering = render(
            cite(Answer(text=text, references=(REFERENCE,), dialect=dialect)), channel("webchat")
        )
        assert html(rendering.text) == html(text), text


def test_a_marker_is_a_citation_where_a_reader_would_see_it() -> None:
    wrong: list[tuple[str, str]] = []
    seen = 0
    for text in inserted():
        rendering = render(
            cite(Answer(text=text, references=(REFERENCE,), dialect=Dialect.NUMBERED)), channel("webchat")
        )
        if "formatting-dropped" in {problem.code for problem in rendering.problems}:
            wrong.append((text, "formatting dropped"))
            continue
        if read_markdown(text).images or OTHERWISE.search(text):
            # Here CommonMark's reading of a *defined* [7] is another than of a marker: an image's
            # words, a worded link, the double brackets of `[[7]]`. The corpus of markers has these.
            continue
        seen += 1
        visible = html(f"[7]: {SEVEN}\n\n{text}").count(f'<a href="{SEVEN}">')
        cited = len(read_markdown(rendering.text).links)
        if visible != cited:
            wrong.append((text, f"a reader would see {visible}, cited are {cited}"))
        elif is_plain(text) and shown(rendering.text) != html(text):
            wrong.append((text, shown(rendering.text)))
    assert not wrong, wrong[:5]
    assert seen > 14_000
