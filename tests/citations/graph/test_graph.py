"""A cited answer as a Schema.org Message."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from citations import Answer, LabelRanking, Origin, Reference, SensitivityLabel, SourceCode
from citations.graph.web_chat_message import MAX_ABSTRACT, MAX_PASSAGE, MAX_QUERY
from tests.depth import examples
from tests.normal_html import normal_html
from tests.rendering_promises import assert_blank_node_ids_are_ours, described
from tests.sample_message import ORIGIN, RANKING, SAMPLE, SOURCES
from tests.strategies import answers, hostile_texts, names


def documents(*references: Reference, **options: Any) -> list[dict[str, Any]]:
    """The appearances of an answer that cites each of these."""
    text = " ".join(f"[{number}]" for number in range(1, len(references) + 1))
    message = described(Answer(text=text, references=references), **options)
    return [claim["appearance"] for claim in message["citation"]]


def test_the_sample_of_the_documentation() -> None:
    """Web Chat's sample comes out of the same three sources, field for field, but for this.

    - `appearance.name` of the first two: without it the list's row depends on the Markdown title,
      which newer Web Chat takes raw.
    - `encrypted-content`: `EncryptedContent` alone draws no lock.

    `AllowCopy` isn't there, because the message is encrypted.

    In the text, which is not in this graph, the sample has the title "Introduction Configuring …" for
    the third source and another name here; and its zero-width space went through a wrong code page.
    """
    expected = json.loads(SAMPLE.read_text(encoding="utf-8"))
    first, second, third = (claim["appearance"] for claim in expected["citation"])
    first["name"], second["name"] = SOURCES[0].name, SOURCES[1].name
    third["usageInfo"]["keywords"].append("encrypted-content")
    message = described(
        Answer(text="Override[1] [2] where it asks[3].", references=SOURCES, origin=ORIGIN), ranking=RANKING
    )
    assert message == expected
    third_source = message["citation"][2]["appearance"]
    assert list(third_source) == sorted(third_source)
    assert list(message) == list(expected)


def test_an_answer_that_cites_nothing() -> None:
    assert described(Answer(text="Nothing.", origin=Origin(generated=False))) == {
        "@context": "https://schema.org",
        "@id": "",
        "@type": "Message",
        "keywords": ["AllowCopy"],
        "type": "https://schema.org/Message",
    }


def test_only_written_answers_are_generated() -> None:
    assert described(Answer(text="x"))["keywords"] == ["AIGeneratedContent", "AllowCopy"]
    assert described(Answer(text="x", origin=Origin(generated=False)))["keywords"] == ["AllowCopy"]


def test_what_is_encrypted_is_not_offered_for_copying() -> None:
    def keywords(label: str) -> list[str]:
        answer = Answer(text="[1]", references=(SOURCES[0], Reference(id="2", label=label)), origin=ORIGIN)
        found: list[str] = described(answer, ranking=RANKING)["keywords"]
        return found

    assert keywords("general") == ["AIGeneratedContent", "AllowCopy"]
    # What was found and isn't cited labels the message too.
    assert keywords("confidential") == ["AIGeneratedContent"]


QUERIES = [
    (
        "as typed",
        SourceCode("SELECT ?x\nWHERE { ?x a <urn:Fern> }\n", "sparql"),
        "SELECT ?x\nWHERE { ?x a <urn:Fern> }\n",
        "sparql",
    ),
    ("no language", SourceCode("SELECT 1"), "SELECT 1", None),
    ("controls", SourceCode("a\r\nb\x00c\ud800\td", "s\u202eql\n"), "a\nbc\td", "sql"),
    ("bidi controls", SourceCode("/*\u202e } \u2066if (admin)\u2069 */"), "/* } if (admin) */", None),
    ("another script", SourceCode("MATCH (f:Farn {name: 'سرخس'})"), "MATCH (f:Farn {name: 'سرخس'})", None),
    ("nothing to see", SourceCode(" \n"), None, None),
]


@pytest.mark.parametrize(
    ("query", "text", "language"), [case[1:] for case in QUERIES], ids=[case[0] for case in QUERIES]
)
def test_the_query(query: SourceCode, text: str | None, language: str | None) -> None:
    code = described(Answer(text="x", query=query)).get("isBasedOn")
    expected = {"@type": "SoftwareSourceCode", "programmingLanguage": language, "text": text}
    assert code == (
        expected if language else {name: expected[name] for name in ("@type", "text")} if text else None
    )


def test_a_long_query_is_cut() -> None:
    code = described(Answer(text="x", query=SourceCode("x" * MAX_QUERY + "y", "z" * 99)))["isBasedOn"]
    assert code["text"] == "x" * (MAX_QUERY - 1) + "…"
    assert len(code["programmingLanguage"]) == 40


def test_every_claim_says_who_interpreted_it() -> None:
    message = described(Answer(text="[1] [2]", references=SOURCES, origin=ORIGIN))
    assert [claim["claimInterpreter"] for claim in message["citation"]] == 2 * [
        {"@type": "Project", "slogan": ORIGIN.slogan, "url": ORIGIN.url}
    ]


ORIGINS = [
    (Origin(slogan="A \u202eslogan\n"), {"@type": "Project", "slogan": "A slogan"}),
    (Origin(slogan="A", url="javascript:alert(1)"), {"@type": "Project", "slogan": "A"}),
    (Origin(slogan=" ", url="https://example.com/"), {"@type": "Project", "url": "https://example.com/"}),
    (Origin(slogan="", url=None), None),
]


@pytest.mark.parametrize(("origin", "expected"), ORIGINS)
def test_interpreters(origin: Origin, expected: dict[str, str] | None) -> None:
    message = described(Answer(text="[1]", references=SOURCES, origin=origin))
    assert message["citation"][0].get("claimInterpreter") == expected


FIELDS = [
    ({"media_type": "text/markdown"}, "encodingFormat", "text/markdown"),
    ({"media_type": "text/html; charset=utf-8"}, "encodingFormat", None),
    ({"media_type": "text"}, "encodingFormat", None),
    ({"media_type": "text/x\n"}, "encodingFormat", None),
    ({"modified": "2024-03-01"}, "dateModified", "2024-03-01"),
    ({"modified": "2024-03-01T15:56Z"}, "dateModified", "2024-03-01T15:56Z"),
    ({"modified": "2024-03-01T15:56:27.000-0800"}, "dateModified", "2024-03-01T15:56:27.000-0800"),
    ({"modified": "2024-13-01"}, "dateModified", None),
    ({"modified": "yesterday"}, "dateModified", None),
    ({"modified": "2024-03-01 <b>"}, "dateModified", None),
    ({"editor": "Will\u202eiam\n Wong"}, "editor", "William Wong"),
    ({"editor": "\u200b"}, "editor", None),
    ({"text": "Short."}, "abstract", "Short."),
    ({"text": None}, "abstract", None),
    ({"text": "x" * 200}, "abstract", "x" * 97 + "..."),
    ({"text": "# Head\n\n- a **b**\n- `c`\n\n| d | e |\n|---|---|"}, "abstract", "Head a b c d e"),
    (
        {"text": "Within **three days**. Set `a`, ~~b~~; 2**3"},
        "abstract",
        "Within three days. Set a, b; 2 3",
    ),
    (
        {"text": "![x](https://evil.example/?q=1) <img src=x>"},
        "abstract",
        "x (https://evil.example/?q=1) img src=x",
    ),
]


@pytest.mark.parametrize(("given_fields", "key", "expected"), FIELDS)
def test_fields(given_fields: dict[str, Any], key: str, expected: str | None) -> None:
    (document,) = documents(Reference(id="1", name="One", **given_fields))
    assert document.get(key) == expected


def test_a_passage_is_shown_for_what_has_no_url() -> None:
    web, file, bare = documents(
        Reference(id="1", name="Web", url="https://example.com/", text="A passage."),
        Reference(id="2", name="File *one*", text="# A passage\n\n| a |\n|---|\n| b |"),
        Reference(id="3", name="Bare *two*"),
    )
    assert web.get("text") is None
    assert web["url"] == "https://example.com/"
    assert normal_html(file["text"]) == normal_html("# A passage\n\n| a |\n|---|\n| b |")
    assert "url" not in file
    assert MarkdownIt().render(bare["text"]) == "<p>Bare *two*</p>\n"


@pytest.mark.parametrize("text", ["", " \n\t", "\u0000", "[1]: https://evil.example/"])
def test_a_passage_is_never_empty(text: str) -> None:
    (document,) = documents(Reference(id="1", name="One", text=text))
    assert document["text"].strip()


def test_a_long_passage_is_cut_at_a_word() -> None:
    (document,) = documents(Reference(id="1", name="One", text="word " * 4000))
    assert len(document["text"]) <= MAX_PASSAGE
    assert document["text"].endswith("word…")


ENDINGS = [
    "A passage.",
    "```\nunclosed",
    "<!-- unclosed",
    "<pre>",
    "- list",
    "> quote",
    "[open",
    "`open",
    "    code",
    "a\\",
]


@pytest.mark.parametrize("text", ENDINGS)
def test_the_document_can_be_opened_whatever_the_passage_ends_with(text: str) -> None:
    (document,) = documents(
        Reference(
            id="1", name="A [file] (1)*.md", text=text, document_url="http://localhost:3978/documents/a(1).md"
        )
    )
    html = MarkdownIt("commonmark").enable("table").render(document["text"])
    link = '<p><a href="http://localhost:3978/documents/a%281%29.md">Open A [file] (1)*.md</a></p>'
    assert html.rstrip().endswith(link)
    assert html.count("<a ") == 1


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "//evil.example/x", "docs/a.md"]
)
def test_a_document_that_may_not_be_opened_has_no_link(url: str) -> None:
    (document,) = documents(Reference(id="1", name="One", text="A passage.", document_url=url))
    assert document["text"] == "A passage."


def test_a_passage_keeps_links_to_hosts_that_may_be_live_and_no_others() -> None:
    passage = "[a](https://example.com/a) [b](https://evil.example/b)"
    reference = Reference(id="1", name="One", text=passage, document_url="https://evil.example/d")
    (document,) = documents(reference, live_hosts=frozenset({"example.com"}))
    html = MarkdownIt("commonmark").render(document["text"])
    assert 'href="https://example.com/a"' in html
    # The document's own link is live; its passage's link to the same host isn't.
    assert 'href="https://evil.example/d"' in html
    assert 'href="https://evil.example/b"' not in html


def labels(*ids: str | None, cited: int, ranking: LabelRanking | None = RANKING) -> tuple[list[Any], Any]:
    """The label nodes of the first ``cited`` of references with these labels, and the message's."""
    references = tuple(
        Reference(id=str(number), name="N", label=label) for number, label in enumerate(ids, 1)
    )
    text = " ".join(f"[{number}]" for number in range(1, cited + 1))
    message = described(Answer(text=text, references=references), ranking=ranking)
    return [claim["appearance"].get("usageInfo") for claim in message.get("citation", ())], message.get(
        "usageInfo"
    )


