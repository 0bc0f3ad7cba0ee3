"""Answers on channels of text: what an SMS says and costs, e-mail, other messengers, speech, labels."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

import pytest
import smsutil
from markdown_it import MarkdownIt

from citations import Answer, LabelRanking, Reference, Rendering, channel, cite, render
from citations.model.channel_id import CHANNEL_IDS
from citations.model.link_definition import define
from citations.model.wording import ENGLISH
from citations.text import sms_segments
from tests.normal_html import with_marks
from tests.ordinary_answers import ordinary_answers, read_page

CORPUS = Path(__file__).parents[2] / "corpus" / "sms"
COMMONMARK = MarkdownIt("commonmark").enable("table")
RANKING = LabelRanking.from_toml(
    """
    default = "general"
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "confidential"
    name = "Confidential"
    priority = 1
    [[label]]
    id = "secret"
    name = "Secret *Board*"
    priority = 2
    """
)
GUIDE = Reference(id="1", name="Guide", url="https://example.com/guide")
BOOK = Reference(id="2", name="Book", text="A passage.")
PLANS = Reference(id="3", name="Plans", text="A passage.", label="confidential")


@dataclass(frozen=True)
class Case:
    """An answer, as ``tests/corpus/answers`` has them, and behind it each message with what it costs."""

    name: str
    answer: Answer
    messages: list[tuple[str, str]]


def _case(path: Path) -> Case:
    answer, *messages = re.split(r"^=== (.*)\n\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    costs, texts = messages[::2], messages[1::2]
    return Case(
        path.stem,
        read_page(answer),
        [(cost, text.rstrip("\n")) for cost, text in zip(costs, texts, strict=True)],
    )


CASES = [_case(path) for path in sorted(CORPUS.glob("*.md"))]


def rendered(
    text: str, *references: Reference, to: str = "sms", ranking: LabelRanking | None = None
) -> Rendering:
    return render(cite(Answer(text=text, references=references)), channel(to), ranking=ranking)


def strip_tags(text: str) -> str:
    """What is left of a text that a connector reads as Markdown, without its tags."""
    inline = re.sub(r"</?(?:em|strong|code|a)\b[^>]*>", "", COMMONMARK.render(text))
    return unescape(re.sub(r"<[^>]*>", " ", inline))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_an_sms_says_this_and_costs_that(case: Case) -> None:
    assert list(render(cite(case.answer), channel("sms")).parts) == [text for _, text in case.messages]
    assert (
        render(cite(case.answer), channel("twilio-sms")).parts
        == render(cite(case.answer), channel("sms")).parts
    )
    for cost, text in case.messages:
        split = smsutil.split(text)
        gsm = split.encoding == "gsm0338"
        counted = f"{'GSM-7' if gsm else 'UCS-2'}, {split.total_bytes // (1 if gsm else 2)} units"
        segments = len(split.parts)
        assert cost == f"{counted}, {segments} segment{'s' if segments > 1 else ''}"
        assert sms_segments(text).count == segments


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_markdown_reading_leaves_numbers_titles_and_urls(case: Case) -> None:
    cited = cite(case.answer)
    read = strip_tags("\n\n".join(text for _, text in case.messages))
    for use in cited.uses:
        assert "".join(f"({position})" for position in use.positions) in read
    for definition in define(cited, ENGLISH, pages=False):
        assert f"({definition.label}) " in read
        if definition.is_url:
            assert definition.destination.replace("_draft_", "%5Fdraft%5F") in read
        assert re.findall(r"\w+", definition.title.replace("’", "'")) == [
            word for word in re.findall(r"\w+", definition.title.replace("’", "'")) if word in read
        ]


@pytest.mark.parametrize("name", ordinary_answers())
def test_all_words_of_an_answer_are_there_in_order(name: str) -> None:
    cited = cite(ordinary_answers()[name])
    bare = html.unescape(with_marks(cited, lambda _: " "))
    for to in ("sms", "telegram", "email", "no-such-channel"):
        rendering = render(cited, channel(to))
        said = "\n\n".join(rendering.parts or (rendering.text,))
        said = strip_tags(said) if to == "email" else said
        words = iter(re.findall(r"\w+", said))
        missing = [word for word in re.findall(r"\w+", strip_tags(bare)) if word not in words]
        assert missing == []


def test_ten_kilobytes() -> None:
    text = "\n\n".join(answer.text for answer in ordinary_answers().values())[:10_000]
    rendering = rendered(text, *(Reference(id=str(n), url=f"https://example.com/{n}") for n in range(1, 9)))
    assert len(rendering.parts) > 30
    hints = [number for number, part in enumerate(rendering.parts, 1) if "Reply MORE" in part]
    assert hints == list(range(4, len(rendering.parts), 4))


WORDS = [
    ("emphasis and headings", "## A **bold** _claim_\n\nand `code`", "A bold claim\n\nand code"),
    ("a link that may stay", "See [the guide](https://example.com/g).", "See the guide (https://example.com/g)."),
    ("a foreign link keeps its words", "See [the guide](https://evil.example/g).", "See the guide."),
    ("an address is its own words", "<https://evil.example/g>", "https://evil.example/g"),
    ("an image is what describes it", "![a *red* door](https://evil.example/p.png)", "a red door"),
    ("lists", "- a\n- b\n\n3. c\n4. d", "- a\n- b\n\n3. c\n4. d"),
    ("a quotation", "> one\n> two", "> one\n> two"),
    ("a table", "| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n\n1 | 2"),
    ("escapes and entities", "2 \\* 3 &lt; 7 &amp; &auml;", "2 * 3 < 7 & ä"),
    ("a tag that a Markdown reading would eat", "Use `<div>` or <b>", "Use < div> or < b>"),
    ("a target that it would eat", "`a[i](j)` and \\[x\\](y)", "a[i] (j) and [x] (y)"),
    ("a definition that it would eat", "```\n[x]: https://example.com\n```", "[x] : https://example.com"),
    ("a line that was broken stays so", "one\ntwo", "one\ntwo"),
    ("deeper than anybody writes", "> " * 60 + "deep", "> " * 60 + "deep"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in WORDS], ids=[case[0] for case in WORDS])
def test_markdown_becomes_words(text: str, expected: str) -> None:
    hosts = frozenset({"example.com"})
    assert render(cite(Answer(text=text)), channel("sms"), live_hosts=hosts).text == expected


PLACES = [
    ("a number behind a word stands apart", "A word[1].", "A word (1)."),
    ("numbers side by side", "A word[1][2].", "A word (1)(2)."),
    ("a page", "A word [1, p. 6].", "A word (1) (p. 6)."),
    ("no spaces in Chinese", "年假[1]。", "年假(1)。"),
    ("in bold", "A **bold [1]** word", "A bold (1) word"),
    ("in a bracket", "A word ([1])", "A word ((1))"),
    ("behind a bracket", "A [sic][1] word", "A [sic] (1) word"),
    ("at the beginning", "[1] says so", "(1) says so"),
    ("in a cell", "| a [1] | b |\n|---|---|", "a (1) | b"),
    ("in front of empty cells", "| a [1] | | |\n|---|---|---|", "a (1)"),
    ("behind an empty cell", "| | a [1] | |\n|---|---|---|", " | a (1)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in PLACES], ids=[case[0] for case in PLACES]
)
def test_numbers_stay_where_they_were(text: str, expected: str) -> None:
    assert rendered(text, GUIDE, BOOK, to="no-such-channel").text.split("\n\n")[0] == expected


def test_an_address_that_no_message_can_hold() -> None:
    long = "https://example.com/" + "x" * 2000
    rendering = rendered(f"Here [1], or {long}", Reference(id="1", name="Long", url=long))
    assert rendering.parts == (
        "Here (1), or example.com/...\n\n(1) Long (its address is too long to be sent here)",
    )


def test_a_source_stays_with_its_address() -> None:
    url = "https://example.com/" + "x" * 1200
    parts = rendered("A word. " * 30 + "[1]", Reference(id="1", name="Long", url=url)).parts
    assert parts[-1] == f"(1) Long: {url}"


def test_labels_come_first_in_words_and_beside_the_sources_that_have_them() -> None:
    assert rendered("Both [1][3].", GUIDE, PLANS, ranking=RANKING).text == (
        "Sensitivity label: Confidential\n\nBoth (1)(2).\n\n"
        "(1) Guide: https://example.com/guide\n\n(2) Plans (Confidential)"
    )
    one = rendered("One [3].", PLANS, ranking=RANKING).text
    assert one == "Sensitivity label: Confidential\n\nOne (1).\n\n(1) Plans"
    none = rendered("None.", PLANS, ranking=RANKING).text
    assert none == "Sensitivity label: Confidential\n\nNone."
    lowest = rendered("One [1].", GUIDE, ranking=RANKING).text
    assert lowest == "One (1).\n\n(1) Guide: https://example.com/guide"


def test_a_label_is_no_markup_in_an_email() -> None:
    text = rendered("None.", Reference(id="1", label="secret"), to="email", ranking=RANKING).text
    assert COMMONMARK.render(text).startswith("<p>Sensitivity label: Secret *Board*</p>")


def test_a_label_is_readable_after_a_markdown_reading_too() -> None:
    text = rendered("None.", Reference(id="1", label="<img src=x> [a](b)")).text
    assert text == "Sensitivity label: < img src=x> [a] (b)\n\nNone."


def test_an_email_has_links_in_its_text_and_a_list_to_be_read() -> None:
    text = rendered(
        "# Set **it** up\n\nAs here [1][2], or [there](https://evil.example).", GUIDE, BOOK, to="email"
    ).text
    assert COMMONMARK.render(text) == (
        "<h1>Set <strong>it</strong> up</h1>\n"
        '<p>As here <a href="https://example.com/guide">(1)</a>(2), or [there](https://evil.example).</p>\n'
        "<p><strong>Sources</strong></p>\n"
        '<p>(1) Guide: <a href="https://example.com/guide">https://example.com/guide</a></p>\n'
        "<p>(2) Book</p>\n"
    )


NEIGHBOURS = [
    "Wow![1]",
    "back\\\\[1]",
    "[sic][1]",
    "[1](x)",
    "[1]: y",
    "| a [1] |\n|---|\n| [1] |",
    "*a*[1]_b_",
    "```\nopen [1]",
]


@pytest.mark.parametrize("url", [GUIDE.url, None])
@pytest.mark.parametrize("text", NEIGHBOURS)
def test_a_badge_in_an_email_joins_no_neighbour(text: str, url: str | None) -> None:
    rendering = rendered(text, replace(GUIDE, url=url), to="email")
    assert {problem.code for problem in rendering.problems} <= {"nothing-cited"}
    assert "<img" not in COMMONMARK.render(rendering.text)


LONG = "A sentence that is said again. " * 400


@pytest.mark.parametrize(
    ("to", "limit"), [(name, row.longest) for name, row in CHANNEL_IDS.items() if row.longest]
)
def test_a_messenger_gets_as_few_messages_as_it_takes(to: str, limit: int) -> None:
    assert len(rendered("Short [1].", GUIDE, to=to).parts) == 1
    parts = rendered(LONG, to=to).parts
    assert all(len(part) <= limit and part.endswith(".") for part in parts)
    assert len(parts) == -(-len(LONG) // (limit // 31 * 31))


SPOKEN = [
    ("no markers", "Set a proxy [1], now[1].", "Set a proxy, now.\nAccording to Guide."),
    ("not in brackets either", "Set a proxy ([1], [2]).", "Set a proxy.\nAccording to Guide and Book."),
    ("no addresses", "See https://example.com/a/b?c, or <https://x.example/y>.", "See example.com, or x.example."),
    ("no markup", "# One\n\n- **two**\n- _three_\n\n> four", "One.\ntwo.\nthree.\nfour."),
    ("no code", "Run `ls`:\n\n```\nls -la\n```\n\nDone", "Run ls:\nDone."),
    ("a table, cell by cell", "| a | b |\n|---|---|\n| 1 | 2 |", "a, b.\n1, 2."),
    ("a line goes on", "one\ntwo", "one two."),
    ("nothing that makes it SSML", "<speak><audio src='https://x.example/x'/></speak> a < b", "a < b."),
    ("an answer in Chinese ends as it does", "年假[1]。", "年假。\nAccording to Guide."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"), [case[1:] for case in SPOKEN], ids=[case[0] for case in SPOKEN]
)
def test_what_is_said_aloud(text: str, expected: str) -> None:
    assert rendered(text, GUIDE, BOOK, to="directlinespeech").speak == expected


def test_speech_is_for_channels_that_speak() -> None:
    speaking = {to: rendered("a", to=to).speak for to in ("alexa", "directlinespeech", "sms", "webchat")}
    assert speaking == {"alexa": None, "directlinespeech": "a.", "sms": None, "webchat": None}
    activity = rendered("One [1].", GUIDE, to="directlinespeech").to_activity()
    assert activity["text"] == "One (1).\n\n(1) Guide: https://example.com/guide"
    assert activity["speak"] == "One.\nAccording to Guide."


def test_many_sources_are_not_all_named() -> None:
    references = [Reference(id=str(number), name=f"Guide {number}") for number in range(1, 6)]
    spoken = rendered("All [1][2][3][4][5].", *references, to="directlinespeech").speak
    assert spoken == "All.\nAccording to Guide 1, Guide 2 and 3 other sources."


def test_a_label_is_said_first() -> None:
    spoken = rendered("One [3].", PLANS, to="directlinespeech", ranking=RANKING).speak
    assert spoken is not None
    assert spoken.startswith("Sensitivity label: Confidential.\nOne")


def test_nothing_but_text_is_sent() -> None:
    activities = [json.loads(json.dumps(activity)) for activity in rendered("a", to="sms").to_activities()]
    assert activities == [{"type": "message", "text": "a", "textFormat": "plain", "entities": []}]
