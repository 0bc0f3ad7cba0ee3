"""What suppliers send, read into an answer, or refused with the place of the fault."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations import (
    Answer,
    AnswerFormatError,
    Dialect,
    Origin,
    Reference,
    SourceCode,
    Subquery,
    channel,
    cite,
    render,
)
from citations.readers import READERS, STREAM_READERS, read_answer, read_writer

NEUTRAL: list[tuple[str, Any, Answer]] = [
    ("only a text", {"text": "Hello."}, Answer(text="Hello.")),
    ("an empty text", {"text": ""}, Answer(text="")),
    (
        "everything",
        {
            "text": "a [1]",
            "dialect": "numbered",
            "origin": {"slogan": "Quoted", "url": "https://example.com/", "generated": False},
            "query": {"text": "SELECT ?x\nWHERE {}", "language": "sparql"},
            "references": [
                {
                    "id": "1",
                    "name": "One",
                    "url": "https://example.com/1",
                    "text": "A passage.",
                    "page": 3,
                    "label": "general",
                    "media_type": "text/plain",
                    "modified": "2024-03-01",
                    "editor": "William",
                    "document_url": "https://example.com/1.pdf",
                }
            ],
        },
        Answer(
            text="a [1]",
            dialect=Dialect.NUMBERED,
            origin=Origin(slogan="Quoted", url="https://example.com/", generated=False),
            query=SourceCode("SELECT ?x\nWHERE {}", "sparql"),
            references=(
                Reference(
                    id="1",
                    name="One",
                    url="https://example.com/1",
                    text="A passage.",
                    page=3,
                    label="general",
                    media_type="text/plain",
                    modified="2024-03-01",
                    editor="William",
                    document_url="https://example.com/1.pdf",
                ),
            ),
        ),
    ),
    (
        "a number for an id",
        {"text": "", "references": [{"id": 7}]},
        Answer(text="", references=(Reference(id="7"),)),
    ),
    (
        "named links",
        {"text": "", "dialect": "named-link"},
        Answer(text="", dialect=Dialect.NAMED_LINK),
    ),
    (
        "null and empty strings are absent",
        {
            "text": "",
            "references": [{"id": "1", "name": None, "url": "", "label": " "}],
            "dialect": None,
            "origin": None,
            "query": None,
        },
        Answer(text="", references=(Reference(id="1"),)),
    ),
    (
        "a right to extract, and a name alone",
        {"text": "", "references": [{"id": "1", "extract": True}, {"id": "2", "only_named": True}]},
        Answer(text="", references=(Reference(id="1", extract=True), Reference(id="2", only_named=True))),
    ),
    ("a query without a text", {"text": "", "query": {"text": " ", "language": "sql"}}, Answer(text="")),
    (
        "a query without a language",
        {"text": "", "query": {"text": "x"}},
        Answer(text="", query=SourceCode("x")),
    ),
    ("no references", {"text": "", "references": None}, Answer(text="")),
    (
        "keys that nobody knows",
        {"text": "", "model": "x", "references": [{"id": "1", "score": 0.3}], "origin": {"model": "x"}},
        Answer(text="", references=(Reference(id="1"),)),
    ),
]


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
    ({"text": "", "dialect": "latin"}, "$.dialect", "invalid enum value 'latin'"),
    ({"text": "", "\ud800": 1}, "$", "a key, or a name, has half of a surrogate pair"),
    ({"text": "", "dialect": "\ud800"}, "$", "a key, or a name, has half of a surrogate pair"),
    ({"text": "", "query": "SELECT 1"}, "$.query", "expected object | null, got str"),
    ({"text": "", "query": {"language": "sql"}}, "$.query", "object missing required field text"),
    ({"text": "", "origin": {"generated": "no"}}, "$.origin.generated", "expected bool, got str"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "path", "message"), NEUTRAL_FAULTS)
def test_what_is_no_neutral_answer(data: object, path: str, message: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        read_answer(data)
    assert (caught.value.path, str(caught.value)) == (path, f"{path}: {message}")


CITE = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
FILE = {"text": "Precision equipment.", "fileId": CITE, "score": 0.95, "page": 12, "cite": CITE}
WEB = {
    "text": "Adoption rises.",
    "url": "https://example.com/trends",
    "title": "Industry Trends Report",
    "score": 0.88,
}
TEXT = (
    f"Tools [Acme-Product-Catalog.pdf]({CITE}). Trends [Industry Trends Report](https://example.com/trends)."
)
QUESTION: dict[str, Any] = {
    "question": "What?",
    "answer": TEXT,
    "sources": [],
    "references": {"files": [FILE], "web": [WEB]},
}
FILE_REFERENCE = Reference(id=CITE, text="Precision equipment.", page=12)
WEB_REFERENCE = Reference(
    id="https://example.com/trends",
    url="https://example.com/trends",
    name="Industry Trends Report",
    text="Adoption rises.",
)


def test_writers_inline_citations() -> None:
    answer = read_writer(QUESTION)
    assert answer == Answer(
        text=TEXT,
        references=(FILE_REFERENCE, WEB_REFERENCE),
        dialect=Dialect.NAMED_LINK,
        origin=Origin(slogan="Surfaced with Writer"),
    )
    rendering = render(cite(answer), channel("webchat"))
    assert rendering.problems == ()
    assert rendering.text == (
        "Tools [1]. Trends [2].\n\n"
        '[1]: cite:1 "Acme-Product-Catalog.pdf, p. 12"\n'
        '[2]: https://example.com/trends "Industry Trends Report"'
    )


WRITER: list[tuple[str, Any, tuple[Reference, ...]]] = [
    ("in an envelope", {"data": QUESTION}, (FILE_REFERENCE, WEB_REFERENCE)),
    ("in an array", [QUESTION], (FILE_REFERENCE, WEB_REFERENCE)),
    ("in an array in an envelope", {"data": [QUESTION]}, (FILE_REFERENCE, WEB_REFERENCE)),
    ("no references", {"answer": TEXT, "sources": None, "subqueries": None, "references": None}, ()),
    ("references without lists", {"answer": TEXT, "references": {"files": None, "web": []}}, ()),
    (
        "null among them",
        {"answer": TEXT, "references": {"files": [None, FILE], "web": [None]}},
        (FILE_REFERENCE,),
    ),
    (
        "file_id for fileId",
        {"answer": TEXT, "references": {"files": [{"text": "x", "file_id": "f1", "score": 1}]}},
        (Reference(id="f1", text="x"),),
    ),
    (
        "what isn't cited has its file's id",
        {
            "answer": TEXT,
            "references": {"files": [{"text": "x", "fileId": "f1", "cite": None, "page": None}]},
        },
        (Reference(id="f1", text="x"),),
    ),
    (
        "a page below 1 is none",
        {"answer": TEXT, "references": {"files": [{"text": "x", "cite": "c1", "page": 0}]}},
        (Reference(id="c1", text="x"),),
    ),
    (
        "several snippets of one file",
        {"answer": TEXT, "references": {"files": [FILE, FILE | {"text": "More.", "page": 13}]}},
        (FILE_REFERENCE, Reference(id=CITE, text="More.", page=13)),
    ),
    (
        "only sources",
        {
            "answer": TEXT,
            "sources": [None, {"file_id": "f1", "snippet": "x"}, {"file_id": "f2", "snippet": ""}],
        },
        (Reference(id="f1", text="x"), Reference(id="f2")),
    ),
    (
        "sources that references name already, and those of subqueries",
        {
            "answer": TEXT,
            "sources": [{"file_id": CITE, "snippet": "x"}],
            "subqueries": [
                None,
                {"query": "q", "answer": "a", "sources": [{"file_id": "f1", "snippet": "x"}, None]},
            ],
            "references": {"files": [FILE]},
        },
        (FILE_REFERENCE, Reference(id="f1", text="x")),
    ),
]


@pytest.mark.parametrize(
    ("data", "expected"), [case[1:] for case in WRITER], ids=[case[0] for case in WRITER]
)
def test_writer(data: object, expected: tuple[Reference, ...]) -> None:
    answer = read_writer(data)
    assert answer.references == expected
    assert answer.text == TEXT


def chat(
    content: str | None, graph_data: object = None, part: str = "message", **more: object
) -> dict[str, Any]:
    """A chat completion, as its reference has it."""
    said = {"role": "assistant", "content": content, "graph_data": graph_data} | more
    return {"id": "c1", "model": "palmyra-x5", "choices": [{"index": 0, "finish_reason": "stop", part: said}]}


FOUND = {
    "sources": [{"file_id": "f1", "snippet": "x"}],
    "status": "finished",
    "references": {"files": [FILE]},
}
CHATS: list[tuple[str, Any, str, tuple[Reference, ...]]] = [
    ("with the graph asked", chat(TEXT, FOUND), TEXT, (FILE_REFERENCE, Reference(id="f1", text="x"))),
    ("with the graph not asked", chat("Hello."), "Hello.", ()),
    ("still searching", chat(None, {"status": "processing", "references": None}), "", ()),
    ("a refusal", chat(None, refusal="I can't."), "I can't.", ()),
]


@pytest.mark.parametrize(
    ("data", "text", "references"), [case[1:] for case in CHATS], ids=[case[0] for case in CHATS]
)
def test_a_chat_with_writer(data: object, text: str, references: tuple[Reference, ...]) -> None:
    answer = read_writer(data)
    assert (answer.text, answer.references, answer.dialect) == (text, references, Dialect.NAMED_LINK)


def test_the_pieces_of_one_answer() -> None:
    pieces = [
        {"question": "What?", "answer": "Tools", "sources": [], "references": None},
        {"question": "What?", "answer": f" [A]({CITE})", "sources": [], "references": {"files": [FILE]}},
    ]
    answer = read_writer({"data": pieces})
    assert (answer.text, answer.references) == (f"Tools [A]({CITE})", (FILE_REFERENCE,))


def test_the_example_of_the_api_reference() -> None:
    answer = read_writer(
        {
            "question": "What is the generic name for the drug Bavencio?",
            "answer": "avelumab",
            "sources": [{"file_id": "1234", "snippet": "Bavencio is the brand name for avelumab."}],
        }
    )
    assert answer.text == "avelumab"
    assert answer.references == (Reference(id="1234", text="Bavencio is the brand name for avelumab."),)


WRITER_FAULTS: list[tuple[object, str]] = [
    ("<html>", "$: expected a JSON object, got an HTML page"),
    (None, "$: expected object, got null"),
    ({"error": "no"}, "$: object missing required field answer"),
    ({"answer": None}, "$.answer: expected str, got null"),
    ([], "$: expected a response, got an empty array"),
    ({"data": []}, "$.data: expected a response, got an empty array"),
    ({"data": None}, "$.data: expected object, got null"),
    ([QUESTION, {"answer": 1}], "$[1].answer: expected str, got int"),
    ({"data": [{"answer": 1}]}, "$.data[0].answer: expected str, got int"),
    ({"answer": "", "references": []}, "$.references: expected object | null, got array"),
    (
        {"answer": "", "references": {"files": [FILE, {"text": "x"}]}},
        "$.references.files[1]: expected fileId or cite, got neither",
    ),
    ({"answer": "", "references": {"files": [FILE | {"text": 1}]}}, "$.references.files[0].text: expected str | null, got int"),
    ({"answer": "", "references": {"web": [{"title": "x"}]}}, "$.references.web[0]: object missing required field url"),
    ({"answer": "", "references": {"web": [{"url": ""}]}}, "$.references.web[0].url: expected a URL, got an empty string"),
    (
        {"data": {"answer": "", "references": {"web": [{"url": " "}]}}},
        "$.data.references.web[0].url: expected a URL, got an empty string",
    ),
    ({"choices": []}, "$.choices: expected a choice, got an empty array"),
    ({"choices": [{"message": {"content": 1}}]}, "$.choices[0].message.content: expected str | null, got int"),
    (chat("", {"references": {"files": [{"text": "x"}]}}), "$.choices[0].message.graph_data.references.files[0]: expected fileId or cite, got neither"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), WRITER_FAULTS)
def test_what_is_no_response_of_writer(data: object, message: str) -> None:
    with pytest.raises(AnswerFormatError) as caught:
        read_writer(data)
    assert str(caught.value) == message


def test_what_can_be_read_whole_can_be_read_as_a_stream() -> None:
    assert READERS.keys() == STREAM_READERS.keys()


keys = st.sampled_from(
    "text references id url answer data files web sources page cite choices message delta content graph_data "
    "type source document metadata name chat history messages currentId".split()
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize("name", sorted(READERS))
@given(values)
def test_any_json_is_an_answer_or_has_a_place_of_its_fault(name: str, data: object) -> None:
    try:
        answer = READERS[name](data)
    except AnswerFormatError as error:
        assert error.path.startswith("$")  # noqa: PT017 - the error is one of two right outcomes
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert isinstance(answer, Answer)
        assert all(reference.id for reference in answer.references)


def test_the_questions_into_which_writer_broke_one_down_are_kept() -> None:
    asked = [
        {"query": "Which?", "answer": "<think>Hm.</think>This [A](c1)", "sources": []},
        None,
        {"sources": None},
    ]
    answer = read_writer([{"answer": "So."}, {"answer": "", "subqueries": asked}, {"answer": ""}])
    assert answer.subqueries == (Subquery("Which?", "This [A](c1)"),)
    assert answer.text == "So."
