"""The second reading: what was is sanitized is read once more, and what isn't goes out as characters.

Here the first reading sanitizes nothing, so that the second stands alone.
"""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import Answer, Reference, Rendering, channel, cite, render
from citations.channels import email, web_chat
from citations.markdown import ADDRESS, MarkdownReading, read_definition, read_markdown, sanitize
from citations.model.link_definition import define
from citations.model.wording import ENGLISH

from .agreement import STRUCTURE
from .hostile_answers import ANSWERS, COMMONMARK, GOOD, REFERENCE, browsed, targets
from .ordinary_answers import ordinary_answers
from .strategies import hostile_texts, names, urls

IN_MARKDOWN = ("webchat", "email")
MORE = {
    "a link beside a badge of the same words": "See [1] and [1](https://evil.example).",
    "the same destination under another name": f"See [1] and [here]({GOOD}?x).",
    "an image of our own": f"See [1] and ![x]({GOOD}).",
    "a definition of another": "See [1].\n\n[2]: https://evil.example",
    "a definition of ours again, in a quote": f'See [1].\n\n> [1]: {GOOD} "Good doc"',
    "HTML in a line": "See [1] and <b>this</b>.",
    "HTML as a block": "See [1].\n\n<div>this</div>",
    "an autolink": "See [1] and <https://evil.example>.",
    "a badge in code that opens below": "`a [1]\n\n`b` [1](https://evil.example)",
    "a link in the rows of a table, read as a paragraph": "| a | b |\n|---|---|\n| [x | y](https://evil.example) |\n\n[1]",
    "an image in the rows of a table, read as a paragraph": "| a | b |\n|---|---|\n| ![x | y](https://evil.example) |\n\n[1]",
    "HTML in the rows of a table, read as a paragraph": "| ` | <b>a</b> ` |\n|---|---|\n| ` | <b>b</b> |\n\n[1]",
}


DEFINITION = f'[1]: {GOOD} "Good doc"'
SEEN = {
    "a badge and its definition": (f"See [1].\n\n{DEFINITION}", True),
    "a badge that is text": (f"See \\[1].\n\n{DEFINITION}", False),
    "a badge that is code": (f"See `[1]`.\n\n{DEFINITION}", False),
    "a badge in other words": (f"See [this][1].\n\n{DEFINITION}", False),
    "no definition": ("See [1].", False),
    "another destination": (f"See [1].\n\n{DEFINITION.replace('/doc', '/other')}", False),
    "another title": (f"See [1].\n\n{DEFINITION.replace('Good', 'Bad')}", False),
    "a definition in a quote": (f"See [1].\n\n> {DEFINITION}", False),
    "two definitions": (f"See [1].\n\n{DEFINITION}\n{DEFINITION}", False),
}


@pytest.fixture(autouse=True)
def _no_first_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (web_chat, email, import_module("citations.markdown.sanitizer")):
        monkeypatch.setattr(module, "sanitizing_edits", lambda *_: ())


def rendered(text: str, channel_id: str) -> Rendering:
    return render(cite(Answer(text=text, references=(REFERENCE,))), channel(channel_id))


def dropped(rendering: Rendering) -> bool:
    return "formatting-dropped" in {problem.code for problem in rendering.problems}


@pytest.mark.parametrize("channel_id", IN_MARKDOWN)
@pytest.mark.parametrize("answer", [*ANSWERS.values(), *MORE.values()], ids=[*ANSWERS, *MORE])
def test_nothing_of_a_hostile_answer_comes_through(answer: str, channel_id: str) -> None:
    rendering = rendered(answer, channel_id)
    assert set(targets(rendering.text, COMMONMARK)) <= {GOOD}, rendering.text
    assert browsed(rendering.text, COMMONMARK).tags <= STRUCTURE


@pytest.mark.parametrize("channel_id", IN_MARKDOWN)
@pytest.mark.parametrize("answer", MORE.values(), ids=MORE)
def test_what_is_live_goes_out_as_characters(answer: str, channel_id: str) -> None:
    assert dropped(rendered(answer, channel_id))


@pytest.mark.parametrize(("text", "sound"), SEEN.values(), ids=SEEN)
def test_a_reader_of_web_chat_has_to_find_each_badge(text: str, sound: bool) -> None:
    cited = cite(Answer(text="See [1].", references=(REFERENCE,)))
    assert web_chat.agrees(read_markdown(text), cited, define(cited, ENGLISH)) is sound


@pytest.mark.parametrize("text", [*ANSWERS.values(), *MORE.values()], ids=[*ANSWERS, *MORE])
def test_nor_of_a_hostile_passage(text: str) -> None:
    assert targets(sanitize(text), COMMONMARK) == []


@pytest.mark.parametrize("channel_id", IN_MARKDOWN)
def test_nobody_loses_their_formatting_for_nothing(channel_id: str) -> None:
    for answer in ordinary_answers().values():
        # The first reading would have sanitized an address.
        if not ADDRESS.search(answer.text):
            assert not dropped(render(cite(answer), channel(channel_id)))


def found(outcome: MarkdownReading) -> tuple[object, ...]:
    definitions = [(one.label, one.url, one.title, one.nested) for one in outcome.definitions]
    return definitions, outcome.links, outcome.images, outcome.html, outcome.addresses, outcome.complete


@given(hostile_texts, st.lists(st.tuples(urls, names), min_size=2, max_size=5), st.booleans())
def test_definitions_read_by_themselves_are_read_as_with_the_text(
    body: str, sources: list[tuple[str | None, str | None]], tables: bool
) -> None:
    references = [Reference(id=str(n), url=url, name=name) for n, (url, name) in enumerate(sources, 1)]
    marks = "".join(f"[{reference.id}]" for reference in references)
    cited = cite(Answer(text=f"{marks} {body}", references=tuple(references)))
    definitions = define(cited, ENGLISH)
    known = [read for one in definitions[1:] if (read := read_definition(one.write()))]
    assert [one.label for one in known] == [one.label for one in definitions[1:]]
    whole = read_markdown(
        web_chat.finish(cited.text, definitions, ENGLISH), tables=tables, encoded=False, addresses=True
    )
    parted = read_markdown(
        web_chat.finish(cited.text, definitions[:1], ENGLISH),
        tables=tables,
        encoded=False,
        addresses=True,
        known=known,
    )
    ours = [(one.label, one.destination, one.title, False) for one in definitions]
    assert (found(parted)[0] == ours) == (found(whole)[0] == ours)
    if found(whole)[0] == ours:
        assert found(parted) == found(whole)
