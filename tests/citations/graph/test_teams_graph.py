"""The graph for Microsoft Teams, by the rules of `teams_rules`."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import replace
from html import unescape
from typing import Any, Literal

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from citations import (
    Answer,
    LabelRanking,
    Origin,
    Reference,
    Rendering,
    SensitivityLabel,
    channel,
    check,
    cite,
    render,
)
from citations.graph.card import read_card, write_card
from citations.graph.teams_message import icon_of
from citations.inspection.checks.teams.properties import ICONS
from citations.inspection.json_ld import lost_terms
from citations.model import Place, PlaceKind
from citations.text.grapheme import utf16
from tests.depth import examples
from tests.sample_message import ORIGIN, PASSAGE, RANKING, SOURCES
from tests.strategies import answers, many_sources
from tests.teams_rules import faults

TEAMS = channel("msteams")
CARDS = channel("msteams", cards=True)
CONFIDENTIAL = {
    "@id": "sensitivity-label",
    "@type": "CreativeWork",
    "description": RANKING.labels[1].description,
    "name": "Confidential\\Any User (No Protection)",
}
SAMPLE: dict[str, Any] = {
    "@context": "https://schema.org",
    "@id": "",
    "@type": "Message",
    "additionalType": ["AIGeneratedContent"],
    "citation": [
        {
            "@type": "Claim",
            "appearance": {
                "@type": "DigitalDocument",
                "abstract": "support.microsoft.com",
                "image": {"@type": "ImageObject", "name": "Microsoft Word"},
                "keywords": ["General"],
                "name": "Use a proxy server in Windows",
                "url": SOURCES[0].url,
            },
            "position": 1,
        },
        {
            "@type": "Claim",
            "appearance": {
                "@type": "DigitalDocument",
                "abstract": "learn.microsoft.com",
                "image": {"@type": "ImageObject", "name": "Microsoft Word"},
                "keywords": ["2024-03-01"],
                "name": "Configure proxy server settings - Windows Server",
                "url": SOURCES[1].url,
            },
            "position": 2,
        },
        {
            "@type": "Claim",
            "appearance": {
                "@type": "DigitalDocument",
                "abstract": PASSAGE,
                "encodingFormat": "application/vnd.microsoft.card.adaptive",
                "image": {"@type": "ImageObject", "name": "Text"},
                "name": "Sample Citation From File",
                "text": json.dumps(
                    {
                        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                        "type": "AdaptiveCard",
                        "version": "1.5",
                        "body": [
                            {
                                "type": "RichTextBlock",
                                "inlines": [
                                    {
                                        "type": "TextRun",
                                        "text": "Sample Citation From File",
                                        "weight": "Bolder",
                                    }
                                ],
                            },
                            {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": PASSAGE}]},
                        ],
                    },
                    separators=(",", ":"),
                ),
                "usageInfo": {**CONFIDENTIAL},
            },
            "position": 3,
        },
    ],
    "keywords": ["AIGeneratedContent"],
    "type": "https://schema.org/Message",
    "usageInfo": CONFIDENTIAL,
}
"""What Web Chat's CITATION.md cites, for Teams, with the passage of its file as a card."""
SAMPLE_TEXT = {"text": "Override[1] [2] where it asks[3].", "textFormat": "markdown"}
SAMPLE_ANSWER = Answer(text="Override[1] [2] where it asks[3].", references=SOURCES, origin=ORIGIN)


def activity(rendering: Rendering) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(rendering.to_activity()))
    return written


def graph(answer: Answer, ranking: LabelRanking | None = None) -> dict[str, Any]:
    message: dict[str, Any] = activity(render(cite(answer), TEAMS, ranking=ranking))["entities"][0]
    return message


def documents(*references: Reference, ranking: LabelRanking | None = None) -> list[dict[str, Any]]:
    """The appearances of an answer that cites each of these."""
    text = " ".join(f"[{number}]" for number in range(1, len(references) + 1))
    message = graph(Answer(text=text, references=references), ranking)
    return [claim["appearance"] for claim in message["citation"]]


def test_the_sample_of_the_documentation() -> None:
    sample = activity(render(cite(SAMPLE_ANSWER), CARDS, ranking=RANKING))
    assert sample["entities"] == [SAMPLE]
    assert list(sample["entities"][0]) == list(SAMPLE)
    assert faults(sample) == []


