"""Answers and conversations as Markdown with footnotes, read again by engines that know footnotes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from bot.direct_line.footnotes import copy_answer, copy_conversation, may_copy
from bot.languages import speaking
from citations import Answer, LabelRanking, Reference, SensitivityLabel, channel, cite, render
from tests.attacks import ATTACKS
from tests.footnote_reading import FootnoteReading, read_with_cmark, read_with_markdown_it
from tests.normal_html import normal_html
from tests.strategies import answers

LIGHT = Reference(id="2", name="Light [for] ferns", url="https://example.com/light_(1)")
CARE = Reference(id="1", name="care.md", page=3, text="Water it.")


def activity_of(answer: Answer, ranking: LabelRanking | None = None) -> dict[str, Any]:
    rendering = render(cite(answer), channel("webchat"), ranking=ranking)
    return {
        "type": "message",
        "from": {"role": "bot"},
        "text": rendering.text,
        "textFormat": rendering.text_format,
        "entities": list(rendering.entities),
    }


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "from": {"role": "user"}, "text": text}


COPIES = {
    "a source with an address, and one without": (
        "Water it [1], in the shade [2].",
        "Water it [^1], in the shade [^2].\n\n[^1]: care.md, p. 3\n[^2]: Light &#91;for&#93; ferns: <https://example.com/light_%281%29>",
    ),
    "badges that touch": ("Do both [1][2].", "Do both [^1][^2].\n\n[^1]: care.md, p. 3\n[^2]: Light &#91;for&#93; ferns: <https://example.com/light_%281%29>"),
    "a source that is cited twice": ("Water it [1]. Twice [1].", "Water it [^1]. Twice [^1].\n\n[^1]: care.md, p. 3"),
    "a name of one word, which would be a link without footnotes": ("So [3].", "So [^1].\n\n[^1]: Source: notes.txt"),
    "a list, a table and code": (
        "- one [1]\n- two [2]\n\n| a |\n|---|\n| b [1] |\n\n```\nc [1]\n```",
        "- one [^1]\n- two [^2]\n\n| a |\n|---|\n| b [^1] |\n\n```\nc [1]\n```\n\n[^1]: care.md, p. 3\n[^2]: Light &#91;for&#93; ferns: <https://example.com/light_%281%29>",
    ),
    "a footnote of the answer's own is text": ("So [^1] it is [1].\n\n[^1]: mine", "So &#91;^1] it is [^1].\n\n&#91;&#94;1&#93;&#58; mine\n\n[^1]: care.md, p. 3"),
    "names of files and of hosts": ("See care.md, not www.evil.com [1].", "See care.md, not www&#46;evil.com [^1].\n\n[^1]: care.md, p. 3"),
    "an address of e-mail": ("Ask a.b@evil.com, not @evil [1].", "Ask a.b&#64;\u200bevil.com, not &#64;evil [^1].\n\n[^1]: care.md, p. 3"),
    "an entity in code": ("`a&#46;b` [1]", "`a&#46;b` [^1]\n\n[^1]: care.md, p. 3"),
    "no source": ("I found nothing.", "I found nothing."),
}  # fmt: skip


@pytest.mark.parametrize(("text", "copied"), COPIES.values(), ids=COPIES)
def test_an_answer_is_copied_with_its_sources_as_footnotes(text: str, copied: str) -> None:
    answer = Answer(text=text, references=(CARE, LIGHT, Reference(id="3", name="notes.txt", text="So.")))
    assert normal_html(copy_answer(activity_of(answer)).text) == normal_html(copied)


def assert_sound(activity: dict[str, Any], before: int = 0) -> None:
    """Each mark has its footnote and each footnote its mark, and the only links are those of the sources."""
    copied = copy_answer(activity, before)
    numbers = frozenset(str(before + number) for number in range(1, copied.notes + 1))
    claims = activity["entities"][0].get("citation", []) if activity["entities"] else []
    urls = frozenset(claim["appearance"]["url"] for claim in claims if "url" in claim["appearance"])
    expected = FootnoteReading(numbers, numbers, urls, frozenset())
    assert read_with_markdown_it(copied.text) == expected
    assert read_with_cmark(copied.text) == expected


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_no_attack_makes_a_link_or_a_footnote_of_its_own(attack: Any) -> None:
    assert_sound(activity_of(attack.answer), before=7)


@given(answers)
def test_every_footnote_has_its_mark_and_no_other_link_is_there(answer: Answer) -> None:
    assert_sound(activity_of(answer))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_answer_that_was_changed_on_its_way_is_copied_without_links(name: str) -> None:
    text = f'{ATTACKS[name].text}\n\n[1]: https://good.example/1 "Handbook"'
    copied = copy_answer({"type": "message", "text": text, "entities": []})
    for reading in (read_with_markdown_it(copied.text), read_with_cmark(copied.text)):
        assert reading.live == frozenset()
        assert reading.links <= {"https://good.example/1"}


def test_a_conversation_has_one_row_of_footnotes_for_each_answer() -> None:
    water = activity_of(Answer(text="Water it [1], in the shade [2].", references=(CARE, LIGHT)))
    shade = activity_of(Answer(text="In the shade [2].", references=(LIGHT,)))
    hello = {**activity_of(Answer(text="Hello!")), "text": "Hello!"}
    talk = [
        hello,
        said("How often\nshould I [water](x) it?"),
        water,
        {"type": "typing"},
        said("And where?"),
        shade,
    ]
    assert copy_conversation(talk, "How often should", "Plant care").text == (
        "# Plant care\n\n"
        "## How often should I &#91;water&#93;(x) it?\n\n"
        "Water it [^1], in the shade [^2].\n\n"
        "[^1]: care.md, p. 3\n"
        "[^2]: Light &#91;for&#93; ferns: <https://example.com/light_%281%29>\n\n"
        "## And where?\n\n"
        "In the shade [^3].\n\n"
        "[^3]: Light &#91;for&#93; ferns: <https://example.com/light_%281%29>\n"
    )
    assert copy_conversation(talk, "My *ferns*", "").text.startswith("# My &#42;ferns&#42;\n\n## How often")
    assert copy_conversation([hello], "", "Plant care").text == "# Plant care\n"


PUBLIC = SensitivityLabel(id="p", name="Public", priority=0)
SECRET = SensitivityLabel(id="s", name="Secret", priority=2)
SEALED = SensitivityLabel(id="x", name="Sealed", priority=3, encrypted=True)


def test_a_label_is_copied_in_words_and_what_is_encrypted_is_not_copied() -> None:
    ranking = LabelRanking(labels=(PUBLIC, SECRET, SEALED))
    care, light = Reference(id="1", name="A care", label="s"), Reference(id="2", name="B light", label="p")
    labelled = activity_of(Answer(text="Water [1], shade [2].", references=(care, light)), ranking)
    sealed = activity_of(
        Answer(text="So [1].", references=(Reference(id="1", name="C", label="x"),)), ranking
    )
    with speaking("de"):
        assert copy_answer(labelled).text == (
            "**Vertraulichkeitsbezeichnung: Secret**\n\n"
            "Water [^1], shade [^2].\n\n[^1]: A care (Secret)\n[^2]: B light (Public)"
        )
        assert not may_copy(sealed)
        assert copy_conversation([said("Why?"), sealed], "", "Bot").text == (
            "# Bot\n\n## Why?\n\n*Diese Antwort wird nicht kopiert, weil ihre Quellen durch ihre "
            "Vertraulichkeitsbezeichnung verschlüsselt sind.*\n"
        )
