"""A tenant's ten labels in the real Web Chat: their names, tooltips, colours and locks."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from typing import Any

from playwright.async_api import expect

from bot.direct_line.bundle import find_bundle
from citations import Answer, LabelRanking, Reference, SensitivityLabel, channel, check, cite, render
from tests.bot.direct_line_client import post_as_bot
from tests.bot.running import running
from tests.bot.table_source import TableSource

from .browser import chatting

RANKING = LabelRanking.from_toml(
    "\n".join(
        f"[[label]]\nid = '{number:08x}-0000-4000-8000-000000000000'\npriority = {number}\n"
        f"name = '{name}'\ndescription = '{description}'\n{more}"
        for number, (name, description, more) in enumerate(
            (
                ("Personal", "Not for work.", "color = '#737373'"),
                ("Public", "Anybody may read it.", "color = '#317100'"),
                ("General", "For everyone at work.", ""),
                ("Internal", "It stays in the house; ask before you send it.", "color = 'teal'"),
                ("Confidential\\Any User (No Protection)", "For approved partners.", "color = 'orange'"),
                (
                    "Confidential\\All Employees",
                    "Employees can open it.",
                    "color = '#ff8c00'\nencrypted = true",
                ),
                (
                    "Confidential\\Trusted People",
                    "For whom the author names.",
                    "color = '#f80'\nencrypted = true",
                ),
                ("Vertraulich / Führung & Räte", "<b>Nur</b> „oben“ [1].", "color = 'RebeccaPurple'"),
                ("极机密\\财务", "仅限财务部门。", "color = '#8b000080'\nencrypted = true"),
                ("Highly Confidential\\Board", "For the board.", "color = 'darkred'\nencrypted = true"),
            )
        )
    )
)

_READ = """
    list => {
        const above = list.querySelector(".webchat__link-definitions__message-sensitivity-label");
        const of = label => [label.textContent, label.title.split("\\n\\n")];
        return {
            message: of(above),
            color: above.querySelector("path").getAttribute("fill"),
            locked: above.classList.contains("webchat__link-definitions__message-sensitivity-label--is-encrypted"),
            shield: [...above.querySelectorAll("path")].at(-1).getAttribute("d"),
            citations: [...list.querySelectorAll(".webchat__link-definitions__list-item-badge")].map(of),
        };
    }
"""


def answer(label: SensitivityLabel) -> Answer:
    """It cites a source with the lowest label and one with this."""
    lowest = RANKING.labels[0]
    references = (
        Reference(id="1", name="Handbook", url="https://example.com/handbook", label=lowest.id),
        Reference(id="2", name="Letter", text="It says so.", label=label.id, extract=True),
    )
    return Answer(text="It is so [1], or so [2].", references=references)


async def test_each_label_is_shown_as_the_catalogue_has_it(tmp_path: Path) -> None:
    bundle = find_bundle()
    assert bundle.file, "these tests need the bundle from npm"
    lowest = RANKING.labels[0]
    shields: dict[bool, set[str]] = {False: set(), True: set()}
    assert len(RANKING.labels) == 10
    async with running(TableSource(), docs=tmp_path, bundle=bundle) as authority, chatting(authority) as chat:
        conversation = await chat.conversation()
        lists = chat.page.locator(".webchat__link-definitions")
        for number, label in enumerate(RANKING.labels):
            activity = render(cite(answer(label)), channel("webchat"), ranking=RANKING).to_activity()
            assert check(activity) == (), label.name
            await post_as_bot(authority, conversation, activity)
            await expect(lists).to_have_count(number + 1)
            found: dict[str, Any] = await lists.nth(number).evaluate(_READ)
            said = [label.name, [label.name, label.description]]
            assert found["message"] == said
            assert found["citations"] == [[lowest.name, [lowest.name, lowest.description]], said]
            assert found["locked"] is label.encrypted
            assert found["color"] == (label.color or "currentcolor")
            shields[label.encrypted].add(found["shield"])
        assert chat.complaints == []
        assert chat.foreign == []
    # One shield, and one with a lock on it.
    assert [len(drawn) for drawn in shields.values()] == [1, 1]
    assert shields[False] != shields[True]


def test_a_text_begins_with_the_words() -> None:
    for label in RANKING.labels[1:]:
        for channel_id in ("sms", "email", "telegram"):
            text = unescape(render(cite(answer(label)), channel(channel_id), ranking=RANKING).text)
            assert text.startswith(f"Sensitivity label: {label.name}\n\n"), text