def test_cards_are_for_those_who_switch_them_on() -> None:
    (message,) = activity(render(cite(SAMPLE_ANSWER), TEAMS, ranking=RANKING))["entities"]
    expected = deepcopy(SAMPLE)
    del expected["citation"][2]["appearance"]["text"], expected["citation"][2]["appearance"]["encodingFormat"]
    assert message == expected


def test_the_graph_for_web_chat_is_refused() -> None:
    assert faults(activity(render(cite(SAMPLE_ANSWER), channel("webchat"), ranking=RANKING)))


NAMES = [
    (Reference(id="1", name="A handbook"), "A handbook"),
    (Reference(id="1", name="A handbook", page=3), "A handbook, p. 3"),
    (Reference(id="1", name="A handbook", page=3, last_page=4), "A handbook, pp. 3–4"),
    (Reference(id="1", name="A talk", place=Place(kind=PlaceKind.SLIDE, first=4)), "A talk, slide 4"),
    (
        Reference(id="1", name="A", place=Place(kind=PlaceKind.ROW, first=2, last=4, sheet="[S]")),
        "A, sheet [S], rows 2–4",
    ),
    (Reference(id="1", name="A", place=Place(kind=PlaceKind.LINE, first=4, last=2)), "A, line 4"),
    (Reference(id="1", name="A", page=1, place=Place(kind=PlaceKind.LINE, first=4)), "A, p. 1"),
    (Reference(id="1", name="A handbook", page=3, last_page=3), "A handbook, p. 3"),
    (Reference(id="1", name="A handbook", page=3, last_page=1), "A handbook, p. 3"),
    (Reference(id="1", name="x" * 80), "x" * 80),
    (Reference(id="1", name="x" * 81), "x" * 79 + "…"),
    (Reference(id="1", name="word " * 30, page=12), "word " * 13 + "word…, p. 12"),
    (Reference(id="1", name="設" * 100), "設" * 79 + "…"),
    (Reference(id="1", name="👍🏽" * 30), "👍🏽" * 19 + "…"),
    (Reference(id="1", name="\u202e\u200b"), "1"),
    (Reference(id="1", url="https://example.com/a"), "example.com"),
    (Reference(id="1", name="One", page=10**5000), "One"),
]


@pytest.mark.parametrize(("reference", "expected"), NAMES)
def test_names(reference: Reference, expected: str) -> None:
    (document,) = documents(reference)
    assert document["name"] == expected


ABSTRACTS = [
    ({"text": "Short."}, "Short."),
    ({"text": "word " * 40}, "word " * 31 + "word…"),
    ({"text": "x" * 200}, "x" * 159 + "…"),
    ({"text": "設定。" * 60}, "設定。" * 53 + "…"),
    ({"text": "क्षि" * 60}, "क्षि" * 39 + "…"),
    ({"text": "👩\u200d🔬" * 60}, "👩\u200d🔬" * 31 + "…"),
    ({"text": "🇩🇪" * 60}, "🇩🇪" * 39 + "…"),
    ({"text": "# Head\n\n- a **b**\n- `c`\n\n| d | e |\n|---|---|"}, "Head a b c d e"),
    ({"text": "<b>a</b> &lt;script&gt; &#91;1&#93; R&amp;D"}, "b a /b script 1 R&D"),
    ({"text": "\u202e\n"}, "N"),
    ({"url": "https://münchen.example:8443/a"}, "xn--mnchen-3ya.example:8443"),
    ({}, "N"),
]  # fmt: skip


@pytest.mark.parametrize(("given_fields", "expected"), ABSTRACTS)
def test_abstracts(given_fields: dict[str, Any], expected: str) -> None:
    (document,) = documents(Reference(id="1", name="N", **given_fields))
    assert document["abstract"] == expected
    assert utf16(document["abstract"]) <= 160


def test_the_url_of_what_has_none_is_its_documents() -> None:
    web, file, hostile = documents(
        Reference(id="1", url="https://example.com/a", document_url="https://example.com/b"),
        Reference(id="2", text="A passage.", document_url="http://localhost:3978/documents/a(1).md"),
        Reference(id="3", text="A passage.", document_url="javascript:alert(1)"),
    )
    assert web["url"] == "https://example.com/a"
    assert file["url"] == "http://localhost:3978/documents/a%281%29.md"
    assert "url" not in hostile


