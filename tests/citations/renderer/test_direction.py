"""No control that turns the writing leaves, wherever it came from and however it was written."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from citations import Answer, LabelRanking, Reference, RenderingStream, channel, cite, render
from citations.channels import channel_ids
from citations.inspection.activities import read_activity
from citations.model import Origin, Place, PlaceKind, QuestionsSuggested, SensitivityLabel, SourceCode
from citations.readers import write_answer
from tests.depth import examples
from tests.strategies import PLAIN
from tests.stream_assertions import assert_any_stream_is_sound
from tests.streams import events, pieces

NINE = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
FORMS = (
    *NINE,
    *(f"&#{ord(one)};" for one in NINE),
    *(f"&#x{ord(one):x};" for one in NINE),
    "\\\u202e",
    "`\u2066`",
)
LABELS = LabelRanking.from_toml(
    """
    [[label]]
    id = "secret"
    name = "Se\\u202ecret"
    priority = 1
    description = "For \\u2066few"
    [ceiling]
    sms = "public"
    [[label]]
    id = "public"
    name = "Public"
    priority = 0
    """
)
turned = st.lists(st.sampled_from((*FORMS, *PLAIN, "[1]", "[2]", "~", "``")), max_size=12).map("".join)
answers = st.builds(
    Answer,
    text=turned.map(lambda text: f"Blue {text} [1] and [2]."),
    references=st.tuples(
        st.builds(
            Reference,
            id=st.just("1"),
            name=turned,
            url=st.sampled_from(
                ("https://example.com/1", "https://example.com/\u202e1", "cite:\u202e", None)
            ),
            text=turned,
            place=st.builds(Place, kind=st.just(PlaceKind.ROW), first=st.just(2), sheet=turned),
            editor=turned,
            label=st.one_of(
                st.sampled_from((None, "secret", "\u202epublic")),
                st.builds(SensitivityLabel, id=turned, name=turned, description=turned, color=turned),
            ),
            document_url=st.just("https://example.com/\u202ed"),
            media_type=turned,
            modified=turned,
        ),
        st.builds(Reference, id=turned, name=turned),
    ),
    origin=st.builds(Origin, slogan=st.one_of(st.none(), turned), provider=turned, url=turned),
    query=st.builds(SourceCode, text=turned, language=turned),
)
_MARKDOWN = MarkdownIt("commonmark").enable("table")


def strings(value: Any, name: str = "") -> Iterator[str]:
    """All strings of a JSON value, those of a card in a string, and what is shown of those that are Markdown."""
    if isinstance(value, dict):
        yield from value
        # Plain text has no character references.
        value = {
            "said" if key == "text" and value.get("textFormat") == "plain" else key: one
            for key, one in value.items()
        }
        yield from (one for key, item in value.items() for one in strings(item, key))
    elif isinstance(value, list | tuple):
        yield from (one for item in value for one in strings(item, name))
    elif isinstance(value, str):
        yield value
        if name in ("text", "abstract"):
            yield html.unescape(_MARKDOWN.render(value))
        if value.startswith("{"):
            yield from strings(json.loads(value))


def assert_straight(value: Any) -> None:
    for one in strings(value):
        assert not set(one) & set(NINE), ascii(one)


@examples(60)
@given(answers, st.sampled_from(sorted(channel_ids())), st.booleans(), st.integers(0, 9))
@example(Answer(text="~\u202e~~ [1]", references=(Reference(id="1"),)), "webchat", False, 0)
def test_nothing_that_leaves_turns_the_writing(answer: Answer, name: str, cards: bool, cut: int) -> None:
    there = channel(name, cards=cards)
    assert_straight(render(cite(answer), there, ranking=LABELS).to_activities())
    stream = RenderingStream(there, ranking=LABELS)
    for event in events(answer, pieces(answer.text, (cut, cut + 1, cut + 5))):
        stream.feed(event)
        if interim := stream.interim():
            assert_straight(interim.to_activity())
    stream.feed(QuestionsSuggested("More\u202e", ("What\u2067 next?",)))
    assert_straight(stream.close().to_activities())


@examples(60)
@given(turned, turned, turned)
def test_what_is_read_of_a_message_is_straight(text: str, name: str, passage: str) -> None:
    claim = {
        "@type": "Claim",
        "position": "1",
        "appearance": {"@type": "DigitalDocument", "name": name, "text": passage, "editor": name},
    }
    activity = {
        "type": "message",
        "text": f'Blue[1] {text}\n\n[1]: cite:1 "T&#x202e;\u202e"',
        "entities": [
            {
                "@context": "https://schema.org",
                "@type": "Message",
                "@id": "",
                "type": "https://schema.org/Message",
            }
            | {"citation": [claim]}
        ],
    }
    written = write_answer(read_activity(activity))
    assert not set(json.dumps(written, ensure_ascii=False)) & set(NINE)


@pytest.mark.parametrize("text", ["~\ufeff~~ a [1]", "~~\u202e~ a [1]", "`\u2066``\n[1]", "<\x00!-- a [1]"])
def test_signs_that_a_control_divides_do_not_join(text: str) -> None:
    answer = Answer(text=text, references=(Reference(id="1", url="https://example.com/1"),))
    shown = _MARKDOWN.render(render(cite(answer), channel("webchat")).text)
    assert ">1</a>" in shown
    assert "<code>" not in shown
    for name in ("webchat", "msteams"):
        for cut in range(len(text) + 1):
            assert_any_stream_is_sound(answer, name, [cut / len(text)], 0.5)
