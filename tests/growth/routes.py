"""What is done with an answer: rendered, streamed, read back, checked, doubted, and searched for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace

from bot.conversation.question import find_question
from bot.retrieval.question.completion import complete_question, may_lean
from bot.retrieval.question.kind import classify_question, find_task
from bot.retrieval.words import detect, split_words, stem_words
from bot.retrieval.words.language import find_smalltalk_language, is_smalltalk
from citations import (
    Answer,
    Dialect,
    ReferencesFound,
    RenderingStream,
    Span,
    TextDelta,
    channel,
    check,
    cite,
    read_message,
    render,
)
from citations.doubts import find_doubts

Route = Callable[[Answer], object]
PACE = 100
"""Characters from one interim to the next."""
_DEFINITION = '\n\n[1]: https://example.com/1 "One"'


def _rendered(channel_id: str) -> Route:
    return lambda answer: render(cite(answer), channel(channel_id))


def _streamed(channel_id: str) -> Route:
    def run(answer: Answer) -> None:
        stream = RenderingStream(channel(channel_id))
        stream.feed(ReferencesFound(answer.references))
        for start in range(0, len(answer.text), PACE):
            stream.feed(TextDelta(answer.text[start : start + PACE]))
            stream.interim()
        stream.close()

    return run


def _activity(answer: Answer) -> dict[str, object]:
    """A message with the text as it is: as another bot would write it."""
    source = answer.references[0]
    document = {"@type": "DigitalDocument", "name": source.name, "url": source.url, "text": source.text}
    claim = {"@type": "Claim", "@id": source.url, "position": "1", "appearance": document}
    graph = {
        "@context": "https://schema.org",
        "@id": "",
        "@type": "Message",
        "type": "https://schema.org/Message",
    }
    entities = [{**graph, "citation": [claim]}]
    return {"type": "message", "text": answer.text + _DEFINITION, "entities": entities}


def _checked(channel_id: str) -> Route:
    return lambda answer: check(_activity(answer), channel_id=channel_id, complete=True)


def _anchored(answer: Answer) -> None:
    places = range(0, len(answer.text), PACE)
    spans = tuple(Span(start, min(start + 30, len(answer.text)), ("1",), start % 3 == 0) for start in places)
    render(cite(replace(answer, dialect=Dialect.NONE, spans=spans)), channel("webchat"))


def _searched(answer: Answer) -> None:
    """A question: found in its message, completed, and divided into words."""
    mention = SimpleNamespace(
        text="<at>Bot</at>", name="Bot", is_bot=True, type="mention", additional_properties={}
    )
    message = SimpleNamespace(
        text=answer.text,
        text_format="xml",
        channel_id="msteams",
        entities=[mention],
        recipient=SimpleNamespace(id="1"),
    )
    find_question(message)
    for question in (answer.text, f"and {answer.text}?", f"In Zurich {answer.text}"):
        complete_question(question, ["What is the hotel limit in Zurich?"])
        may_lean(question)
        is_smalltalk(question)
        find_smalltalk_language(question)
        find_task(question)
        classify_question(question)
        detect(question)
        split_words(question)
        stem_words(question, "english")


ROUTES: Mapping[str, Route] = {
    **{one: _rendered(one) for one in ("webchat", "msteams", "email", "sms", "directlinespeech")},
    "stream to webchat": _streamed("webchat"),
    "stream to msteams": _streamed("msteams"),
    "read": lambda answer: read_message(_activity(answer)),
    "check webchat": _checked("webchat"),
    "check msteams": _checked("msteams"),
    "doubts": lambda answer: find_doubts(cite(answer), "Are 50 days enough?"),
    "spans": _anchored,
    "search": _searched,
}
"""``directlinespeech`` is spoken."""
