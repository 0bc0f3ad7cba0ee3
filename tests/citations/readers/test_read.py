"""What suppliers send, read into an answer, or refused with the place of the fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerFormatError,
    Dialect,
    Origin,
    Reference,
    channel,
    cite,
    render,
)
from citations.model import Subquery
from citations.readers import FORMATS, read_answer
from tests.provider_responses import (
    CHATS,
    CITE,
    FILE,
    FILE_REFERENCE,
    NEUTRAL,
    QUESTION,
    TEXT,
    WEB_REFERENCE,
    WRITER,
    assert_read_or_refused,
)


@pytest.mark.parametrize(
    ("data", "expected"), [case[1:] for case in NEUTRAL], ids=[case[0] for case in NEUTRAL]
)
def test_neutral(data: object, expected: Answer) -> None:
    assert read_answer(data) == expected


NEUTRAL_FAULTS: list[tuple[object, str, str]] = [
    (None, "$", "expected object, got null"),
    ([], "$", "expected object, got array"),
    ("a", "$", "expected a JSON object, got text"),
    (" <!DOCTYPE html>", "$", "expected a JSON object, got an HTML page"),
    ({}, "$", "object missing required field text"),
    ({"text": None}, "$.text", "expected str, got null"),
    ({"text": "", "references": {}}, "$.references", "expected array | null, got object"),
    ({"text": "", "references": [{}]}, "$.references[0]", "object missing required field id"),
    ({"text": "", "references": [{"id": "1"}, {"id": "2", "url": 5}]}, "$.references[1].url", "expected str | null, got int"),
    ({"text": "", "references": [{"id": ""}]}, "$.references[0].id", "expected an id, got an empty string"),
    ({"text": "", "references": [{"id": None}]}, "$.references[0].id", "expected int | str, got null"),
    ({"text": "", "references": [{"id": "1", "page": 0}]}, "$.references[0].page", "expected int >= 1"),
    ({"text": "", "references": [{"id": "1", "page": "3"}]}, "$.references[0].page", "expected int | null, got str"),
    ({"text": "", "references": [{"id": "1", "place": {"kind": "cell", "first": 1}}]}, "$.references[0].place.kind", "invalid enum value 'cell'"),
    ({"text": "", "dialect": "latin"}, "$.dialect", "invalid enum value 'latin'"),
    ({"text": "", "\ud800": 1}, "$", "a key, or a name, has half of a surrogate pair"),
    ({"text": "", "dialect": "\ud800"}, "$", "a key, or a name, has half of a surrogate pair"),
    ({"text": "", "kind": "maybe"}, "$.kind", "invalid enum value 'maybe'"),
    ({"text": "", "query": "SELECT 1"}, "$.query", "expected object | null, got str"),
    ({"text": "", "query": {"language": "sql"}}, "$.query", "object missing required field text"),
    ({"text": "", "origin": {"generated": "no"}}, "$.origin.generated", "expected bool, got str"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "path", "message"), NEUTRAL_FAULTS)
def test_what_is_no_neutral_answer(data: object, path: str, message: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        read_answer(data)
    assert (caught.value.path, str(caught.value)) == (path, f"{path}: {message}")


def test_writers_inline_citations() -> None:
    answer = FORMATS["writer"].read(QUESTION)
    assert answer == Answer(
        text=TEXT,
        references=(FILE_REFERENCE, WEB_REFERENCE),
        dialect=Dialect.NAMED_LINK,
        origin=Origin(provider="Writer"),
    )
    rendering = render(cite(answer), channel("webchat"))
    assert rendering.problems == ()
    assert rendering.text == (
        "Tools [1]. Trends [2].\n\n"
        '[1]: cite:1 "Acme-Product-Catalog.pdf, p. 12"\n'
        '[2]: https://example.com/trends "Industry Trends Report"'
    )


@pytest.mark.parametrize(
    ("data", "expected"), [case[1:] for case in WRITER], ids=[case[0] for case in WRITER]
)
def test_writer(data: object, expected: tuple[Reference, ...]) -> None:
    answer = FORMATS["writer"].read(data)
    assert answer.references == expected
    assert answer.text == TEXT


@pytest.mark.parametrize(
    ("data", "text", "references"), [case[1:] for case in CHATS], ids=[case[0] for case in CHATS]
)
def test_a_chat_with_writer(data: object, text: str, references: tuple[Reference, ...]) -> None:
    answer = FORMATS["writer"].read(data)
    assert (answer.text, answer.references, answer.dialect) == (text, references, Dialect.NAMED_LINK)


def test_the_pieces_of_one_answer() -> None:
    pieces = [
        {"question": "What?", "answer": "Tools", "sources": [], "references": None},
        {"question": "What?", "answer": f" [A]({CITE})", "sources": [], "references": {"files": [FILE]}},
    ]
    answer = FORMATS["writer"].read({"data": pieces})
    assert (answer.text, answer.references) == (f"Tools [A]({CITE})", (FILE_REFERENCE,))


def test_the_example_of_the_api_reference() -> None:
    answer = FORMATS["writer"].read(
        {
            "question": "What is the generic name for the drug Bavencio?",
            "answer": "avelumab",
            "sources": [{"file_id": "1234", "snippet": "Bavencio is the brand name for avelumab."}],
        }
    )
    assert answer.text == "avelumab"
    assert answer.references == (
        Reference(id="1234", text="Bavencio is the brand name for avelumab.", complete=True),
    )


WRITER_FAULTS: list[tuple[object, str]] = [
    ("<html>", "$: expected a JSON object, got an HTML page"),
    (None, "$: expected a JSON object, got null"),
    ({"error": "no"}, "$.answer: expected a text"),
    ({"answer": None}, "$.answer: expected a text"),
    ([], "$: expected a response, got an empty array"),
    ({"data": []}, "$.data: expected a response, got an empty array"),
    ({"data": None}, "$.data: expected a JSON object, got null"),
    ([QUESTION, {"answer": 1}], "$[1].answer: expected a text, got int"),
    ({"data": [{"answer": 1}]}, "$.data[0].answer: expected a text, got int"),
    ({"choices": []}, "$.choices: expected a choice, got an empty array"),
]  # fmt: skip


@pytest.mark.parametrize(
    "references",
    [
        [],
        "x",
        {"files": [{"text": "x"}], "web": [{"title": "x"}, {"url": ""}, {"url": 1}, 5]},
        {"files": {"cite": "x"}, "web": None},
    ],
)
def test_what_is_no_reference_of_writer_costs_itself_alone(references: object) -> None:
    assert FORMATS["writer"].read({"answer": "a", "references": references}).references == ()
    file = {"text": 1, "cite": "c", "page": "x"}
    sent = {"answer": "a", "references": {"files": [5, None, file]}}
    assert FORMATS["writer"].read(sent).references == (Reference(id="c", complete=True),)


@pytest.mark.parametrize(("data", "message"), WRITER_FAULTS)
def test_what_is_no_response_of_writer(data: object, message: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        FORMATS["writer"].read(data)
    assert str(caught.value) == message


def test_what_can_be_read_whole_can_be_read_as_a_stream() -> None:
    assert FORMATS.keys() == FORMATS.keys()


keys = st.sampled_from(
    "text references id url answer data files web sources page cite choices message delta content graph_data "
    "type source document metadata name chat history messages currentId".split()
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize("name", sorted(FORMATS))
@given(values)
def test_any_json_is_an_answer_or_has_a_place_of_its_fault(name: str, data: object) -> None:
    assert_read_or_refused(name, data)


def test_the_questions_into_which_writer_broke_one_down_are_kept() -> None:
    asked = [
        {"query": "Which?", "answer": "<think>Hm.</think>This [A](c1)", "sources": []},
        None,
        {"sources": None},
    ]
    answer = FORMATS["writer"].read([{"answer": "So."}, {"answer": "", "subqueries": asked}, {"answer": ""}])
    assert answer.subqueries == (Subquery("Which?", "This [A](c1)"),)
    assert answer.text == "So."


@pytest.mark.parametrize("name", ["writer", "open-webui", "openai", "perplexity", "mistral"])
def test_each_reader_of_chat_completions_takes_an_array_of_parts(name: str) -> None:
    parts = [
        {"type": "thinking", "text": "Hm."},
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}], "closed": True},
        {"type": "text", "text": "It is "},
        {"type": "text", "text": "so."},
    ]
    assert FORMATS[name].read({"choices": [{"message": {"content": parts}}]}).text == "It is so."
