"""An answer grows in the real Web Chat: in one bubble, with nothing in it that is taken back."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from bot.direct_line.bundle import find_bundle
from citations import Answer, AnswerEvent, Reference, ReferencesFound, channel, cite, render
from tests.bot.direct_line_client import post_as_bot
from tests.bot.running import running

from .browser import Chat, chatting
from .paced_source import PacedSource, pieces
from .watch import WATCH, Bubble, dom, read_out, states

WATERING = Reference(
    id="1", name="Zanzibar (watering) plants.md", text="A fern wants **moist** soil, see [1] and [2].", page=3
)
LIGHT = Reference(id="2", name="Yukon light", url="https://example.com/yukon?light=1#shade")
FOUND = ReferencesFound((WATERING, LIGHT))
TEXT = """\
# Ferns

A fern wants **moist soil** [1], and *never* sun [2][1]. It is `soil[1]` that dries first.

- water it twice a week [1];
- and on hot days [2]

| in   | water |
|------|-------|
| May  | daily [2] |

```python
soil[1] = "[2]: https://example.com"
```

Ask [a gardener](https://evil.example/x) about a fern [7], or read on [2].
"""
"""Every shape that could flicker: markers alone and side by side, emphasis, lists, tables, code, a foreign link."""
LAST = "read on"
WATCH_PRESS = """
    addEventListener("pointerdown", ({ target }) => { window.hit = target.matches("a, button[value]"); }, true);
    addEventListener("click", event => {
        if (!event.target.matches("a")) return;
        event.preventDefault();
        const { dataset } = document.documentElement;
        dataset.opened = Number(dataset.opened ?? 0) + 1;
    }, true);
"""
"""Says whether a press was on a badge, and how many links were opened, and opens none."""
RAW = r"\[[12]\b|\]:|cite:|Zanzibar|Yukon|example\.com"


@pytest.fixture
def source() -> PacedSource:
    return PacedSource()


@pytest.fixture
async def chat(source: PacedSource, tmp_path: Path) -> AsyncIterator[Chat]:
    """A conversation that is watched, in which nothing is asked of others, and nothing complained of."""
    bundle = find_bundle()
    assert bundle.file, "these tests need the bundle from npm"
    async with (
        running(source, docs=tmp_path, bundle=bundle) as authority,
        chatting(authority, WATCH) as one,
    ):
        await expect(one.bubble("Hello")).to_be_visible()
        yield one
        assert one.complaints == []
        assert one.foreign == []


def stop(chat: Chat) -> Locator:
    return chat.page.get_by_role("button", name="Stop the answer")


async def answered(chat: Chat) -> None:
    """The answer is complete."""
    await expect(stop(chat)).to_be_hidden()


async def list_states(chat: Chat) -> list[Bubble]:
    """The states of the last bubble, which is the answer's, in order."""
    found = await states(chat.page)
    last = len(found[-1])
    return [key for key, _ in itertools.groupby(bubbles[-1] for bubbles in found if len(bubbles) == last)]


ORDERS: dict[str, Callable[[], Iterable[AnswerEvent | str]]] = {
    "references first": lambda: (FOUND, *pieces(TEXT, 7)),
    "references last": lambda: (*pieces(TEXT, 7), FOUND),
    "one by one, in the middle": lambda: (
        *pieces(TEXT[:90], 5),
        ReferencesFound((LIGHT,)),
        *pieces(TEXT[90:200], 1),
        ReferencesFound((WATERING,)),
        *pieces(TEXT[200:], 11),
    ),
}


@pytest.mark.parametrize("order", ORDERS)
async def test_it_grows_in_one_bubble(chat: Chat, source: PacedSource, order: str) -> None:
    await chat.ask("How do I keep a fern?")
    for event in ORDERS[order]():
        source.say(event)
        await asyncio.sleep(0.02)  # a model's pace: what is asserted holds at any
    source.end()
    await expect(chat.bubble(LAST)).to_be_visible()
    await answered(chat)
    # One bubble more than the greeting, at every moment.
    counts = [len(bubbles) for bubbles in await states(chat.page)]
    assert counts == sorted(counts)
    assert counts[-1] == 2
    grown = await list_states(chat)
    assert len(grown) > 5, "it was not streamed"
    for bubble in grown:
        # No marker, definition, title or address was ever text.
        assert not re.search(RAW, bubble.prose), bubble.prose
        assert set(bubble.rows) <= {"Zanzibar (watering) plants.md, p. 3", "Yukon light"}
        # Each badge was one from the first.
        for badge in bubble.badges:
            title = "Yukon light" if badge.to == LIGHT.url else "Zanzibar (watering) plants.md, p. 3"
            assert badge.name.startswith(f"{badge.number} {title}"), badge
            assert badge.to in {LIGHT.url, f"cite:{badge.number}"}
    if order == "references first":
        # What was read stays, and goes on.
        for earlier, later in itertools.pairwise(grown):
            assert plain(later.text).startswith(plain(earlier.text)), (earlier.text, later.text)


def plain(text: str) -> str:
    """``text`` without what stands for nothing on the screen, or has no end yet."""
    return re.sub(r"[\u200b\s*`|-]+", "", text)


async def test_the_end_is_as_if_it_had_come_whole(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, *pieces(TEXT[:100], 3))
    await expect(chat.badges()).not_to_have_count(0)
    source.say(*pieces(TEXT[100:], 3))
    source.end()
    await answered(chat)
    await expect(chat.bubble(LAST)).to_be_visible()
    whole = render(cite(Answer(text=TEXT, references=FOUND.references)), channel("directline"))
    await post_as_bot(chat.authority, await chat.conversation(), whole.to_activity())
    await expect(chat.bubble(LAST)).to_have_count(2)
    assert await dom(chat.page, -2) == await dom(chat.page, -1)
    assert (await states(chat.page))[-1][-2:] == ((await states(chat.page))[-1][-1],) * 2


async def test_badges_work_as_they_appear(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1], and never sun [2]. Then")
    await expect(chat.badges()).to_have_text(["1", "2"])
    await expect(stop(chat)).to_be_visible()
    await expect(chat.badges().nth(1)).to_have_attribute("href", LIGHT.url or "")
    await chat.badges().first.click()
    await expect(chat.passage()).to_contain_text("A fern wants moist soil, see")
    # A passage that is open stays open while the answer goes on behind it.
    source.say(" there is more to say [1]. And")
    await expect(chat.bubble("more to say")).to_have_count(1)
    await expect(chat.passage()).to_be_visible()
    source.end()
    await answered(chat)
    await expect(chat.passage()).to_be_visible()
    await chat.page.keyboard.press("Escape")
    await expect(chat.badges()).to_have_text(["1", "2", "1"])


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("by", ["mouse", "finger"])
async def test_a_badge_that_is_drawn_anew_under_a_press_is_clicked_once(
    chat: Chat, source: PacedSource, by: str, number: int
) -> None:
    """While an answer comes, Web Chat draws it anew again and again, and a press takes a while."""
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1], and never sun [2]. Then")
    await expect(chat.bubble("Then")).to_be_visible()
    release = await press(chat, chat.badges().nth(number - 1), by)
    source.say(" there is more to say. And")
    await expect(chat.bubble("more to say")).to_be_visible()
    await release()
    if number == 1:
        await expect(chat.passage()).to_contain_text("A fern wants moist soil, see")
    else:
        await expect(chat.page.locator("html[data-opened]")).to_have_attribute("data-opened", "1")
    source.end()
    await answered(chat)
    assert await chat.page.evaluate("document.documentElement.dataset.opened") == (None, "1")[number - 1]


