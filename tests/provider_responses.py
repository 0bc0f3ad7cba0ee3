"""What providers send as one document: responses, and what each is read into."""

from __future__ import annotations

from typing import Any

from citations import Answer, AnswerFormatError, Dialect, Origin, Problem, Reference, SourceCode
from citations.model import Place, PlaceKind
from citations.readers import FORMATS

NEUTRAL: list[tuple[str, Any, Answer]] = [
    ("only a text", {"text": "Hello."}, Answer(text="Hello.")),
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
                    "place": {"kind": "row", "first": 2, "sheet": "S"},
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
                    place=Place(kind=PlaceKind.ROW, first=2, sheet="S"),
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
        {"text": "a", "references": [{"id": 7}]},
        Answer(text="a", references=(Reference(id="7"),)),
    ),
    (
        "named links",
        {"text": "a", "dialect": "named-link"},
        Answer(text="a", dialect=Dialect.NAMED_LINK),
    ),
    (
        "null and empty strings are absent",
        {
            "text": "a",
            "references": [{"id": "1", "name": None, "url": "", "label": " "}],
            "dialect": None,
            "origin": None,
            "query": None,
        },
        Answer(text="a", references=(Reference(id="1"),)),
    ),
    (
        "a right to extract, and a name alone",
        {"text": "a", "references": [{"id": "1", "extract": True}, {"id": "2", "only_named": True}]},
        Answer(text="a", references=(Reference(id="1", extract=True), Reference(id="2", only_named=True))),
    ),
    ("a query without a text", {"text": "a", "query": {"text": " ", "language": "sql"}}, Answer(text="a")),
    (
        "a query without a language",
        {"text": "a", "query": {"text": "x"}},
        Answer(text="a", query=SourceCode("x")),
    ),
    ("no references", {"text": "a", "references": None}, Answer(text="a")),
    (
        "keys that nobody knows",
        {"text": "a", "model": "x", "references": [{"id": "1", "score": 0.3}], "origin": {"model": "x"}},
        Answer(
            text="a",
            references=(Reference(id="1"),),
            problems=(
                Problem("unknown-field", "$.model", "nothing reads this field"),
                Problem("unknown-field", "$.references[0].score", "nothing reads this field"),
                Problem("unknown-field", "$.origin.model", "nothing reads this field"),
            ),
        ),
    ),
]


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


FILE_REFERENCE = Reference(id=CITE, text="Precision equipment.", page=12, complete=True)


WEB_REFERENCE = Reference(
    complete=True,
    id="https://example.com/trends",
    url="https://example.com/trends",
    name="Industry Trends Report",
    text="Adoption rises.",
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
        (Reference(id="f1", text="x", complete=True),),
    ),
    (
        "what isn't cited has its file's id",
        {
            "answer": TEXT,
            "references": {"files": [{"text": "x", "fileId": "f1", "cite": None, "page": None}]},
        },
        (Reference(id="f1", text="x", complete=True),),
    ),
    (
        "a page below 1 is none",
        {"answer": TEXT, "references": {"files": [{"text": "x", "cite": "c1", "page": 0}]}},
        (Reference(id="c1", text="x", complete=True),),
    ),
    (
        "several snippets of one file",
        {"answer": TEXT, "references": {"files": [FILE, FILE | {"text": "More.", "page": 13}]}},
        (FILE_REFERENCE, Reference(id=CITE, text="More.", page=13, complete=True)),
    ),
    (
        "only sources",
        {
            "answer": TEXT,
            "sources": [None, {"file_id": "f1", "snippet": "x"}, {"file_id": "f2", "snippet": ""}],
        },
        (Reference(id="f1", text="x", complete=True), Reference(id="f2", complete=True)),
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
        (FILE_REFERENCE, Reference(id="f1", text="x", complete=True)),
    ),
]


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
    (
        "with the graph asked",
        chat(TEXT, FOUND),
        TEXT,
        (FILE_REFERENCE, Reference(id="f1", text="x", complete=True)),
    ),
    ("with the graph not asked", chat("Hello."), "Hello.", ()),
    ("still searching", chat(None, {"status": "processing", "references": None}), "", ()),
    ("a refusal", chat(None, refusal="I can't."), "I can't.", ()),
]


def assert_read_or_refused(name: str, data: object) -> None:
    """Any JSON is an answer, or has the place of its fault."""
    try:
        answer = FORMATS[name].read(data)
    except AnswerFormatError as error:
        assert error.path.startswith("$")  # noqa: PT017 - the error is one of two right outcomes
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert isinstance(answer, Answer)
        assert all(reference.id for reference in answer.references)
