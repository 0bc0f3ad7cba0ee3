"""What render adds to its steps: labels that nothing else shows, ceilings, the last resort."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from citations import (
    Answer,
    AnswerKind,
    Cut,
    LabelRanking,
    QueryKnown,
    Reference,
    ReferencesFound,
    RenderingStream,
    SourceCode,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.model import KindKnown

RANKING = LabelRanking.from_toml(
    """
    default = "general"
    [[label]]
    id = "general"
    name = "General"
    priority = 0
    [[label]]
    id = "secret"
    name = 'Secret\\Board'
    priority = 1
    [ceiling]
    webchat = "general"
    """
)
PUBLIC = Reference(id="1", name="Open", text="The open passage.")
SECRET = Reference(id="2", name="Closed", text="The closed passage.", label="secret")


def test_the_query_of_an_answer_above_the_ceiling_stays_here() -> None:
    def rendered(channel_id: str, *found: Reference) -> tuple[bool, list[str]]:
        answer = Answer(text="It is so [1].", references=found, query=SourceCode("SELECT ?plan", "sparql"))
        rendering = render(cite(answer), channel(channel_id), ranking=RANKING)
        codes = [problem.code for problem in rendering.problems]
        return "SELECT ?plan" in json.dumps(rendering.to_activity()), codes

    assert rendered("webchat", PUBLIC) == (True, [])
    # What was found and isn't cited counts: the query asked for it.
    assert rendered("webchat", PUBLIC, SECRET) == (False, ["answer-withheld", "query-withheld"])
    assert rendered("directline", PUBLIC, SECRET) == (True, [])
    for channel_id in ("msteams", "sms", "email"):
        assert not rendered(channel_id, PUBLIC)[0]


@pytest.mark.parametrize("channel_id", ["webchat", "msteams", "sms"])
def test_a_stream_ends_with_the_query_and_the_thumbs_of_the_whole(channel_id: str) -> None:
    query = SourceCode("SELECT ?plan", "sparql")
    answer = Answer(text="It is so [1].", references=(PUBLIC,), query=query)
    for answer_id in (None, "a1"):
        stream = RenderingStream(channel(channel_id), answer_id=answer_id)
        for event in (
            QueryKnown(SourceCode("SELECT ?draft")),
            TextDelta("It is "),
            ReferencesFound((PUBLIC,)),
            QueryKnown(query),
            TextDelta("so [1]."),
        ):
            stream.feed(event)
            interim = stream.interim()
            # Nobody can be asked about what isn't there yet.
            assert interim is None or "urn:answer" not in json.dumps(interim.to_activity())
        assert stream.close() == render(cite(answer), channel(channel_id), answer_id=answer_id)
        assert stream.cited == cite(answer)


@pytest.mark.parametrize(
    ("channel_id", "data"),
    [
        ("webchat", {"answerKind": "unsure"}),
        ("msteams", {"feedbackLoop": {"type": "default"}, "answerKind": "unsure"}),
        ("sms", {}),
        ("email", {}),
    ],
)
def test_the_kind_of_an_answer_is_for_programs(channel_id: str, data: dict[str, object]) -> None:
    answer = Answer(text="Nearest is [1].", references=(PUBLIC,), kind=AnswerKind.UNSURE)
    shape = channel(channel_id)
    assert render(cite(answer), shape, answer_id="a1").channel_data == data
    stream = RenderingStream(shape, answer_id="a1")
    events = (ReferencesFound((PUBLIC,)), TextDelta("Nearest "), KindKnown(AnswerKind.UNSURE))
    for event in (*events, TextDelta("is [1].")):
        stream.feed(event)
        interim = stream.interim()
        assert interim is None or not interim.channel_data
    assert stream.close() == render(cite(answer), shape, answer_id="a1")
    broken = RenderingStream(shape, answer_id="a1")
    for event in events:
        broken.feed(event)
    assert "answerKind" not in broken.interrupt("It broke off.").channel_data


def test_a_label_that_no_list_shows_is_said_in_words() -> None:
    uncited = cite(Answer(text="Nobody is cited.", references=(PUBLIC, SECRET)))
    markdown = render(uncited, channel("directline"), ranking=RANKING).text
    assert markdown == "Sensitivity label: Secret&#92;Board\n\nNobody is cited."
    assert render(uncited, channel("sms"), ranking=RANKING).text.startswith(
        "Sensitivity label: Secret\\Board\n\n"
    )
    cited = cite(Answer(text="One is [1].", references=(PUBLIC, SECRET)))
    assert render(cited, channel("directline"), ranking=RANKING).text.startswith("One is [1].")


def test_an_unknown_label_is_reported() -> None:
    cited = cite(Answer(text="[1]", references=(Reference(id="1", label="forgotten"),)))
    assert "unknown-label" in {
        problem.code for problem in render(cited, channel("webchat"), ranking=RANKING).problems
    }


def test_an_empty_answer_is_no_error() -> None:
    rendering = render(cite(Answer(text="")), channel("webchat"))
    assert rendering.to_activity() == {
        "type": "message",
        "text": "",
        "textFormat": "markdown",
        "entities": [
            {
                "@context": "https://schema.org",
                "@id": "",
                "@type": "Message",
                "keywords": ["AIGeneratedContent", "AllowCopy"],
                "type": "https://schema.org/Message",
            }
        ],
    }


def test_what_is_missing_of_an_answer_is_said_before_what_is_wrong_with_it() -> None:
    cut = Answer(text="Both [1] and [9].", references=(PUBLIC,), cut=Cut.LENGTH)
    rendering = render(cite(cut), channel("webchat"))
    assert rendering == replace(
        render(cite(replace(cut, cut=None)), channel("webchat")),
        problems=(Cut.LENGTH.problem, *rendering.problems[1:]),
    )
    assert [problem.code for problem in rendering.problems] == ["answer-cut", "unknown-reference"]


def test_an_unknown_channel_gets_plain_text() -> None:
    rendering = render(cite(Answer(text="Both [1].", references=(PUBLIC,))), channel("no-such-channel"))
    assert rendering.to_activity() == {
        "type": "message",
        "text": "Both (1).\n\n(1) Open",
        "textFormat": "plain",
        "entities": [],
    }


OPENED = {
    # The reference, what its link leads to, and its title.
    "a PDF's page": (Reference(id="1", url="https://e.com/a.PDF", page=3), "https://e.com/a.PDF#page=3", "e.com, p. 3"),
    "by its type": (Reference(id="1", url="https://e.com/a", page=3, media_type="application/pdf"), "https://e.com/a#page=3", "e.com, p. 3"),
    "a place that the URL has": (Reference(id="1", url="https://e.com/a.pdf#x", page=3), "https://e.com/a.pdf#x", "e.com, p. 3"),
    "another kind of document": (Reference(id="1", url="https://e.com/a.docx", page=3), "https://e.com/a.docx", "e.com, p. 3"),
    "what a provider added": (Reference(id="1", url="https://e.com/a?utm_source=openai"), "https://e.com/a?utm_source=openai", "e.com"),
    "a bucket": (Reference(id="1", url="s3://b/x/f%20g.pdf", page=3), "cite:1", "f g.pdf, p. 3"),
    "a sandbox": (Reference(id="1", url="sandbox:/mnt/data/a.csv"), "cite:1", "a.csv"),
    "a name": (Reference(id="1", url="gs://b/f.pdf", name="Report"), "cite:1", "Report"),
    "a script": (Reference(id="7", url="javascript:alert(1)"), "cite:1", "7"),
    "a password": (Reference(id="7", url="https://me:secret@e.com/a"), "cite:1", "7"),
}  # fmt: skip


@pytest.mark.parametrize(("reference", "target", "title"), OPENED.values(), ids=OPENED)
def test_only_pages_of_the_web_become_links(reference: Reference, target: str, title: str) -> None:
    cited = cite(Answer(text=f"So [{reference.id}].", references=(reference,)))
    assert render(cited, channel("webchat")).text.endswith(f'\n[1]: {target} "{title}"')
    assert "#page" not in render(cited, channel("sms")).text


def test_a_page_gives_no_url_to_two_citations() -> None:
    references = (
        Reference(id="1", url="https://e.com/a.pdf", page=3),
        Reference(id="2", url="https://e.com/a.pdf#page=3"),
    )
    text = render(cite(Answer(text="So [1][2].", references=references)), channel("webchat")).text
    assert '\n[1]: https://e.com/a.pdf "' in text
    assert '\n[2]: https://e.com/a.pdf#page=3 "' in text
