"""A value of a wrong type is named where it is given, and not where it does harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import citations
import citations.readers
from citations import Answer, Reference, RenderingStream, Span, channel, cite, render
from citations.integrations import turn_messages

WEB_CHAT = channel("webchat")
UNTYPED: Any = citations
UNTYPED_READERS: Any = citations.readers
UNTYPED_MESSAGES: Any = turn_messages
ANSWER = Answer(text="a [1].", references=(Reference(id="1", name="A"),))


def _feed(event: Any) -> None:
    RenderingStream(WEB_CHAT).feed(event)


WRONG: dict[str, Callable[[], object]] = {
    "Answer.text: expected str, and this is NoneType: None": lambda: UNTYPED.Answer(text=None),
    "Answer.references: expected tuple of Reference, and this is str: '1'": lambda: UNTYPED.Answer(
        text="", references="1"
    ),
    "Answer.references[0]: expected Reference, and this is dict": lambda: UNTYPED.Answer(
        text="", references=[{}]
    ),
    "Answer.spans[1]: expected Span, and this is tuple": lambda: UNTYPED.Answer(
        text="", spans=(Span(0, 1, ("1",)), (0, 1))
    ),
    "Answer.dialect: expected Dialect or None, and this is str": lambda: UNTYPED.Answer(
        text="", dialect="numbered"
    ),
    "Reference.id: expected str, and this is int: 1": lambda: UNTYPED.Reference(id=1),
    "Reference.page: expected int or None, and this is str: '5'": lambda: UNTYPED.Reference(id="1", page="5"),
    "Reference.aliases: expected tuple of str, and this is str: 'a.pdf'": lambda: UNTYPED.Reference(
        id="1", aliases="a.pdf"
    ),
    "Span.ids[0]: expected str, and this is int: 1": lambda: UNTYPED.Span(0, 1, (1,)),
    "TextDelta.text: expected str, and this is bytes": lambda: UNTYPED.TextDelta(b"x"),
    "cite takes an Answer": lambda: UNTYPED.cite("a [1]."),
    "render takes what cite returns": lambda: UNTYPED.render(ANSWER, WEB_CHAT),
    'expected a channel, such as channel("webchat")': lambda: UNTYPED.render(cite(ANSWER), "webchat"),
    "references: expected a list of Reference, and this is Reference": lambda: UNTYPED_MESSAGES.cite_message(
        "", ANSWER.references[0]
    ),
    "documents: expected a list of Reference, and this is Reference": lambda: (
        UNTYPED_READERS.FORMATS["anthropic"]
        .where(documents=ANSWER.references[0])
        .read({"type": "message", "content": []})
    ),
    "documents[0]: expected Reference, and this is dict": lambda: (
        UNTYPED_READERS.FORMATS["mistral"]
        .where(documents=[{}])
        .read({"choices": [{"message": {"content": "a"}}]})
    ),
    "live_hosts is a set of hosts": lambda: UNTYPED.render(cite(ANSWER), WEB_CHAT, live_hosts="example.com"),
    "ranking is a LabelRanking": lambda: UNTYPED.render(cite(ANSWER), WEB_CHAT, ranking="labels.toml"),
    "feed takes bytes": lambda: list(UNTYPED_READERS.FORMATS["openai"].stream().feed("data: {}")),
    "channel takes the id of a channel": lambda: UNTYPED.channel(None),
    "feed takes an event, such as TextDelta(text), and this is str": lambda: _feed("x"),
    "feed takes an event, such as TextDelta(text), and this is Reference": lambda: _feed(
        ANSWER.references[0]
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_value_of_a_wrong_type_is_named_with_its_place(message: str) -> None:
    with pytest.raises(TypeError) as raised:
        WRONG[message]()
    assert str(raised.value).startswith(message)


def test_a_list_may_stand_for_a_tuple() -> None:
    answer = Answer(text="a [1].", references=list(ANSWER.references))  # type: ignore[arg-type]
    assert render(cite(answer), WEB_CHAT).text == render(cite(ANSWER), WEB_CHAT).text