def test_a_label_is_written_once_and_referred_to() -> None:
    (first, second, third, fourth), whole = labels("confidential", "general", "confidential", None, cited=4)
    assert (first["@id"], first["name"]) == ("_:s1", "Confidential\\Any User (No Protection)")
    assert second == {
        "@type": "CreativeWork",
        "additionalType": "https://copilotstudio.microsoft.com/sensitivity-labels/v1",
        "name": "General",
    }
    assert third == whole == {"@id": "_:s1"}
    assert fourth is None


def test_the_label_of_what_isnt_cited_counts() -> None:
    (first,), whole = labels("general", "secret", cited=1)
    assert first["name"] == "General"
    assert whole["name"] == "Secret"
    assert "@id" not in whole
    # A colour that makes a browser fetch something is none.
    assert "pattern" not in whole


def test_a_label_without_any_citation() -> None:
    cited, whole = labels("general", cited=0)
    assert cited == []
    assert whole["name"] == "General"


def test_the_label_of_joined_references_is_their_highest() -> None:
    references = (
        Reference(id="1", name="One", text="a", label="general"),
        Reference(id="1", text="b", label="confidential"),
    )
    message = described(Answer(text="[1]", references=references), ranking=RANKING)
    assert message["citation"][0]["appearance"]["usageInfo"]["name"].startswith("Confidential")
    assert message["usageInfo"] == {"@id": "_:s1"}


