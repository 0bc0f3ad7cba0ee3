"""Ordinary answers, and a few that are not, in the real Web Chat: what is shown is what the answer says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from citations import (
    Answer,
    LabelRanking,
    Origin,
    Reference,
    SensitivityLabel,
    SourceCode,
    channel,
    check,
    cite,
    render,
)
from tests.bot.direct_line_client import post_as_bot
from tests.bot.running import running
from tests.bot.table_source import TableSource
from tests.ordinary_answers import ordinary_answers

from .browser import Chat, chatting

RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(id="internal", name="Internal \\ All staff", priority=1, color="orange"),
        SensitivityLabel(id="secret", name="Secret", priority=2, description="For few.", encrypted=True),
    )
)


def sources(count: int, *labels: str) -> tuple[Reference, ...]:
    """Every other one has a URL; the labels are dealt out one after the other."""
    return tuple(
        Reference(
            id=f"{number}",
            name=f"Source {number}",
            url=f"https://example.com/{number}" if number % 2 else None,
            text=f"What source {number} says.",
            label=labels[(number - 1) % len(labels)] if labels else None,
            extract=True,
        )
        for number in range(1, count + 1)
    )


EDGES: dict[str, Answer] = {
    "nothing is cited": Answer(text="I found nothing.", origin=Origin(generated=False)),
    "one label": Answer(text="It is so [1].", references=sources(1, "internal")),
    "three labels": Answer(text="So [1], so [2] and so [3].", references=sources(3, "public", "secret", "internal")),
    "a label for two": Answer(text="So [3][1].", references=sources(4, "internal", "public")),
    "the highest label is not cited": Answer(text="So [1].", references=sources(2, "public", "secret")),
    "twenty sources": Answer(text=" ".join(f"[{n}]" for n in range(1, 21)), references=sources(20, "public")),
    "more than can be cited": Answer(text=" ".join(f"[{n}]" for n in range(1, 26)), references=sources(25)),
    "side by side, and in everything": Answer(
        text="# Head [1]\n\n> quote[2][1]!\n\n1. item [3]:\n   - **bold[1]**\n\n| a [2] |\n|---|\n| [1][2][3] |\n\n`code[1]`",
        references=sources(3, "internal"),
    ),
    "foreign names": Answer(
        text="一 [1]، ثانيًا [2], трети [3].",
        references=(
            Reference(id="1", name="年度報告書 2025", url="https://例え.jp/報告"),
            Reference(id="2", name="تقرير السنة", text="نص"),
            Reference(id="3", name="Отчёт & <Co> “x”", url="https://example.com/ö?a=1&b=[2]"),
        ),
    ),
    "a query": Answer(text="So [1].", references=sources(1), query=SourceCode("SELECT ?x WHERE { ?x ?y [] }", "sparql")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Display:
    """What there is of an answer to see: the numbers of its badges, the rows of its list with their
    labels, the label and the lock above it, and the thumbs."""

    badges: list[str]
    rows: list[str]
    labels: list[str]
    label: str
    locked: bool
    thumbs: int


_READ = """
    activity => {
        const texts = name => [...activity.querySelectorAll(name)].map(one => one.textContent);
        const list = ".webchat__link-definitions__";
        return {
            badges: texts(".webchat__render-markdown__pure-identifier"),
            rows: texts(`${list}list-item-text`),
            labels: [...activity.querySelectorAll(`${list}list-item`)].map(row =>
                row.querySelector(`${list}list-item-badge`)?.textContent ?? ""),
            label: texts(`${list}message-sensitivity-label-text`).join(),
            locked: !!activity.querySelector(`${list}message-sensitivity-label--is-encrypted`),
            thumbs: activity.querySelectorAll(".webchat__thumb-button").length,
        };
    }
"""


async def read_display(chat: Chat) -> Display:
    """What is to be seen of the last activity."""
    last = chat.page.locator(".webchat__basic-transcript__activity").last
    found: dict[str, Any] = await last.evaluate(_READ)
    return Display(**found)


def expect_shown(answer: Answer) -> Display:
    """What there is to see, by what the answer cites."""
    cited = cite(answer)
    names = {label.id: label for label in RANKING.labels}
    labels = [names[reference.label_name or ""] for reference in answer.references if reference.label]
    highest = max(labels, key=lambda label: label.priority or 0, default=None)
    # Web Chat shows the message's label above the list, and nowhere without one.
    above = highest if cited.citations else None
    return Display(
        badges=[str(position) for use in cited.uses for position in use.positions],
        rows=[citation.reference.name or "" for citation in cited.citations],
        labels=[
            names[citation.reference.label_name or ""].name if citation.reference.label else ""
            for citation in cited.citations
        ],
        label=above.name if above else "",
        locked=bool(above and above.encrypted),
        thumbs=2,
    )


@pytest.fixture
async def chat(tmp_path: Path) -> AsyncIterator[Chat]:
    bundle = find_bundle()
    assert bundle.file, "these tests need the bundle from npm"
    async with (
        running(TableSource(), docs=tmp_path, bundle=bundle) as authority,
        chatting(authority, reduced_motion="reduce") as one,
    ):
        await expect(one.bubble("Hello")).to_be_visible()
        yield one
        assert one.complaints == []
        assert one.foreign == []


async def test_what_is_shown_is_what_the_answer_says(chat: Chat) -> None:
    conversation = await chat.conversation()
    for number, (name, answer) in enumerate({**ordinary_answers(), **EDGES}.items()):
        rendering = render(cite(answer), channel("webchat"), ranking=RANKING, answer_id=f"answer-{number}")
        activity = rendering.to_activity()
        assert check(activity) == (), name
        await post_as_bot(chat.authority, conversation, activity)
        # The thumbs come with everything else.
        await expect(chat.page.locator(".webchat__thumb-button")).to_have_count(2 * (number + 1))
        assert await read_display(chat) == expect_shown(answer), name
