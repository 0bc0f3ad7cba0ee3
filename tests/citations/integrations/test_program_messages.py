"""Answers for programs that take no activity."""

from __future__ import annotations

import json
from typing import Any

import pytest

from citations import Answer, LabelRanking, Reference, SensitivityLabel, cite
from citations.__main__ import main
from citations.integrations.program_messages import write_a2a_message, write_ui_message
from citations.readers import FORMATS, answer_of

SECRET = SensitivityLabel(id="s", name="Secret", priority=3, color="#d13438")
ANSWER = cite(
    Answer(
        text="Hotels are paid up to 120 [1]. Ask [2] ![x](https://evil.example/i.png).",
        references=(
            Reference(id="1", name="Rates", url="https://example.com/rates", text="Up to 120.", page=3),
            Reference(id="2", name="Handbook", text="Ask Dana.", label=SECRET),
        ),
    )
)
TEXT = (
    "Sensitivity label: Secret\n\nHotels are paid up to 120 [(1)](https://example.com/rates). Ask (2) "
    "!&#91;x&#93;(https&#58;&#47;/evil&#46;example/i&#46;png)."
)


def test_a_ui_message_has_its_sources_before_its_text() -> None:
    rendering, chunks = write_ui_message(ANSWER)
    label = {
        "sensitivityLabelId": "s",
        "displayName": "Secret",
        "priority": 3,
        "color": "#d13438",
        "isEncrypted": False,
    }
    assert chunks == [
        {"type": "start"},
        {
            "type": "source-url",
            "sourceId": "1",
            "url": "https://example.com/rates",
            "title": "Rates, p. 3",
            "providerMetadata": {"citations": {"text": "Up to 120."}},
        },
        {
            "type": "source-document",
            "sourceId": "2",
            "mediaType": "application/octet-stream",
            "title": "Handbook",
            "providerMetadata": {"citations": {"text": "Ask Dana.", "sensitivityLabel": label}},
        },
        {"type": "text-start", "id": "answer"},
        {"type": "text-delta", "id": "answer", "delta": rendering.text},
        {"type": "text-end", "id": "answer"},
        {"type": "finish"},
    ]
    assert rendering.text == TEXT


def test_an_a2a_message_has_attributions_and_its_label() -> None:
    rendering, message = write_a2a_message(ANSWER)
    told: Any = message
    assert [part["text"] for part in told["parts"]] == [rendering.text]
    attributions = told["metadata"]["attributions"]
    assert [one["providerDisplayName"] for one in attributions] == ["Rates, p. 3", "Handbook"]
    assert [one.get("seeMoreWebUrl") for one in attributions] == ["https://example.com/rates", None]
    assert told["metadata"]["sensitivityLabel"]["displayName"] == "Secret"


@pytest.mark.parametrize("name", ["ai-sdk", "a2a"])
def test_a_ceiling_holds_for_them(name: str) -> None:
    general = SensitivityLabel(id="g", name="General", priority=0)
    ranking = LabelRanking(labels=(general,), ceilings={name: "g"})
    rendering, told = (write_ui_message if name == "ai-sdk" else write_a2a_message)(ANSWER, ranking=ranking)
    assert rendering.is_withheld
    assert "Dana" not in json.dumps(told)
    assert "Hotels" not in json.dumps(told)


def test_the_command_line_writes_them(tmp_path: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "deltas.jsonl"
    file.write_text(
        '{"delta": "A [1"}\n{"delta": "]."}\n{"references": [{"id": "1", "url": "https://e.com/"}]}\n'
    )
    assert main(["render", "--to", "ai-sdk", "--stream", str(file)]) == 0
    stream = FORMATS["ai-sdk"].stream()
    items = [*stream.feed(capfdbinary.readouterr().out), *stream.close()]
    answer = answer_of(event for item in items for event in item)
    assert answer.text == "A [(1)](https://e.com/)."
    assert [one.url for one in answer.references] == ["https://e.com/"]
    file.write_text('{"text": "A [1].", "references": [{"id": "1", "url": "https://e.com/"}]}')
    assert main(["render", "--to", "a2a", str(file)]) == 0
    assert json.loads(capfdbinary.readouterr().out)["role"] == "ROLE_AGENT"
    assert main(["render", "--to", "a2a", "--lines", str(file)]) == 2
