"""What Web Chat shows of a message with citations, in words: its text, its list and its label."""

from __future__ import annotations

from collections import Counter

from playwright.async_api import Locator

_READ = """
    messages => messages.map(message => {
        const clean = words => words.replace(/\\u200b/g, "").replace(/\\s+/g, " ").trim();
        const name = one => (one.ariaLabel ?? one.textContent).replace(" Opens in a new window; external.", "");
        const said = node => {
            if (node.nodeType === Node.TEXT_NODE) return node.data;
            if (node.localName === "img") return node.src.startsWith("data:") ? "" : `{image ${node.src}}`;
            const target = node.getAttribute("href") ?? node.value;
            if (node.classList.contains("webchat__render-markdown__pure-identifier"))
                return `{badge ${name(node)} to ${target}}`;
            const inner = [...node.childNodes].map(said).join("");
            if (node.matches("a, button")) return `{link ${inner} to ${target}}`;
            return node.localName === "code" ? `{code ${inner}}` : inner;
        };
        const row = one => {
            const part = name => one.querySelector(`.webchat__link-definitions__list-item-${name}`);
            const opens = part("box").getAttribute("href") ?? "its passage";
            return `row: ${clean(part("text").textContent)} to ${opens}${part("badge") ? ` (${part("badge").textContent})` : ""}`;
        };
        const all = selector => [...message.querySelectorAll(selector)];
        const shield = message.querySelector(".webchat__link-definitions__message-sensitivity-label");
        const locked = shield?.matches(".webchat__link-definitions__message-sensitivity-label--is-encrypted");
        const texts = all(".webchat__render-markdown, .webchat__text-content--is-plain");
        return [
            ...texts.map(one => `text: ${clean(said(one))}`),
            ...all(".webchat__link-definitions__list-item").map(row),
            ...all(".webchat__text-content__generated-badge").map(one => `notice: ${one.textContent}`),
            ...shield ? [[
                `label: ${shield.textContent}`, shield.querySelector("path").getAttribute("fill"), ...locked ? ["locked"] : [],
            ].join(", ")] : [],
        ];
    })
"""


async def shown_citations(messages: Locator) -> list[list[str]]:
    """The lines of each message, none of an empty bubble."""
    found: list[list[str]] = await messages.evaluate_all(_READ)
    return found


def difference(shown: list[str], right: list[str]) -> list[str]:
    """The lines that only ``shown`` has, then ``no`` and those that it has no other line for."""
    if not shown:
        return ["nothing"]
    new = list((Counter(shown) - Counter(right)).elements())
    gone = list((Counter(right) - Counter(shown)).elements())
    replaced = Counter(line.split(":")[0] for line in new)
    kinds = Counter(line.split(":")[0] for line in gone)
    return new + [f"no {line}" for line in gone if kinds[line.split(":")[0]] > replaced[line.split(":")[0]]]
