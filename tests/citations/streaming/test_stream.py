"""Streams, one case at a time: what is held, what is shown, what becomes of a marker without a reference."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from markdown_it import MarkdownIt
from markdown_it.utils import read_fixture_file

from citations import (
    Answer,
    AnswerEvent,
    Dialect,
    LabelRanking,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    RenderingStream,
    SpanFound,
    TextDelta,
    TextReplaced,
    channel,
)
from citations.channels import InterimMode
from citations.model import DialectKnown, Span
from tests.marker_corpus import CORPUS, LINKED, PRIVATE, TOKENS
from tests.normal_html import normal_html
from tests.stream_assertions import assert_sound
from tests.streams import STREAMED, Watched, badges, events, finished, long_answers, pieces, read_aloud, watch

COMMONMARK = MarkdownIt("commonmark").enable("table")
NOTICE = "The answer was interrupted here."
ONE, TWO, THREE = (
    Reference(id=str(number), name=f"Document {number}", url=f"https://example.com/{number}")
    for number in (1, 2, 3)
)
PASSAGE = Reference(id="4", name="Notes", text="A passage.")
LONG_URL = Reference(id="5", name="Search", url="https://example.com/find?q=a&lang=en#top")
FILE = Reference(id="b3c1a2d4-55e0-4d1e", name="File.pdf", text="A passage of it.")
ALL = (ONE, TWO, THREE, PASSAGE, LONG_URL, FILE)


def letter_by_letter(channel_id: str, text: str, references: tuple[Reference, ...] = ALL) -> Watched:
    answer = Answer(text=text, references=references)
    return watch(channel_id, events(answer, list(text)), answer)


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize(("name", "references"), [("links.md", LINKED), ("tokens.md", TOKENS)])
def test_links_and_tokens_end_as_finished_and_show_no_part(
    channel_id: str, name: str, references: tuple[Reference, ...]
) -> None:
    for _, title, given, _ in read_fixture_file(CORPUS / name):
        text = given.translate(PRIVATE)
        watched = letter_by_letter(channel_id, text, references)
        assert_sound(watched)
        whole = finished(channel_id, Answer(text=text, references=references))
        assert watched.final == whole, title
        for sign in ("\ue200", "entity", "turn0s", "oaicite", "†", "##0"):
            shown = [one.text for one in watched.interims if sign in one.text]
            assert sign in whole.text or not shown, title


# What a reader of Teams gets of these, letter by letter; {} stands for U+200B, which nobody sees.
TEAMS = {
    "nothing": ("", ""),
    "white space": (" \n\n", " \n\n"),
    "one marker": ("Blue [1].", "Blue [1]."),
    "at the start": ("[2] is blue.", "[1] is blue."),
    "nothing else": ("[3]", "[1]"),
    "one after another": ("Blue[3][1][2].", "Blue[1][2][3]."),
    "a list": ("Blue [1, 3 ,2].", "Blue [1][2][3]."),
    "a range": ("Blue [1-3].", "Blue [1][2][3]."),
    "double brackets": ("Blue [[2]].", "Blue [1]."),
    "wide brackets": ("Blue 【2】【1†source】.", "Blue [1][2]."),
    "full width": ("Blue ［2］.", "Blue [1]."),
    "words": ("Blue [doc2], [Source 1].", "Blue [1], [2]."),
    "a name": ("Blue [File.pdf](b3c1a2d4-55e0-4d1e).", "Blue [1]."),
    "the same twice": ("Blue [2], green [1], red [2].", "Blue [1], green [2], red [1]."),
    "without a URL": ("Blue [4].", "Blue [1]."),
    "a URL with a query": ("Blue [5].", "Blue [1]."),
    "in parentheses": ("Blue ([1]), (see [2]).", "Blue ([1]), (see [2])."),
    "after a comma": ("Blue,[1] green, [2].", "Blue,[1] green, [2]."),
    "before a mark": ("Blue[1]? Green[2]! Red[3]; [1]]", "Blue[1]? Green[2]! Red[3]; [1]]"),
    "beside a tab": ("Blue\t[1]\tgreen", "Blue\t[1]\tgreen"),
    "beside a line end": ("Blue\n[1]\n[2] green", "Blue\n[1]\n[2] green"),
    "beside an emoji": ("Blue👩‍🔬[1]🎉", "Blue👩‍🔬[1]🎉"),
    "beside Chinese": ("蓝色[1]，绿色【2】。", "蓝色[1]，绿色[2]。"),
    "not a number": ("[abc] [1.5] [-1] [1a]", "[abc] [{}1.5] [-1] [{}1a]"),
    "a number that isn't there": ("[0] [9] [9999]", "[{}0] [{}9] [{}9999]"),
    "some that aren't there": ("Blue [1, 9] [8][2].", "Blue [1] [{}9] \\[{}8][2]."),
    "sixty digits": (f"Blue [{'1' * 60}] [1]", f"Blue [{{}}{'1' * 60}] [1]"),
    "a year, a footnote, a task": ("[2024] [^1] [ ] [x]", "[{}2024] [^1] [ ] [x]"),
    "in code": ("`a[1]` and [2]", "`a[1]` and [1]"),
    "in a block": ("```\na[1]\n```\n[2]", "```\na[1]\n```\n[1]"),
    "between blocks": ("~~~py\na[1]\n~~~\n[2]\n\n    b[3]\n", "~~~py\na[1]\n~~~\n[1]\n\n    b[3]\n"),
    "code in an empty item": ("- -\n\t\twww [1]", "- -\n\t\twww [1]"),
    "code in an empty item of a quote": ("> - -\n> \t\twww", "> - -\n>       www"),
    "an empty item in a fence": ("```\n- -\n\t\twww\n```", "```\n- -\n\t\twww\n```"),
    "HTML in an empty item": ("-\n  <div>", "-\n  &lt;div>"),
    "code that looks like the end of it": ("```\n``` a\n\nb[1]\n", "```\n``` a\n\nb[1]\n```"),
    "an empty quote in an empty item": ("- -\t[^1]\n    >\n", "- - [^1]\n    >"),
    "an item of an ideographic space": ("- blue\n- \u3000\n-      red", "- blue\n- {}\n- ```\n   red\n  ```"),
    "a row that begins with a no-break space": ("| a |\n|--|\n| b |\n\xa0c", "**a**\n\n• b\n\n• c"),
    "a number directly before a name": ("1.[File.pdf](b3c1a2d4-55e0-4d1e)\nred", "1.[1]\nred"),
    "a number whose point is escaped": ("192\\.168 **blue** [1]", "192.168 **blue** [1]"),
    "code of a blank": ("` ` x [1]\nb", "x [1]\nb"),
    "code that stays open": ("`a [1]", "&#96;a [1]"),
    "a block that stays open": ("[1]\n```\na[2]", "[1]\n```\na[2]\n```"),
    "a marker that stays open": ("Blue [1", "Blue [{}1"),
    "a name that stays open": ("Blue [File.pdf](b3c1", "Blue [File.pdf]{}(b3c1"),
    "a link elsewhere": ("[1](https://x.example)", "[{}1]{}(https{}://x.example)"),
    "a definition": ("Blue [1].\n\n[1]: x", "Blue [1].\n\n[{}1]{}: x"),
    "CRLF": ("Blue [1].\r\n\r\n- [2]\r\n", "Blue [1].\n\n- [2]\n"),
}


@pytest.mark.parametrize(("text", "expected"), TEAMS.values(), ids=TEAMS)
def test_letter_by_letter_on_teams(text: str, expected: str) -> None:
    watched = letter_by_letter("msteams", text)
    assert normal_html(watched.final.text) == normal_html(expected.replace("{}", "\u200b"))
    for interim in watched.interims:
        assert watched.final.text.startswith(interim.text), str(watched)


# What has come, and what of it may be shown: the part before the bar.
HELD = (
    "Blue |[",
    "Blue |[1",
    "Blue |[1, ",
    "Blue |[1, 2",
    "Blue |[[1]",
    "Blue |[[1], ",
    "Blue |【1",
    "Blue |【1†sour",
    "Blue |［1",
    "Blue |[doc",
    "Blue |[File.p",
    "Blue |[File.pdf](b3c1a2d4",
    "Blue |[File [final",
    "Blue |![a picture",
    "Blue |`co",
    "Blue |``co`de",
    "Blue |<a href=",
    "Blue |<https://exa",
    "Blue |<!--r> [1]\nred --",
    'Blue |<a href="x>[1]',
    "Blue |[the report](a file (1) of",
    "Blue |[the report](a.pdf)",
    "Blue\n|1.`co\nde",
    "Blue.\n\n|[a]: https",
    "Blue.\n\n|[a\\[]: https",
    "Blue |\\",
)


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("text", HELD)
def test_held_is_what_may_still_become_something_else(text: str, channel_id: str) -> None:
    watched = letter_by_letter(channel_id, text.replace("|", ""))
    shown = text.partition("|")[0].strip()
    assert watched.interims[-1].text.strip() == shown, str(watched)


# What is no definition and no fence any more, though its line has not ended.
DECIDED = (
    "[1]: The rest",
    "[a]:\nhttps://example.com and the rest",
    "~~Blue~~ and",
    "``Blue`` and",
    "__Blue__ and",
)


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("text", DECIDED)
def test_what_can_be_nothing_else_is_shown(text: str, channel_id: str) -> None:
    watched = letter_by_letter(channel_id, text + " of the words.")
    assert_sound(watched)
    shown = letter_by_letter(channel_id, text).interims[-1].text.partition("\n\n[1]: ")[0]
    assert shown.endswith(text[-3:])


STRONG = {
    "**Blue *and* red": "**Blue *and* red**",
    "**Blue, **red": "**Blue, red**",
    "**a " * 8 + "b": f"**{'a ' * 8}b**",
    "**a " * 9 + "b": "&#42;&#42;a " * 9 + "b",
}


@pytest.mark.parametrize(("text", "expected"), STRONG.items())
def test_strong_text_that_is_open_is_strong(text: str, expected: str) -> None:
    assert letter_by_letter("webchat", text).interims[-1].text == expected


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize(
    "text",
    ["a| [banana", "> b\n> a| [banana", "- [ ] a| [banana", "the a| <b title=the a", "- a\n\tb| [banana"],
)
def test_words_that_are_shown_stand_where_they_were_read(text: str, channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id))
    stream.feed(ReferencesFound(ALL))
    stream.feed(TextDelta(text.replace("|", "")))
    stream.interim()
    assert stream.held == len(text.partition("|")[2])


def test_no_span_gets_a_badge_above_what_may_become_the_title_of_a_definition() -> None:
    answer = Answer(
        text="[F]:>\n'i'\nF",
        references=ALL,
        dialect=Dialect.NONE,
        spans=(Span(4, 4, ("2",)), Span(3, 8, ("1",)), Span(11, 11, ("1",))),
    )
    stream = RenderingStream(channel("msteams"), dialect=Dialect.NONE)
    stream.feed(ReferencesFound(ALL, complete=True))
    stream.feed(DialectKnown(Dialect.NONE, spans_at_end=False))
    behind = 0
    for span in answer.spans:
        stream.feed(TextDelta(answer.text[behind : span.end]))
        stream.feed(SpanFound(span.start, span.end, span.ids))
        stream.interim()
        behind = span.end
    assert stream.close().text == finished("msteams", answer).text


FREE = (
    "Blue", "Blue ", "Blue, green and", "It costs 3.50", "It is 3 < 4", "version 3.11.2", "snake_case", "a * b", "**bold",
    "*it", "Is it?", "What now!", "a > b", "(in parentheses", "- item", "1. item", "# Heading", "> quote", "AT&T and", "x = 3",
    "50 % of", "日本語です。", "العربية", "👩‍🔬 works", "Blue [1] green", "Blue 【1】green", "Blue [1], [2] and", "$x^2",
    "it's", "~40 minutes", "e.g. this", "a/b", "one\ntwo", "one\n\ntwo", "- a\n- b", "```\na = b[1] <",
)  # fmt: skip
PAIRED = ("**bold", "*it", "# Heading")


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("text", FREE)
def test_all_else_is_shown_at_once(text: str, channel_id: str) -> None:
    if channel_id == "msteams" and text in PAIRED:
        pytest.skip("no pair of marks is cut in two where what is shown stays")
    stream = RenderingStream(channel(channel_id))
    stream.feed(ReferencesFound(ALL))
    for letter in text:
        stream.feed(TextDelta(letter))
        stream.interim()
    assert stream.held <= 1


STAYS = {
    "a list behind a line": "Blue:\n- `green` [1]\n- [2] red\n",
    "a numbered list behind a line": "Blue:\n1. `green` [1]\n2. [2] red\n",
    "numbers within numbers": "1. Blue:\n   1. `green` [1]\n   2. red\n2. grey\n",
    "a heading behind a line": "Blue\n# `green` [1]\nred",
    "a quote behind a line": "Blue\n> `green` [1]\n> [2] red\n",
    "tasks": "- [ ] `blue` [1]\n- [x] green\n",
    "a table behind a line": "Blue\n| `a` | b |\n|:--|---|\n| 1 [1] | 2 |\n| [2] | `3` |\n",
    "a table's row that is none": "| blue | green\nred [1]\n",
    "a line below": "Blue\n- green\n\nred\n---\ngrey\n***\n",
    "a hard line end": "Blue  \ngreen\\\nred [1]\n",
    "entities": "Blue &amp; green &#49; &lt;b&gt; &copy [1]",
    "strong": "Blue **green** ***red*** __grey__ _it_ 2*3*4 [1]",
    "a link": "Blue [the docs](https://x.example/a) and [green][1] [2]",
    "an image": "Blue ![a picture](https://x.example/p.png) [1]",
    "HTML": "Blue <b>green</b> <br> 1 < 2 > 1 [1]\n\n<div>\nred\n</div>\n",
    "an address": "Blue https://x.example/a?b=1 and a@x.example [1]",
    "a number directly in front of a word": "1.**Blue**: [1]\n2.`green`\n",
    "a number alone on a line": "Blue\n2024. Green\n1984\nRed [1]\n",
}


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_letter_by_letter_nothing_is_taken_back(text: str, channel_id: str) -> None:
    watched = letter_by_letter(channel_id, text)
    end = read_aloud(watched.final, channel_id)
    for interim in watched.interims:
        assert end.startswith(read_aloud(interim, channel_id)), (interim.text, str(watched))


def watch_text(channel_id: str, *said: str | tuple[Reference, ...]) -> Watched:
    """An answer of these pieces and references, watched."""
    items = [TextDelta(one) if isinstance(one, str) else ReferencesFound(one) for one in said]
    return watch(channel_id, items, Answer(text=""))


def cited(watched: Watched) -> list[tuple[str, object]]:
    """The positions and names of what the end cites."""
    found = watched.final.entities[0].get("citation", [])
    assert isinstance(found, list)
    return [(str(claim["position"]), claim["appearance"]["name"]) for claim in found]


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize(
    "said",
    [
        ((ONE, TWO), "Blue [2], ", "green [1]."),
        ("Blue ", (ONE, TWO), "[2], green [1]."),
        ("Blue [", (ONE, TWO), "2], green [1]."),
        ("Blue [2], ", (ONE, TWO), "green [1]."),
        ("Blue [2], ", (TWO,), "green [1].", (ONE,)),
        ("Blue [2], ", (ONE,), "green [1].", (TWO,)),
        ("Blue [2], ", "green [1].", (ONE, TWO)),
        ("Blue [2], ", "green [1].", (TWO,), (ONE,)),
    ],
    ids=["before", "in the middle", "in a marker", "between", "in turn", "late", "after", "one by one"],
)
def test_references_before_during_and_after_the_text(
    said: tuple[str | tuple[Reference, ...], ...], channel_id: str
) -> None:
    watched = watch_text(channel_id, *said)
    assert watched.final.text.startswith("Blue [1], green [2].")
    assert cited(watched) == [("1", "Document 2"), ("2", "Document 1")]


def test_a_marker_without_a_reference_keeps_its_number_on_teams() -> None:
    watched = watch_text("msteams", "Blue [7], ", "green [1].", (ONE,))
    assert watched.interims[0].text.startswith("Blue [1]")
    assert watched.final.text == "Blue [1], green [2]."
    assert cited(watched) == [("2", "Document 1")]
    assert [problem.code for problem in watched.final.problems] == ["reference-never-came"]


# What Teams gets where the last reference comes in the middle of a paragraph: what was shown, and what follows
# with its formatting.
LATE_ON_TEAMS = {
    "the reference never came": (
        ("Blue [7] and ", ReferencesFound((ONE,), complete=True), "**green** [1].\n\n- red [7]"),
        "Blue [1] and **green** [2].\n\n- red [1]",
    ),
    "nor that of a name": (
        (
            "Blue [File.pdf](b3c1a2d4-55e0-4d1e) and ",
            ReferencesFound((ONE,), complete=True),
            "**green** [1].",
        ),
        "Blue [1] and **green** [2].",
    ),
    "of two numbers, one had no reference": (
        (ReferencesFound((ONE,)), "Blue [1, 2] and ", ReferencesFound((TWO,)), "**green** [1]."),
        "Blue [1] &#91;{}2&#93; and **green** [1].",
    ),
    "a link had none": (
        (
            DialectKnown(Dialect.NAMED_LINK),
            ReferencesFound((ONE,)),
            "Blue [a](https://x.example/a) and ",
            ReferencesFound((TWO,)),
            "**green** [b](1).",
        ),
        "Blue &#91;a&#93;(https:{}//x.example/a) and **green** b [1].",
    ),
}


@pytest.mark.parametrize(("said", "final"), LATE_ON_TEAMS.values(), ids=LATE_ON_TEAMS)
def test_a_late_reference_changes_nothing_that_teams_shows(
    said: tuple[str | AnswerEvent, ...], final: str
) -> None:
    stream = RenderingStream(channel("msteams"))
    for event in said:
        stream.feed(TextDelta(event) if isinstance(event, str) else event)
        stream.interim()
    rendering = stream.close()
    assert rendering.text == final.replace("{}", "\u200b")
    assert "text-kept" not in [problem.code for problem in rendering.problems]


def test_a_text_that_replaces_what_teams_shows_stands_below_it() -> None:
    """What was replaced before it was shown is never shown."""
    stream = RenderingStream(channel("msteams"))
    for event in (ReferencesFound(ALL), TextDelta("```\na[1]``"), TextReplaced("- green [2]\n- red")):
        stream.feed(event)
        stream.interim()
    stream.feed(TextDelta(" [1]."))
    rendering = stream.close()
    assert rendering.text == "```\na[1]\n```\n\n- green [1]\n\n- red [2]."
    assert [problem.code for problem in rendering.problems] == ["text-not-replaced"]


def test_what_waits_for_its_reference_makes_no_address_of_what_stands_behind_it() -> None:
    stream = RenderingStream(channel("webchat"))
    stream.feed(TextDelta("Blue [7].green"))
    interim = stream.interim()
    assert interim
    assert interim.text == "Blue \u200b&#46;green"


@pytest.mark.parametrize("channel_id", STREAMED)
def test_a_dialect_that_comes_first_says_nothing_about_references(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id))
    for event in (DialectKnown(Dialect.NUMBERED), TextDelta("Blue [2] is.")):
        stream.feed(event)
        stream.interim()
    stream.feed(ReferencesFound(ALL))
    assert badges(stream.close().text) == {"1"}
    assert [one.reference for one in stream.cited.citations] == [TWO]


@pytest.mark.parametrize("channel_id", STREAMED)
def test_the_badge_of_a_late_span_stands_once(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id), dialect=Dialect.NONE)
    text = "Blue is.\n\n- Green"
    for event in (
        DialectKnown(Dialect.NONE, spans_at_end=False),
        ReferencesFound(ALL),
        TextDelta(text[:9]),
        SpanFound(0, text.index("Green"), ("2",)),
        TextDelta(text[9:]),
        TextDelta(" tea."),
    ):
        stream.feed(event)
        interim = stream.interim()
        assert interim is None or interim.text.partition("[1]:")[0].count("[1]") <= 1
    assert stream.close().text.startswith("Blue is.[1]\n\n- Green tea.")


def test_a_line_is_shown_up_to_a_pipe_only_where_that_is_no_other_block() -> None:
    # "```" begins a block of code, "```|`" does not: an info string has no backticks (CommonMark § 4.5).
    text = "a `\n```|` [2]\n"
    answer = Answer(text=text, references=ALL)
    assert letter_by_letter("msteams", text).final.text == finished("msteams", answer).text


def test_no_interim_lists_a_source_whose_number_stands_in_code_alone() -> None:
    watched = letter_by_letter("webchat", "`[1]` is code, and ~~[1]~~ is struck.")
    assert [one.text for one in watched.interims if "~~" not in one.text and "]: " in one.text] == []
    assert "]: " in watched.interims[-1].text


def test_a_marker_without_a_reference_is_text_in_web_chat() -> None:
    watched = watch_text("webchat", "Blue [7], ", "green [1].", (ONE,))
    assert watched.final == finished("webchat", Answer(text="Blue [7], green [1].", references=(ONE,)))
    assert cited(watched) == [("1", "Document 1")]
    for interim in watched.interims:
        assert "]: " not in interim.text or "https://example.com/1" in interim.text


# What a reader of Web Chat has seen when all of it was told, and then of the finished answer, without the
# definitions; {} stands for U+200B, which nobody sees.
LATE = {
    "before any has come": (("Blue [2], green [1].",), "Blue {}, green {}.", "Blue &#91;2], green &#91;1]."),
    "all have come": (("Blue [2], green [1].", (ONE, TWO)), "Blue [1], green [2].", "Blue [1], green [2]."),
    "the first hasn't": (("Blue [2], green [1].", (ONE,)), "Blue {}, green {}.", "Blue &#91;2], green [1]."),
    "the second hasn't": (
        ("Blue [2], green [1].", (TWO,)),
        "Blue [1], green {}.",
        "Blue [1], green &#91;1].",
    ),
    "the first comes last": (
        ("Blue [2], green [1].", (ONE,), (TWO,)),
        "Blue [1], green [2].",
        "Blue [1], green [2].",
    ),
    "one in the middle never comes": (
        ("Blue [1], green [2], red [3], blue [1].", (ONE,), (THREE,)),
        "Blue [1], green {}, red {}, blue [1].",
        "Blue [1], green &#91;2], red [2], blue [1].",
    ),
    "one in a list never comes": (
        ("Blue [1, 2, 3], green [1][3].", (THREE, ONE)),
        "Blue [1], green [1]{}.",
        "Blue [1]{}[2] &#91;2&#93;, green [1]{}[2].",
    ),
    "in a block above": (
        ("Blue [2].\n\nGreen [1].\n\nRed", (ONE,), " [1]."),
        "Blue {}.\n\nGreen {}.\n\nRed {}.",
        "Blue &#91;2].\n\nGreen [1].\n\nRed [1].",
    ),
    "a name": (
        ("Blue [File.pdf](b3c1a2d4-55e0-4d1e), green [1].", (ONE,)),
        "Blue {}, green {}.",
        "Blue File&#46;pdf, green [1].",
    ),
    "some come before the text": (
        ((ONE,), "Blue [1], green [2], ", (THREE,), "red [3]."),
        "Blue [1], green {}, red {}.",
        "Blue [1], green &#91;2], red [2].",
    ),
}


@pytest.mark.parametrize(("said", "shown", "final"), LATE.values(), ids=LATE)
def test_in_web_chat_a_number_is_shown_that_it_keeps(
    said: tuple[str | tuple[Reference, ...], ...], shown: str, final: str
) -> None:
    """The finished answer counts without the markers that no reference came for."""
    watched = watch_text("webchat", *said)
    seen = (watched.interims[-1], watched.final)
    assert [normal_html(one.text.partition("\n\n[1]: ")[0]) for one in seen] == [
        normal_html(text.format(*["\u200b"] * 9)) for text in (shown, final)
    ], str(watched)


@pytest.mark.parametrize("references", [(ONE,), ()])
def test_where_no_others_will_come_none_is_awaited(references: tuple[Reference, ...]) -> None:
    stream = RenderingStream(channel("webchat"))
    stream.feed(TextDelta("Blue [2], green [1]."))
    stream.feed(ReferencesFound((ONE,)))
    interim = stream.interim()
    assert interim
    assert interim.text == "Blue \u200b, green \u200b."
    stream.feed(ReferencesFound(references, complete=True))
    interim = stream.interim()
    assert interim
    assert interim.text == stream.close().text


def test_where_no_others_will_come_teams_gets_no_number_without_a_claim() -> None:
    stream = RenderingStream(channel("msteams"))
    stream.feed(TextDelta("Blue"))
    stream.feed(ReferencesFound((ONE,), complete=True))
    stream.feed(TextDelta(" [2], green [1]."))
    rendering = stream.close()
    assert normal_html(rendering.text) == normal_html("Blue &#91;2], green [1].")
    assert rendering.problems[0].code == "unknown-reference"


@pytest.mark.parametrize("channel_id", STREAMED)
def test_no_reference_ever_comes(channel_id: str) -> None:
    watched = watch_text(channel_id, "Blue [1] and ", "[Name](b3c1a2d4-55e0-4d1e).")
    assert cited(watched) == []
    assert "](" not in watched.final.text


@pytest.mark.parametrize("channel_id", STREAMED)
def test_a_link_to_nowhere_waits_for_no_reference(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id), dialect=Dialect.NAMED_LINK)
    stream.feed(TextDelta("Blue [x]() and [green](2). "))
    stream.interim()
    for reference in (ONE, TWO):
        stream.feed(ReferencesFound((reference,)))
        stream.interim()
    stream.close()
    assert [citation.reference for citation in stream.cited.citations] == [TWO]


@pytest.mark.parametrize("channel_id", STREAMED)
def test_a_number_goes_to_the_source_that_was_first_to_have_it(channel_id: str) -> None:
    other = replace(ONE, name="Another", url="https://example.com/other")
    watched = watch_text(channel_id, (ONE,), "Blue [1], ", (other,), "green [1].")
    assert cited(watched) == [("1", "Document 1")]


@pytest.mark.parametrize("channel_id", STREAMED)
def test_a_piece_without_text_is_nothing(channel_id: str) -> None:
    """Models begin with one; references that come next still come before the text."""
    answer = Answer(text="In [2024], [9] and [1].", references=ALL)
    watched = watch_text(channel_id, "", ALL, "", "In [2024], ", "", "[9] and [1].", "")
    assert watched.final == finished(channel_id, answer), str(watched)


@pytest.mark.parametrize("channel_id", STREAMED)
def test_streams_share_nothing(channel_id: str) -> None:
    first, second = (RenderingStream(channel(channel_id)) for _ in range(2))
    first.feed(ReferencesFound((ONE, TWO)))
    second.feed(ReferencesFound((THREE,)))
    first.feed(TextDelta("Blue [2]"))
    second.feed(TextDelta("Green [3]"))
    first.feed(TextDelta(" [1]."))
    second.feed(TextDelta(" [1]."))
    assert [claim.reference for claim in _closed(first).cited.citations] == [TWO, ONE]
    assert [claim.reference for claim in _closed(second).cited.citations] == [THREE]


def _closed(stream: RenderingStream) -> RenderingStream:
    stream.close()
    return stream


@pytest.mark.parametrize("channel_id", STREAMED)
def test_nothing_new_is_not_shown_again(channel_id: str) -> None:
    stream = RenderingStream(channel(channel_id))
    assert stream.interim() is None
    stream.feed(ReferencesFound(ALL))
    assert stream.interim() is None
    stream.feed(TextDelta("Blue sky"))
    assert stream.interim()
    assert stream.interim() is None
    stream.feed(TextDelta(""))
    assert stream.interim() is None


def test_it_says_what_it_cited_once_it_is_closed() -> None:
    stream = RenderingStream(channel("webchat"))
    stream.feed(OriginKnown(Origin(slogan="Said by a test")))
    stream.feed(TextDelta("Blue."))
    with pytest.raises(RuntimeError):
        _ = stream.cited
    stream.close()
    assert stream.cited.origin.slogan == "Said by a test"


@pytest.mark.parametrize(
    ("channel_id", "interim"),
    [
        ("webchat", InterimMode.REPLACING),
        ("directline", InterimMode.REPLACING),
        ("emulator", InterimMode.REPLACING),
        ("msteams", InterimMode.APPEND_ONLY),
        ("sms", None),
        ("slack", None),
    ],
)
def test_who_streams_how(channel_id: str, interim: InterimMode | None) -> None:
    assert channel(channel_id).interim is interim


def test_the_passage_above_a_ceiling_is_in_no_interim() -> None:
    ranking = LabelRanking.from_toml(
        '[[label]]\nid = "public"\nname = "Public"\npriority = 0\n'
        '[[label]]\nid = "secret"\nname = "Secret"\npriority = 1\n[ceiling]\nwebchat = "public"\nmsteams = "public"\n'
    )
    secret = Reference(id="1", name="Plan", text="The moon.", label="secret")
    for channel_id in STREAMED:
        stream = RenderingStream(channel(channel_id), ranking=ranking)
        stream.feed(ReferencesFound((secret,)))
        for letter in "We go there [1], soon.":
            stream.feed(TextDelta(letter))
            assert "moon" not in repr(stream.interim())
        assert "moon" not in repr(stream.close())


OPEN = {
    "a sentence": "Blue [1] and gre",
    "a marker": "Blue [1] and [2",
    "a name": "Blue [1] and [File.pdf](b3c1",
    "a code span": "Blue [1] and `gre",
    "emphasis": "Blue [1] and **gre",
    "a fence": "Blue [1].\n\n```py\ngreen = a[1]",
    "a fence with a line end": "Blue [1].\n\n~~~~\ngreen\n",
    "a fence in a list": "- Blue [1]\n  - ```\n    green",
    "a fence in a quote": "> Blue [1]\n> ```\n> green",
    "an opening fence": "Blue [1]\n\n``",
    "indented code": "Blue [1].\n\n    green",
    "a list": "Blue [1]:\n\n- green\n  - r",
    "a numbered list": "Blue [1]:\n1. green\n2.",
    "a quote": "Blue [1].\n\n> green\n> > r",
    "a heading": "Blue [1]\n\n## Gre",
    "an underline": "Blue [1]\n--",
    "a table": "Blue [1]\n\n| a | b |\n|---|---|\n| c | d",
    "a table's header": "Blue [1]\n\n| a | b |\n|--",
    "HTML": "Blue [1]\n\n<div>\ngreen",
    "a comment": "Blue [1]\n\n<!-- green",
    "a tag": "Blue [1] <a hre",
    "a definition": "Blue [1]\n\n[x]: https://x.example",
    "a title": 'Blue [1]\n\n[x]: https://x.example "gre',
    "an escape": "Blue [1] \\",
    "mathematics": "Blue [1] $$\nx",
    "half a line end": "Blue [1].\r",
    "white space": "Blue [1]. \n\n ",
}


@pytest.mark.parametrize("channel_id", STREAMED)
@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_an_interruption_anywhere(text: str, channel_id: str) -> None:
    for end in range(len(text) + 1):
        interrupted(channel_id, Answer(text=text[:end], references=ALL), list(text[:end]))


@pytest.mark.parametrize("channel_id", STREAMED)
def test_an_interruption_of_an_ordinary_answer(channel_id: str) -> None:
    chance = Random(1)
    for answer in long_answers():
        for end in chance.sample(range(len(answer.text)), 12):
            interrupted(channel_id, answer, pieces(answer.text[:end], [end // 2]))


def interrupted(channel_id: str, answer: Answer, said: list[str]) -> None:
    """Tell it, interrupt it: the notice is a paragraph of its own below what came, with its citations."""
    stream = RenderingStream(channel(channel_id), dialect=answer.dialect)
    shown = ""
    for event in events(answer, said):
        stream.feed(event)
        if interim := stream.interim():
            shown = interim.text
    final = stream.interrupt(NOTICE)
    about = f"on {channel_id}, told {said!r}\nshown {shown!r}\nfinal {final.text!r}"
    tokens = COMMONMARK.parse(final.text)
    assert [(token.type, token.level) for token in tokens[-3:]] == [
        ("paragraph_open", 0),
        ("inline", 1),
        ("paragraph_close", 0),
    ], about
    assert tokens[-2].children is not None
    assert "".join(child.content for child in tokens[-2].children) == NOTICE, about
    if channel_id == "msteams":
        assert final.text.startswith(shown), about
    claims = final.entities[0].get("citation", [])
    assert isinstance(claims, list)
    assert {str(claim["position"]) for claim in claims} <= badges(final.text), about
    assert [citation.position for citation in stream.cited.citations] == list(range(1, len(claims) + 1)), (
        about
    )
    if channel_id == "webchat":
        came = Answer(text="".join(said), references=answer.references, dialect=answer.dialect)
        assert claims == finished(channel_id, came).entities[0].get("citation", []), about
