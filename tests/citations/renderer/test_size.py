"""What a message can't hold: what goes, in which order, and that what stays is sound."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import unescape
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    CitedAnswer,
    Dialect,
    LabelRanking,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    SensitivityLabel,
    TextDelta,
    channel,
    cite,
    render,
)
from tests.agreement import COMMONMARK
from tests.depth import examples
from tests.ordinary_answers import ordinary_answers
from tests.rendering_promises import assert_agrees, assert_what_is_cut_agrees, bytes_of
from tests.strategies import answers
from tests.streams import events, pieces, watch

MOST = {"webchat": 262_144, "msteams": 80_000, "email": 262_144, "some-channel": 262_144}
"""What the Bot Connector takes in bytes of JSON, and Teams in bytes of UTF-16."""
CUT = "… This answer is longer than one message can be: the rest of it is left out."
LABELS = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(id="secret", name="Secret", priority=1, description="Keep it. " * 20),
    ),
    default="public",
)


def sources(count: int, **fields: Any) -> tuple[Reference, ...]:
    return tuple(
        Reference(id=str(number), **({"name": f"Source {number}"} | fields)) for number in range(1, count + 1)
    )


def sentences(count: int, cited: int = 0) -> str:
    """A text of so many short sentences, the first of which cite the sources in turn."""
    marked = (f"This is the sentence {number}" for number in range(1, count + 1))
    return " ".join(
        f"{text} [{number}]." if number <= cited else f"{text}." for number, text in enumerate(marked, 1)
    )


def paragraphs(text: str, each: int = 600) -> str:
    return "\n\n".join(text[start : start + each].strip() for start in range(0, len(text), each))


def long_urls(count: int, length: int) -> tuple[Reference, ...]:
    return tuple(
        Reference(id=str(number), name=f"S{number}", url=f"https://example.com/{number}/{'x' * length}")
        for number in range(1, count + 1)
    )


FITS = sentences(40, cited=20)
# The answer, and what is said of its rendering on each channel, in the order in which it was given up.
STEPS: dict[str, tuple[Answer, dict[str, list[str]]]] = {
    "an ordinary answer": (
        Answer(text=FITS, references=sources(20, text="A passage. " * 60)),
        {"webchat": [], "msteams": [], "email": [], "some-channel": []},
    ),
    "long passages": (
        Answer(text=FITS, references=sources(20, text="設定を変えます。" * 900)),
        {"webchat": ["passages-shortened"], "msteams": []},
    ),
    "passages in front of a long text": (
        Answer(text=paragraphs(sentences(7500, cited=20)), references=sources(20, text="A passage. " * 600)),
        {"webchat": ["passages-shortened"], "some-channel": []},
    ),
    "no room for abstracts": (
        Answer(text=paragraphs(sentences(1260, cited=20)), references=sources(20, text="A passage. " * 60)),
        {"msteams": ["passages-dropped"], "webchat": []},
    ),
    "sources with long URLs": (
        Answer(text=paragraphs(sentences(400, cited=20)), references=long_urls(20, 1900)),
        {"msteams": ["citations-dropped"], "webchat": [], "some-channel": []},
    ),
    "a text beyond all": (
        Answer(text=paragraphs(sentences(12_000, cited=20)), references=sources(20)),
        {"msteams": ["text-cut"], "webchat": ["text-cut"], "email": ["text-cut"], "some-channel": ["text-cut"]},
    ),
    "everything at once": (
        Answer(
            text=paragraphs(sentences(12_000, cited=20)),
            references=tuple(replace(one, text="A passage. " * 900) for one in long_urls(20, 1900)),
        ),
        {
            "msteams": ["text-cut", "passages-dropped", "citations-dropped"],
            "webchat": ["text-cut", "passages-dropped", "citations-dropped"],
        },
    ),
}  # fmt: skip


@cache
def render_whole(answer: Answer, channel_id: str) -> Rendering:
    """The rendering of a finished answer; to make one takes its time."""
    return render(cite(answer), channel(channel_id))


@pytest.mark.parametrize(
    ("name", "channel_id"), [(name, channel_id) for name, (_, said) in STEPS.items() for channel_id in said]
)
def test_what_is_given_up_in_which_order(name: str, channel_id: str) -> None:
    answer, said = STEPS[name]
    rendering = render_whole(answer, channel_id)
    codes = list(dict.fromkeys(problem.code for problem in rendering.problems))
    assert codes == said[channel_id]
    assert_holds(rendering, channel_id)


def assert_holds(rendering: Rendering, channel_id: str) -> None:
    assert bytes_of(rendering, channel_id) <= MOST[channel_id]
    assert_agrees(rendering, channel_id)


@pytest.mark.parametrize("channel_id", MOST)
def test_it_is_used_to_the_full(channel_id: str) -> None:
    answer, _ = STEPS["a text beyond all"]
    assert bytes_of(render_whole(answer, channel_id), channel_id) > 0.8 * MOST[channel_id]


@pytest.mark.parametrize("channel_id", MOST)
def test_a_cut_text_says_so(channel_id: str) -> None:
    answer, _ = STEPS["a text beyond all"]
    text = render_whole(answer, channel_id).text
    before, notice, _ = text.partition(f"\n\n{CUT}")
    assert notice
    assert before[-20:] in text[: len(before)]
    assert before.startswith("This is the sentence 1 ")


def test_the_number_of_a_citation_that_was_dropped_is_text_in_web_chat() -> None:
    references = long_urls(20, 1900)
    answer = Answer(
        text=f"{'x ' * 88_000}{sentences(20, cited=20)} Twice [19][20] [20].", references=references
    )
    rendering = render(cite(answer), channel("webchat"))
    assert "citations-dropped" in [problem.code for problem in rendering.problems]
    assert_holds(rendering, "webchat")
    claims = rendering.entities[0]["citation"]
    assert isinstance(claims, list)
    assert 1 < len(claims) < 20
    assert "This is the sentence 1 [1]." in rendering.text
    assert "This is the sentence 20 &#91;20&#93;." in rendering.text
    assert "[20]:" not in rendering.text


def test_it_stays_as_it_was_on_teams() -> None:
    answer, _ = STEPS["sources with long URLs"]
    rendering = render(cite(answer), channel("msteams"))
    assert rendering.text == render(cite(replace(answer, references=sources(20))), channel("msteams")).text
    assert "[20]" in rendering.text
    assert len(rendering.entities[0]["citation"]) < 20  # type: ignore[arg-type]


def test_a_text_for_teams_is_written_once() -> None:
    answer, _ = STEPS["everything at once"]
    teams, written = channel("msteams"), []

    def write(cited: CitedAnswer, *others: Any) -> str:
        written.append(cited.text)
        return teams.write(cited, *others)

    assert render(cite(answer), replace(teams, write=write)) == render_whole(answer, "msteams")
    assert [text for text in written if text] == [answer.text]


@pytest.mark.parametrize("channel_id", MOST)
def test_labels_never_go(channel_id: str) -> None:
    answer, _ = STEPS["everything at once"]
    references = (*answer.references, Reference(id="uncited", name="N", label="secret"))
    rendering = render(cite(replace(answer, references=references)), channel(channel_id), ranking=LABELS)
    assert bytes_of(rendering, channel_id) <= MOST[channel_id]
    if rendering.entities:
        label = rendering.entities[0]["usageInfo"]
        assert isinstance(label, dict)
        assert (label["name"], label["description"]) == ("Secret", "Keep it. " * 20)
    else:
        assert unescape(rendering.text).startswith("Sensitivity label: Secret")


def test_what_was_withheld_is_said_to_be() -> None:
    ranking = replace(LABELS, ceilings={"webchat": "public"})
    references = tuple(
        replace(one, text="The moon. " * 400, label="secret", url=None) for one in long_urls(20, 10)
    )
    answer = Answer(text=paragraphs(sentences(12_000, cited=20)), references=references)
    rendering = render(cite(answer), channel("webchat"), ranking=ranking)
    assert_holds(rendering, "webchat")
    assert "moon" not in str(rendering)
    assert str(rendering.entities).count("This passage is not shown here") >= 1


ENDS = {
    "code": ("```py\n{}\n```\n", "x = a[1]  # <b>\n"),
    "code in a list": ("- a\n  - ```\n    {}\n", "x = a[1]\n    "),
    "a span of code": ("`{}` done", "[1] <b> ![x](y) "),
    "spans of code": ("{}", "`[1] <b>` and <b> [1] "),
    "a quote": ("> {}", "word [1] **bold** "),
    "a table": ("| a | b |\n|---|---|\n{}", "| word [1] | `a|b` |\n"),
    "HTML": ("<div>\n{}\n</div>", "<b>word</b> [1]\n"),
    "a comment": ("<!--\n{}\n-->", "word [1]\n"),
    "entities": ("{}", "&amp;&#91;1&#93;&lt;"),
    "no space": ("{}", "x"),
    "Chinese": ("{}", "設定を変える"),
    "people": ("{}", "👩‍👩‍👧‍👦"),
    "flags": ("{}", "🇩🇪"),
    "markers": ("{}", "[1]"),
    "names": ("{}", "[n](1)"),
    "brackets": ("{}", "["),
    "links": ("{}", "[word](https://x.example/a) "),
    "bold": ("**{}**", "word [1] "),
}


@pytest.mark.parametrize("channel_id", ["webchat", "msteams"])
@pytest.mark.parametrize("name", ENDS)
def test_wherever_it_is_cut_it_is_whole(name: str, channel_id: str) -> None:
    frame, piece = ENDS[name]
    small = replace(channel(channel_id), limit=replace(channel(channel_id).limit, most=12_000))
    cited = cite(
        Answer(
            text=frame.replace("{}", piece * (24_000 // len(piece))),
            references=sources(3, url="https://x.example/1"),
        )
    )
    rendering = render(cited, small)
    assert_agrees(rendering, channel_id)
    assert 0.6 * 12_000 < bytes_of(rendering, channel_id) <= 12_000
    before, notice, _ = rendering.text.partition("\n\n… This answer is longer")
    assert notice
    blocks = [token for token in COMMONMARK.parse(rendering.text) if token.type == "inline"]
    assert [block.level for block in blocks if unescape(block.content) == CUT] == [1]
    assert not re.search(r"(?:&#?\w*|\u200d|\[\d+)\Z", before), before[-40:]


def ordinary() -> Answer:
    """All ordinary answers of one dialect, one below the other."""
    found = [answer for answer in ordinary_answers().values() if answer.dialect is not Dialect.NAMED_LINK]
    return Answer(text="\n\n".join(one.text for one in found) * 3, references=found[0].references)


ORDINARY = ordinary()


@pytest.mark.parametrize("cuts", [1, 7, 60])
@pytest.mark.parametrize("name", [*STEPS, "ordinary, many times"])
def test_a_stream_ends_as_the_whole(name: str, cuts: int) -> None:
    """Teams: each interim begins with the last, and the final with them all."""
    answer = STEPS[name][0] if name in STEPS else ORDINARY
    chance = Random(cuts)
    told = events(answer, pieces(answer.text, (chance.randrange(len(answer.text)) for _ in range(cuts))))
    for channel_id in ("msteams", "webchat") if cuts < 60 else ("msteams",):
        watched = watch(channel_id, told, answer)
        assert watched.final == render_whole(answer, channel_id)
        for interim in watched.interims:
            assert bytes_of(interim, channel_id) <= MOST[channel_id]
            if channel_id == "msteams":
                assert watched.final.text.startswith(interim.text), interim.text[-200:]


@examples(15)
@given(answers, st.integers(1, 9), st.lists(st.floats(0, 1), max_size=6))
def test_whatever_is_cut_out_of_what_comes(answer: Answer, gap: int, cuts: list[float]) -> None:
    assert_what_is_cut_agrees(answer, gap, cuts)


def test_an_interruption_of_what_is_too_long() -> None:
    stream = RenderingStream(channel("msteams"))
    stream.feed(ReferencesFound(sources(3)))
    shown = ""
    for _ in range(30):
        stream.feed(TextDelta(paragraphs(sentences(60, cited=3)) + "\n\n"))
        if interim := stream.interim():
            shown = interim.text
    final = stream.interrupt("The answer was interrupted here.")
    assert final.text.startswith(shown)
    assert final.text.endswith(CUT)
    assert 0.6 * MOST["msteams"] < len(shown) * 2 < 0.75 * MOST["msteams"]