ICON_OF = [
    (Reference(id="1", media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
     "Microsoft Word"),
    (Reference(id="1", media_type="application/vnd.ms-excel.sheet.macroEnabled.12"), "Microsoft Excel"),
    (Reference(id="1", media_type="Text/Plain; charset=utf-8"), "Text"),
    (Reference(id="1", media_type="text/x-python"), "Source Code"),
    (Reference(id="1", media_type="text/x-markdown"), "Text"),
    (Reference(id="1", media_type="image/gif"), "GIF"),
    (Reference(id="1", media_type="image/png"), "Image"),
    (Reference(id="1", media_type="audio/mpeg"), "Sound"),
    (Reference(id="1", media_type="video/mp4"), "Video"),
    (Reference(id="1", media_type="application/pdf", name="a.docx"), "PDF"),
    (Reference(id="1", media_type="application/octet-stream", name="a.docx"), "Microsoft Word"),
    (Reference(id="1", media_type="text/html", name="Node.js", url="https://example.com/"), None),
    (Reference(id="1", url="https://example.com/a%20b.PPTX?download=1#x"), "Microsoft PowerPoint"),
    (Reference(id="1", url="https://character.ai/"), None),
    (Reference(id="1", url="https://example.com/v1.2/c"), None),
    (Reference(id="1", url="https://contoso.sharepoint.com/sites/hr/SitePages/Leave.aspx"), "Microsoft SharePoint"),
    (Reference(id="1", url="https://contoso.sharepoint.com/sites/hr/leave.docx"), "Microsoft Word"),
    (Reference(id="1", url="https://sharepoint.com.evil.example/"), None),
    (Reference(id="1", url="http://[::1"), None),
    (Reference(id="hr/leave.one#page=3"), "Microsoft OneNote"),
    (Reference(id="C:\\drawings\\plan.vsdx"), "Microsoft Visio"),
    (Reference(id="1", name="Budget [final].xlsx"), "Microsoft Excel"),
    (Reference(id="1", name="minutes.loop"), "Microsoft Loop"),
    (Reference(id="1", name="idea.whiteboard"), "Microsoft Whiteboard"),
    (Reference(id="1", name="main.rs"), "Source Code"),
    (Reference(id="1", name="logo.sketch"), "Sketch"),
    (Reference(id="1", name="logo.ai"), "Adobe Illustrator"),
    (Reference(id="1", name="photo.psd"), "Adobe Photoshop"),
    (Reference(id="1", name="flyer.indd"), "Adobe InDesign"),
    (Reference(id="1", name="game.swf"), "Adobe Flash"),
    (Reference(id="1", name="scans.zip"), "ZIP"),
    (Reference(id="1", name="pdf"), None),
    (Reference(id="1", document_url="https://example.com/handbook.pdf"), "PDF"),
    (Reference(id="1", name="Pdf."), None),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "expected"), ICON_OF)
def test_icons(reference: Reference, expected: str | None) -> None:
    assert icon_of(reference) == expected


def test_every_icon_of_teams_has_its_reference() -> None:
    assert {icon for _, icon in ICON_OF if icon} == ICONS


def test_an_answer_that_was_quoted_has_no_ai_label() -> None:
    message = graph(Answer(text="Quoted [1].", references=SOURCES, origin=Origin(generated=False)))
    assert "additionalType" not in message
    assert "keywords" not in message


def shown_labels(
    *label_ids: str | None, cited: int, ranking: LabelRanking | None = RANKING
) -> list[tuple[str, ...] | None]:
    """What a citation says of its label: its `usageInfo`, a keyword, or nothing; last, the message's."""
    references = tuple(
        Reference(id=str(number), name="N", label=label) for number, label in enumerate(label_ids, 1)
    )
    text = "A" + " ".join(f"[{number}]" for number in range(1, cited + 1))
    message = graph(Answer(text=text, references=references), ranking)
    nodes = [
        *(claim["appearance"] for claim in message.get("citation", ())),
        {"usageInfo": message.get("usageInfo")},
    ]
    return [_shown_label(node) for node in nodes]


def _shown_label(node: dict[str, Any]) -> tuple[str, ...] | None:
    label = node.get("usageInfo")
    assert not (label and "keywords" in node)
    return ("usageInfo", label["@id"], label["name"]) if label else tuple(node.get("keywords", ())) or None


WHOLE_LABEL = ("usageInfo", "sensitivity-label", "Confidential\\Any User (No Protection)")
SECRET = ("usageInfo", "sensitivity-label", "Secret")
LABELS: list[tuple[list[str | None], int, list[tuple[str, ...] | None]]] = [
    ([None, None], 2, [None, None, None]),
    (["confidential", "general", "confidential", None], 4, [WHOLE_LABEL, ("General",), WHOLE_LABEL, None, WHOLE_LABEL]),
    # The message's label is that of a source that isn't cited: no citation may have another @id.
    (["general", "secret"], 1, [("General",), SECRET]),
    (["confidential", "secret"], 1, [("Confidential\\Any User (No…",), SECRET]),
    (["secret"], 0, [SECRET]),
    (["unheard-of"], 1, [SECRET, SECRET]),
]  # fmt: skip