async def press(chat: Chat, badge: Locator, by: str) -> Callable[[], Awaitable[object]]:
    """Press a badge. Return what releases it."""
    page = chat.page
    await page.evaluate(WATCH_PRESS)
    session = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: dict[str, float]) -> None:
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    async with asyncio.timeout(60):
        while True:
            await badge.hover()
            place = await badge.bounding_box()
            assert place
            point = {"x": place["x"] + place["width"] / 2, "y": place["y"] + place["height"] / 2}
            await (page.mouse.down() if by == "mouse" else touch("touchStart", point))
            release = page.mouse.up if by == "mouse" else partial(touch, "touchEnd")
            # A press misses what moves in the very moment.
            if await page.evaluate("hit"):
                return release
            await release()


async def test_a_second_question_streams_again_and_the_first_stays(chat: Chat, source: PacedSource) -> None:
    for question in ("first", "second"):
        await chat.ask(f"The {question} question")
        source.say(FOUND, f"The {question} begins [1]. And then")
        await expect(chat.bubble(f"The {question} begins")).to_be_visible()
        await expect(stop(chat)).to_be_visible()
        source.say(f" the {question} ends [2].")
        source.end()
        await answered(chat)
        await expect(chat.bubble(f"the {question} ends")).to_be_visible()
        if question == "first":
            finished = await dom(chat.page, -1)
    assert await dom(chat.page, -2) == finished
    # Web Chat sorts what is streamed by its own rules: each answer is below its question.
    shown = await chat.page.locator(".webchat__bubble__content").all_inner_texts()
    assert [words.split(" ")[:2] for words in shown[1:]] == [
        ["The", "first"],
        ["The", "first"],
        ["The", "second"],
        ["The", "second"],
    ]
    assert ["question" in words for words in shown[1:]] == [True, False, True, False]