def test_without_a_ranking_labels_are_their_ids_and_the_message_has_all() -> None:
    (first, second), whole = labels("A", "B\u202e", "C", cited=2, ranking=None)
    assert (first["name"], second["name"], whole["name"]) == ("A", "B", "A, B, C")
    (first, second), whole = labels("A", "A", cited=2, ranking=None)
    assert (first["@id"], second, whole) == ("_:s1", {"@id": "_:s1"}, {"@id": "_:s1"})


thorough = examples(100)
ids = st.sampled_from((None, "general", "confidential", "secret", "unheard-of", "_:s1"))


@thorough
@given(st.lists(ids, min_size=1, max_size=8), st.data())
def test_label_nodes_resolve_to_the_highest_label(label_ids: list[str | None], data: st.DataObject) -> None:
    carried, whole = labels(*label_ids, cited=data.draw(st.integers(0, len(label_ids))))
    nodes = {node["@id"]: node for node in carried if node and "name" in node and "@id" in node}
    order = [label.name for label in RANKING.labels]
    expected = [order[RANKING.labels.index(label)] for label in map(labelled, label_ids) if label]
    if not expected:
        assert whole is None
        return
    resolved = nodes[whole["@id"]] if set(whole) == {"@id"} else whole
    assert resolved["name"] == max(expected, key=order.index)
    for node, label in zip(carried, map(labelled, label_ids), strict=False):
        shown = nodes[node["@id"]] if node and set(node) == {"@id"} else node
        assert (shown and shown["name"]) == (label and label.name)


def labelled(label_id: str | None) -> SensitivityLabel | None:
    return RANKING.label_of(Reference(id="x", label=label_id))


@thorough
@given(hostile_texts, names, st.sampled_from((None, "https://example.com/d", "http://localhost:1/x)y")))
def test_nothing_of_a_passage_is_live_but_the_link_to_its_document(
    text: str, name: str | None, document_url: str | None
) -> None:
    (document,) = documents(Reference(id="1", name=name, text=text, document_url=document_url))
    html = MarkdownIt("commonmark").enable("table").render(document["text"])
    assert document["text"].strip()
    assert "<img" not in html
    assert html.count("<a ") == (1 if document_url else 0)
    assert len(document.get("abstract", "")) <= MAX_ABSTRACT


@thorough
@given(answers)
def test_blank_node_ids_are_ours_and_nothing_absent_is_written(answer: Answer) -> None:
    assert_blank_node_ids_are_ours(answer)