@pytest.mark.parametrize(("label_ids", "cited", "expected"), LABELS)
def test_labels(label_ids: list[str | None], cited: int, expected: list[tuple[str, ...] | None]) -> None:
    assert shown_labels(*label_ids, cited=cited) == expected


def test_without_a_ranking_the_message_has_all_labels() -> None:
    both = ("usageInfo", "sensitivity-label", "A, B")
    assert shown_labels("A", "B", cited=2, ranking=None) == [("A",), ("B",), both]
    one = ("usageInfo", "sensitivity-label", "A")
    assert shown_labels("A", "A", cited=2, ranking=None) == [one, one, one]


def test_a_label_of_purview_has_its_own_id() -> None:
    purview = "2096F6A2-d2f7-48be-b329-b73aaa526e5d"
    ranking = LabelRanking(labels=(SensitivityLabel(id=purview, name="Internal", priority=0),))
    internal = ("usageInfo", purview, "Internal")
    assert shown_labels(purview, cited=1, ranking=ranking) == [internal, internal]


def test_a_passage_above_the_ceiling_stays() -> None:
    ranking = replace(RANKING, ceilings={"msteams": "general"})
    reference = Reference(id="1", name="N", text="The merger is off.", label="confidential")
    answer = cite(Answer(text="[1]", references=(reference,)))
    for kind in (TEAMS, CARDS):
        written = activity(render(answer, kind, ranking=ranking))
        assert "merger" not in json.dumps(written)
        assert faults(written) == []
        (claim,) = written["entities"][0]["citation"]
        assert claim["appearance"]["abstract"].startswith("This passage is not shown here, because its")


def card(*passages: str) -> list[list[tuple[str, bool]]]:
    """The lines of the cards of an answer that cites these passages, and whether each stands apart."""
    references = tuple(Reference(id=str(number), text=text) for number, text in enumerate(passages, 1))
    text = " ".join(f"[{number}]" for number in range(1, len(passages) + 1))
    message = activity(render(cite(Answer(text=text, references=references)), CARDS))["entities"][0]
    cards = [claim["appearance"].get("text") for claim in message["citation"]]
    return [
        [
            (block["inlines"][0]["text"], block.get("spacing") != "None")
            for block in json.loads(written)["body"]
        ]
        for written in cards
        if written
    ]


def test_a_card_has_the_lines_of_its_passage() -> None:
    passage = "# Head\r\n\n[x](javascript:a) &#91;1&#93;\n- \u202etwo\n\n\n```\n| a | b |"
    assert card(passage) == [
        [
            ("1", True),
            ("# Head", True),
            ("[x](javascript:a) [1]", True),
            ("- two", False),
            ("```", True),
            ("| a | b |", False),
        ]
    ]


def test_a_passage_calls_no_function_of_a_card() -> None:
    """``{{DATE(…)}}`` (Adaptive Cards, "Text functions") and ``${…}`` ("Templating") are the document's words."""
    words = (
        "On {{DATE(2020-01-01T00:00:00Z, SHORT)}}, {{{TIME(2020-01-01T10:00:00Z)}}}, for ${price} or $${{x}}."
    )
    card = write_card("{{DATE(2020-01-01T00:00:00Z)}}", words, 1)
    assert card
    assert not re.search(r"\{\{|\$\{", card)
    shown = "".join(run["text"] for block in json.loads(card)["body"] for run in block["inlines"])
    assert shown.replace("\u200b", "") == f"{{{{DATE(2020-01-01T00:00:00Z)}}}}{words}"
    assert unescape(read_card(card, "{{DATE(2020-01-01T00:00:00Z)}}") or "") == words


def test_there_is_no_card_without_a_passage() -> None:
    assert card("", " \n\u200b\n", "A passage.") == [[("3", True), ("A passage.", True)]]


def test_there_is_no_card_for_what_a_link_opens() -> None:
    reference = Reference(id="1", name="N", url="https://example.com/a", text="A passage.")
    (message,) = activity(render(cite(Answer(text="[1]", references=(reference,))), CARDS))["entities"]
    (claim,) = message["citation"]
    assert claim["appearance"] == {
        "@type": "DigitalDocument",
        "abstract": "A passage.",
        "name": "N",
        "url": "https://example.com/a",
    }


