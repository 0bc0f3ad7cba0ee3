"""What a client displays of a message: what it would load, follow or say, as its DOM has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator

from tests.attacks import ATTACKS, SOURCES, Attack

_READ = """
    (messages, badge) => messages.map(message => {
        const all = (selector, of) => [...message.querySelectorAll(selector)].map(of);
        return {
            words: message.textContent,
            links: all("a[href]", one => one.href),
            images: all("img", one => one.src).filter(url => !url.startsWith("data:")),
            tags: all("ins, iframe, script, object, embed, form, input", one => one.localName),
            badges: all(badge, one => one.ariaLabel ?? one.textContent),
        };
    })
"""
_OURS = {reference.url for reference in SOURCES}
_BADGE = re.compile(r"(\d)(?: (.+?))?(?: ?Opens in a new window; external\.)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Displayed:
    """A message, or a passage, on the screen; ``badges`` are the accessible names of its badges."""

    words: str
    links: Sequence[str]
    images: Sequence[str]
    tags: Sequence[str]
    badges: Sequence[str]

    def damage(self, attack: Attack, badges: int | None = None) -> str:
        """What ``attack`` has done, in these words, by the alphabet.

        ``html``: tags of its own; ``image``, ``link``: from or to a foreign place; ``lost``: fewer badges
        than it cites; ``name``: a badge that isn't called as its source; ``unseen``: words that are gone.
        """
        expected = attack.badges if badges is None else badges
        found = {
            "html": bool(self.tags),
            "image": bool(self.images),
            "link": not _OURS.issuperset(self.links),
            "lost": len(self.badges) < expected,
            "name": not all(map(_is_ours, self.badges)),
            "unseen": "aria-label" in attack.text and "aria-label" not in self.words,
        }
        return " ".join(word for word, is_so in found.items() if is_so)


async def displayed(messages: Locator, badge: str) -> list[Displayed]:
    """Each of ``messages``, in which ``badge`` selects the badges."""
    found: list[dict[str, Any]] = await messages.evaluate_all(_READ, badge)
    return [Displayed(**one) for one in found]


def _is_ours(name: str) -> bool:
    match = _BADGE.fullmatch(name)
    return match is not None and (match[2] is None or match[2] == SOURCES[int(match[1]) - 1].name)


def damages(shown: list[Displayed], badges: int | None = None) -> dict[str, str]:
    """What is displayed of each attack, where it did any damage."""
    found = {
        name: one.damage(attack, badges) for (name, attack), one in zip(ATTACKS.items(), shown, strict=True)
    }
    return {name: damage for name, damage in found.items() if damage}


_OPEN = f"""
    async (messages, badge) => {{
        const read = {_READ};
        const until = async found => {{
            const end = performance.now() + 5000;
            while (!found() && performance.now() < end) await new Promise(wake => setTimeout(wake, 5));
        }};
        const row = "button.webchat__link-definitions__list-item-box";
        const body = () => document.querySelector("dialog[open] .webchat__citation-modal-dialog__body");
        const passages = [];
        // A dialog makes all that is behind it inert, which takes long where that is much.
        const transcript = document.querySelector(".webchat__basic-transcript");
        transcript.style.display = "none";
        for (const button of messages.map(one => one.querySelector(row))) {{
            button?.click();
            if (button) await until(body);
            passages.push(...read([body()?.closest("dialog") ?? document.createElement("p")], badge));
            document.querySelector("dialog[open] .webchat__modal-dialog__close-button")?.click();
            await until(() => !document.querySelector("dialog .webchat__citation-modal-dialog__body"));
        }}
        transcript.style.display = "";
        return passages;
    }}
"""


async def opened_passages(messages: Locator, badge: str) -> list[Displayed]:
    """What Web Chat's dialog displays of the first source of each message that has a passage to open."""
    found: list[dict[str, Any]] = await messages.evaluate_all(_OPEN, badge)
    return [Displayed(**one) for one in found]
