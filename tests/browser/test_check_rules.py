"""The damage that rules of ``check`` name, seen in real Web Chat, and the mended message beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it.utils import read_fixture_file
from playwright.async_api import expect

from citations import check
from citations.inspection.checks import RULES
from citations.model.channel_id import Client
from tests.bot.direct_line_client import post_as_bot
from tests.check_corpus import CORPUS, SAMPLE, changed

from .browser import Chat
from .posted import posted, unprotected
from .shown_citations import difference, shown_citations

CASES = {title: (changes, shown) for _, title, changes, shown in read_fixture_file(CORPUS / "displayed.md")}
MENDED = """\
text: Override the proxy{badge 1 One to https://example.com/1}{badge 2 Two to https://example.com/2} where it asks who you are{badge 3 Three to cite:1}.
row: One to https://example.com/1 (General)
row: Two to https://example.com/2
row: Three to its passage (Confidential)
label: Confidential, orange, locked
""".splitlines()
NOTICE = "notice: AI-generated content may be incorrect"
EMPTY = 'message.citation[2].appearance.text = " "'
MISSING = "delete message.citation[2].appearance.text"


HERE = """
    text-not-a-string text-missing interpreter-unnamed interpreter-not-first passage-link passage-missing passage-empty
    stream-channel-data stream-after-final stream-id stream-sequence stream-type stream-activity-type stream-disagrees
    second-code code-without-text
""".split()
"""The rules whose cases are in the functions below."""
ENGINES = "without-tables escaped-pipe code-below-definition code-behind-formula".split()
"""Those of Markdown alone, which the engines of Web Chat read in ``tests/clients``."""
DOUBTS = "source-doubtful number-not-in-source quotation-not-in-source".split()
"""Those that doubt a source, and say nothing of a client."""
WITHOUT_CASE = """
    attachment-reuses-label duplicate-action-id graph-too-deep json-ld stream-unfinished too-many-citations
    vote-about-nothing
""".split()
"""Those whose row says that a document, a standard or Web Chat's code says so. No rule comes to these."""


def test_every_rule_of_web_chat_has_its_case() -> None:
    rules = {rule.code for rule in RULES if Client.WEB_CHAT in rule.kinds}
    cases = {re.split("[ :]", title)[0] for title in CASES}
    assert rules - cases - {*HERE, *ENGINES, *DOUBTS} == {*WITHOUT_CASE}


def cases_of(build: str) -> dict[str, tuple[str, str]]:
    return {title: case for title, case in CASES.items() if (" in main:" in title) is (build == "main")}


@pytest.mark.parametrize("build", ["stable", "main"])
async def test_what_each_rule_names_is_shown(build: str, tmp_path: Path) -> None:
    cases = cases_of(build)
    activities = [changed(changes) for changes, _ in cases.values()]
    for title, activity in zip(cases, activities, strict=True):
        assert re.split("[ :]", title)[0] in {problem.code for problem in check(activity)}, title
    assert [problem.code for changes in (EMPTY, MISSING) for problem in check(changed(changes))] == [
        "passage-empty",
        "passage-missing",
    ]
    async with unprotected(build, tmp_path) as chat:
        messages = await posted(chat, [SAMPLE, *activities, SAMPLE])
        right, *shown, again = (await shown_citations(messages))[1:]
        assert right == again
        assert sorted(right) == sorted([*MENDED, *([NOTICE] if build == "main" else [])])
        found = {title: difference(one, right) for title, one in zip(cases, shown, strict=True)}
        assert found == {title: expected.splitlines() for title, (_, expected) in cases.items()}
        await see_pieces(chat, build)
        if build == "main":
            await see_code(chat)
            await see_a_conversation_end(chat)
        else:
            await see_streams(chat)
            await see_clicks(chat)


UNNAMED = {
    "interpreter-unnamed": "delete message.citation[0].claimInterpreter.slogan",
    "interpreter-not-first": "delete message.citation[0].claimInterpreter",
}
LINKED = 'message.citation[2].appearance.text = "The [passage](https://evil.example/x)."'


@pytest.mark.parametrize("build", ["stable", "main"])
async def test_what_is_beside_the_text_or_behind_a_click(build: str, tmp_path: Path) -> None:
    """No line of an interpreter (``interpreter-unnamed``); the document's own link (``passage-link``)."""
    assert [[one.code for one in check(changed(changes))] for changes in UNNAMED.values()] == [
        [one] for one in UNNAMED
    ]
    assert [problem.code for problem in check(changed(LINKED))] == ["passage-link"]
    async with unprotected(build, tmp_path) as chat:
        await posted(chat, [SAMPLE, *map(changed, UNNAMED.values())])
        await expect(chat.page.get_by_text("Surfaced with AI")).to_have_count(1)
        await open_badge(chat, LINKED)
        link = chat.passage().locator(".webchat__citation-modal-dialog__body a")
        await expect(link).to_have_attribute("href", "https://evil.example/x")


@pytest.mark.parametrize("build", ["stable", "main"])
async def test_what_has_no_text_is_not_shown(build: str, tmp_path: Path) -> None:
    """``text-missing`` and ``message-empty``: no bubble. ``text-not-a-string``: no message any more."""
    async with unprotected(build, tmp_path) as chat:
        conversation = await chat.conversation()
        for changes, code in (("delete text", "text-missing"), ('text = ""\nentities = []', "message-empty")):
            assert code in {problem.code for problem in check(changed(changes))}
            await post_as_bot(chat.authority, conversation, changed(changes))
        await posted(chat, [SAMPLE])
        assert check(changed('text = ["a"]'))[0].code == "text-not-a-string"
        await post_as_bot(chat.authority, conversation, changed('text = ["a"]'))
        await expect(chat.page.locator(".webchat__bubble__content")).to_have_count(0)


async def see_a_conversation_end(chat: Chat) -> None:
    """``context``, ``root-without-type`` and others: the main build shows no message any more."""
    activity = changed('message.@context = "http://schema.org"')
    assert [problem.code for problem in check(activity)] == ["context"]
    await post_as_bot(chat.authority, await chat.conversation(), activity)
    await expect(chat.page.get_by_text("Render error").first).to_be_visible()


async def see_streams(chat: Chat) -> None:
    """``stream-channel-data``: a bubble for each piece. ``stream-after-final``: the answer is replaced."""
    bubbles = chat.page.locator(".webchat__bubble__content")
    before = await bubbles.count()
    for place, expected in ("entities", 2), ("channelData", 1):
        await post_stream(chat, place, "Set a", "Set a proxy.")
        before += expected
        await expect(bubbles).to_have_count(before)
    await expect(bubbles.last).to_have_text("Set a proxy.")
    await post_stream(chat, "channelData", "Set it", "Set it.", "Set it wro")
    await expect(bubbles).to_have_count(before + 1)
    await expect(chat.bubble("Set it")).to_have_text(["Set it wro"])


PIECES: tuple[tuple[str, dict[str, Any], tuple[str, str]], ...] = (
    ("", {}, ("joined", "joined")),
    ("stream-id", {"streamId": None}, ("apart", "apart")),
    ("stream-sequence", {"streamSequence": 0}, ("joined", "apart")),
    ("stream-type", {"streamType": "last"}, ("joined", "apart")),
    ("stream-activity-type", {"type": "message"}, ("joined", "apart")),
    (
        "stream-disagrees",
        {"entities": [{"type": "streaminfo", "streamType": "streaming", "streamSequence": 9}]},
        ("joined", "joined"),
    ),
)
"""Of a stream's second interim: the rule that it breaks, how it is changed, and where 4.18.1 and the main build show it."""


async def see_pieces(chat: Chat, build: str) -> None:
    conversation = await chat.conversation()
    for number, (code, changes, places) in enumerate(PIECES):
        piece: dict[str, object] = {"type": "typing", "text": f"Piece {number}"}
        data: dict[str, object] = {"streamType": "streaming", "streamSequence": 1}
        stream = await post_as_bot(chat.authority, conversation, {**piece, "channelData": data})
        data |= {"streamSequence": 2, "streamId": stream}
        for key, value in changes.items():
            (piece if key in ("type", "entities") else data)[key] = value
        piece |= {"text": f"Piece {number} more", "channelData": data}
        assert code in {one.code for one in check(piece)} or not (code or check(piece))
        await post_as_bot(chat.authority, conversation, piece)
        await post_as_bot(chat.authority, conversation, {"type": "message", "text": f"Behind {number}."})
        await expect(chat.bubble(f"Behind {number}.")).to_have_count(1)
        first, more = f"Piece {number}", f"Piece {number} more"
        shown = {"joined": [more], "apart": [first, more]}[places[build == "main"]]
        await expect(chat.bubble(first)).to_have_text(shown)


async def see_code(chat: Chat) -> None:
    """A button for the first query with a text, none for others (``code-without-text``, ``second-code``)."""
    query = {"@type": "SoftwareSourceCode", "programmingLanguage": "sparql"}
    first: dict[str, str] = {"text": "SELECT 1"}
    texts: tuple[list[dict[str, str]], ...] = [first], [{}], [first, {"text": "SELECT 2"}]
    buttons = chat.page.get_by_role("button", name="Code")
    shown = await buttons.count()
    for several, codes, more in zip(
        texts, ([], ["code-without-text"], ["second-code"]), (1, 0, 1), strict=True
    ):
        activity = changed(f"message.isBasedOn = {json.dumps([query | text for text in several])}")
        assert [problem.code for problem in check(activity)] == codes
        before = await chat.page.locator(".webchat__bubble__content").count()
        await post_as_bot(chat.authority, await chat.conversation(), activity)
        await expect(chat.page.locator(".webchat__bubble__content")).to_have_count(before + 1)
        shown += more
        await expect(buttons).to_have_count(shown)


async def post_stream(chat: Chat, place: str, *texts: str) -> None:
    """Post an interim, the final, and interims that are late, with the metadata in this place."""
    conversation, stream = await chat.conversation(), None
    for number, text in enumerate(texts):
        data: dict[str, object] = {"streamType": "streaming", "streamSequence": number + 1}
        if number == 1:
            data = {"streamType": "final"}
        if stream:
            data["streamId"] = stream
        metadata = [{"type": "streaminfo", **data}] if place == "entities" else data
        activity = {"type": "message" if number == 1 else "typing", "text": text, place: metadata}
        posted_id = await post_as_bot(chat.authority, conversation, activity)
        stream = stream or posted_id


async def see_clicks(chat: Chat) -> None:
    """A passage opens; an empty one does so empty (``passage-empty``), and none ends Web Chat (``passage-missing``)."""
    dialog = chat.passage()
    # After a badge that does nothing, the next one opens the only dialog.
    await open_badge(chat, CASES["cite-characters: a space"][0])
    for changes, shown in ("", "The passage."), (EMPTY, ""):
        await open_badge(chat, changes)
        await expect(dialog.locator(".webchat__citation-modal-dialog__body")).to_have_text(shown)
        await chat.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
    await open_badge(chat, MISSING)
    await expect(chat.page.locator(".webchat__bubble__content")).to_have_count(0)


async def open_badge(chat: Chat, changes: str) -> None:
    """Post the changed sample, and open the passage of its badge, by a key: a click may miss what still scrolls."""
    badges = chat.page.locator(".webchat__render-markdown button")
    before = await badges.count()
    await post_as_bot(chat.authority, await chat.conversation(), changed(changes))
    await expect(badges).to_have_count(before + 1)
    await badges.last.press("Enter")