def test_cards_share_their_room() -> None:
    (alone,) = card("word\n" * 5000)
    assert (len(alone), alone[-1]) == (102, ("…", False))
    many = card(*["word " * 5000] * 20)
    assert {len(lines[1][0]) for lines in many} == {500}


ranked = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(id="secret", name="Secret\\" + "👍" * 30, priority=1, description="Keep it."),
    ),
    default="public",
)


def lengthened(answer: Answer, times: int) -> Answer:
    """The answer with references whose names and passages say everything ``times`` times."""
    return replace(
        answer,
        references=tuple(
            replace(
                reference,
                name=reference.name and reference.name * times,
                text=reference.text and reference.text * times,
            )
            for reference in answer.references
        ),
    )


thorough = examples(100)


@thorough
@given(
    st.builds(lengthened, answers, st.integers(1, 12)) | many_sources,
    st.sampled_from((None, ranked)),
    st.sampled_from((TEAMS, CARDS)),
)
@example(SAMPLE_ANSWER, RANKING, CARDS)
def test_teams_takes_every_answer(answer: Answer, ranking: LabelRanking | None, kind: Any) -> None:
    cited = cite(answer)
    rendering = render(cited, kind, ranking=ranking)
    assume(rendering.text.strip())
    written = activity(rendering)
    assert faults(written) == []
    (message,) = written["entities"]
    assert lost_terms(message, "$") == ()
    positions = [citation.position for citation in cited.citations]
    assert [claim["position"] for claim in message.get("citation", ())] == positions
    assert rendering == render(cite(answer), kind, ranking=ranking)


def test_a_label_that_is_described_at_length_leaves_room() -> None:
    """A message that Teams finds too large would be sent again without its graph."""
    ranking = LabelRanking(
        labels=(SensitivityLabel(id="l", name="L", priority=0, description="word " * 9000),)
    )
    references = tuple(Reference(id=str(n), url=f"https://example.com/{n}", label="l") for n in range(1, 21))
    answer = Answer(text="".join(f"[{n}]" for n in range(1, 21)), references=references)
    rendering = render(cite(answer), TEAMS, ranking=ranking)
    assert utf16(json.dumps(rendering.to_activity(), ensure_ascii=False)) * 2 < 80_000
    claims = rendering.entities[0]["citation"]
    assert isinstance(claims, list)
    assert len(claims) == 20


def test_keywords_are_the_sources_own_then_the_day_of_its_change() -> None:
    words = ("travel", "Travel", "a word that is longer than a pop-up takes")
    (document,) = documents(Reference(id="1", name="N", keywords=words, modified="2026-03-01T09:00:00Z"))
    assert document["keywords"] == ["travel", "Travel", "a word that is longer than…"]
    (document,) = documents(Reference(id="1", name="N", keywords=("a", "a"), modified="2026-03-01T09:00:00Z"))
    assert document["keywords"] == ["a", "2026-03-01"]
    (document,) = documents(Reference(id="1", name="N", modified="in spring"))
    assert "keywords" not in document


def test_the_lower_label_stands_before_them() -> None:
    references = (
        Reference(id="1", name="N", label=RANKING.labels[0].id, keywords=("a", "b", "c")),
        Reference(id="2", name="M", label=RANKING.labels[1].id),
    )
    lower, _ = documents(*references, ranking=RANKING)
    assert lower["keywords"] == [RANKING.labels[0].name, "a", "b"]


ALL_CARDS: list[tuple[bool | Literal["all"], list[bool]]] = [
    (False, [False, False, False]),
    (True, [False, False, True]),
    ("all", [True, False, True]),
]


@pytest.mark.parametrize(("cards", "has_card"), ALL_CARDS)
def test_with_all_cards_so_is_a_long_passage_with_a_url(
    cards: bool | Literal["all"], has_card: list[bool]
) -> None:
    references = (
        Reference(id="1", name="Long", url="https://example.com/1", text="word " * 40),
        Reference(id="2", name="Short", url="https://example.com/2", text="word"),
        Reference(id="3", name="Nowhere", text="word"),
    )
    shape = channel("msteams", cards=cards)
    message = activity(render(cite(Answer(text="A [1], b [2], c [3].", references=references)), shape))
    assert list(check(message, channel_id="msteams")) == []
    (graph,) = message["entities"]
    assert ["text" in claim["appearance"] for claim in graph["citation"]] == has_card