async def test_a_reload_in_the_middle(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1]. ")
    await expect(chat.badges()).to_have_count(1)
    source.say("And never sun [2]. Then")
    await expect(chat.badges()).to_have_count(2)
    await chat.page.reload()
    await expect(chat.bubble("never sun")).to_be_visible()
    await expect(stop(chat)).to_be_visible()
    source.say(" comes the end [1].")
    source.end()
    await answered(chat)
    await expect(chat.bubble("comes the end")).to_be_visible()
    assert max(len(bubbles) for bubbles in await states(chat.page)) == 2
    # Those who come when all is said see the answer alone, and not how it grew.
    await chat.page.reload()
    await expect(chat.bubble("comes the end")).to_be_visible()
    await expect(stop(chat)).to_be_hidden()
    assert len(await list_states(chat)) == 1


async def test_a_socket_lost_in_the_middle(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1]. And")
    await expect(chat.badges()).to_have_count(1)
    await chat.page.evaluate("sockets.at(-1).close()")
    source.say(" never sun [2]. Then comes the end.")
    source.end()
    # Microsoft's client waits 3 to 15 s before it connects again.
    await expect(chat.bubble("comes the end")).to_be_visible(timeout=60_000)
    await answered(chat)
    assert max(len(bubbles) for bubbles in await states(chat.page)) == 2


async def test_it_is_read_out_once(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    for number in range(20):
        source.say(f"Sentence {number} is here. And")
        await expect(chat.bubble(f"Sentence {number} is")).to_have_count(1)
    source.end()
    await answered(chat)
    await chat.page.wait_for_function("readOut.some(words => words.includes('Sentence 19'))")
    read = await read_out(chat.page)
    assert sum("Sentence 1 is" in words for words in read) == 1, read
    assert sum("typing" in words for words in read) <= 1, read


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
async def test_stop(chat: Chat, source: PacedSource, by: str) -> None:
    box = chat.page.get_by_placeholder("Ask a question")
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1]. And")
    await expect(chat.badges()).to_have_count(1)
    await expect(box).to_be_focused()
    place = await box.bounding_box()
    if by == "mouse":
        await stop(chat).click()
    else:
        await stop(chat).focus()
        await chat.page.keyboard.press("Enter")
    await answered(chat)
    await expect(chat.bubble("A fern wants")).to_have_count(1)
    await expect(chat.badges()).to_have_count(1)
    # Nobody else's bubble, and the next question can be typed at once.
    assert len((await states(chat.page))[-1]) == 2
    await expect(chat.page.locator(".webchat__stacked-layout--from-user")).to_have_count(1)
    await expect(box).to_be_focused()
    assert await box.bounding_box() == place
    assert source.ended == 1


async def test_what_breaks_off_stays(chat: Chat, source: PacedSource) -> None:
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1]. And")
    await expect(chat.badges()).to_have_count(1)
    source.fail()
    await answered(chat)
    await expect(chat.bubble("A fern wants")).to_have_count(1)
    await expect(chat.badges()).to_have_count(1)


SCREENS = [
    pytest.param(scheme, width, id=f"{scheme} {width}")
    for scheme, width in itertools.product(("light", "dark"), (1000, 360))
]


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
async def test_axe_finds_nothing_meanwhile(chat: Chat, source: PacedSource, scheme: str, width: int) -> None:
    await chat.page.emulate_media(
        color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    await chat.page.set_viewport_size({"width": width, "height": 640})
    await chat.ask("How do I keep a fern?")
    source.say(FOUND, "A fern wants moist soil [1]. And")
    await expect(chat.badges()).to_have_count(1)
    assert await chat.axe() == []
    place = await stop(chat).bounding_box()
    assert place
    assert min(place["width"], place["height"]) >= 24
    assert await chat.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Nothing that can be pressed or read lies under it.
    send = await chat.page.get_by_role("button", name="Send").bounding_box()
    assert send
    assert place["x"] + place["width"] <= send["x"]
    source.end()
    await answered(chat)
