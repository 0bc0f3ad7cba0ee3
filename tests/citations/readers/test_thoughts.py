"""Thoughts and calls of tools are no part of an answer: none of them is shown, and no marker of theirs counts."""

from __future__ import annotations

import json
import re
from itertools import product
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citations import AnswerEvent, Reference, channel, cite, render
from citations.model import SpanFound
from citations.readers import FORMATS, VisibleText, hide_thoughts, text_of
from citations.readers.anchor import TextRange, not_placed
from citations.readers.spanned_text import SpannedText

DONE = '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; Is it [2]?\n</details>\n'
TOOL = (
    '<details type="tool_calls" done="true" id="call_1" name="search" arguments="&quot;{\\&quot;q\\&quot;: 1 &gt; 0}&quot;" '
    'result="&quot;[3] &lt;/details&gt;&quot;" files="">\n<summary>Tool Executed</summary>\n</details>\n'
)
CODE = '<details type="code_interpreter" done="true" output="&quot;4&quot;">\n<summary>Analyzed</summary>\n```python\n2 + 2\n```\n</details>\n'

HIDDEN: dict[str, tuple[str, str]] = {
    # In tags, before the answer.
    "think": ("<think>Is it [2]?</think>\n\nIt is [1].", "It is [1]."),
    "every name that models use": (
        "<thinking>a</thinking>\n<Thought>b</Thought><reason>c</reason><reasoning>d</reasoning> It is.",
        "It is.",
    ),
    "of Mistral": ("[THINK]Is it [2]?\n</think>[/THINK]It is [1].", "It is [1]."),
    "of Mistral, twice": ("\n[THINK]a[/THINK]\n[THINK]b[/THINK]\n\nIt is.", "It is."),
    "of Mistral, never ended": ("[THINK]It is [1].", ""),
    "of Mistral, later": ("It is.\n[THINK]so[/THINK]", "It is.\n[THINK]so[/THINK]"),
    "the text of a link": ("[THINK](https://e.com/a) is one.", "[THINK](https://e.com/a) is one."),
    "a definition": ("[THINK]: https://e.com/a", "[THINK]: https://e.com/a"),
    "a word in brackets": ("[Think] of it.", "[Think] of it."),
    "nothing but the tag of Mistral": ("[THINK]", "[THINK]"),
    # Of a server that puts the beginning into the prompt.
    "an end alone": ("Is it [2]?\n</think>\n\nIt is [1].", "It is [1]."),
    "in the middle of a line": ("a</think>It is.", "It is."),
    "behind a quotation": ('He asks "why?"</think>It is.', "It is."),
    "behind code": ("It is `a`</think>It is.", "It is."),
    "quoted": ("The \"</think>\" tag and '</think>' end them.", "The \"</think>\" tag and '</think>' end them."),
    "nothing before it": ("</think>\n\nIt is.", "It is."),
    "before reasoning": (f"a</think>\n{DONE}It is.", "It is."),
    "twice": ("a</think>b\n</Thinking> It is.", "It is."),
    "with code in it": ("```\na\n```\nand `b`\n</think>It is.", "It is."),
    "an end alone in code": ("It is `</think>`, as in\n```\n</think>\n```\n", "It is `</think>`, as in\n```\n</think>\n```\n"),
    "an end alone as a word": ("The tag </think> ends them, “</think>” too.", "The tag </think> ends them, “</think>” too."),
    "an end that the answer began": ("It is:\n\n<think>\nso\n</think>\n", "It is:\n\n<think>\nso\n</think>\n"),
    "an end of XML": ("<fault>\n<reason code='5'>a</reason>\n", "<fault>\n<reason code='5'>a</reason>\n"),
    "half an end": ("It is a </thin", "It is a </thin"),
    "never ended": ("\n<think>It is [1].", ""),
    "no tag": ("<thin", "<thin"),
    "of an answer that begins with white space": ("\n\n    It is.", "\n\n    It is."),
    "in a sentence": ("Models write <think>so</think> [1].", "Models write <think>so</think> [1]."),
    "on a line of its own": ("It is [1].\n<think>so</think>", "It is [1].\n<think>so</think>"),
    "in a code span": ("`<think>`so`</think>` is a tag.", "`<think>`so`</think>` is a tag."),
    "in a fence": ("```\n<think>\n```\n", "```\n<think>\n```\n"),
    # As Open WebUI saves them.
    "reasoning": (f"{DONE}It is [1].", "It is [1]."),
    "reasoning between paragraphs": (f"It is\n{DONE}so [1].", "It is\n\nso [1]."),
    "a call of a tool": (f"Let me look.\n{TOOL}{TOOL}It is [1].", "Let me look.\n\nIt is [1]."),
    "code that was run": (f"I count.\n{CODE}It is 4.", "I count.\n\nIt is 4."),
    "the text goes on in the line": (f"{DONE.rstrip()} It is [1].", "It is [1]."),
    "at the end": (f"It is [1].\n{DONE}", "It is [1].\n"),
    "both kinds": (f"<think>a</think>\n{DONE}<think>b</think>\nIt is.", "It is."),
    "attributes in any order": ('<details done="true" open id=\'a>b\' type=reasoning>\na [2]\n</details>\nIt is.', "It is."),
    "other letters, spaces": ('  <DETAILS\tTYPE = "Reasoning" >\na\n</Details >\nIt is.', "It is."),
    "quotes within quotes": ('<details type="tool_calls" name="it"s">a</details>\nIt is.', "It is."),
    "an end within an attribute": ("<details type=\"tool_calls\" result='</details> [3]'>\na\n</details>\nIt is.", "It is."),
    "nested": (
        f'<details type="reasoning">\na\n> <details>\n> b\n> </details>\n{TOOL}c [2]\n</details>\nIt is.',
        "It is.",
    ),
    "words about details in thoughts": ('<details type="reasoning">\nfold with <details> here\n</details>\nIt is.', "It is."),
    "left open": ('It is [1].\n<details type="reasoning" done="false">\n<summary>Thinking…</summary>\nand [2]', "It is [1].\n"),
    "left open in its tag": ('It is [1].\n<details type="tool_calls" result="&quot;[2', "It is [1].\n"),
    "behind a fence": (f"```\na\n```\n{DONE}It is.", "```\na\n```\n\nIt is."),
    "behind a code span in a line that is none": (f"```a``` b\n{DONE}It is.", "```a``` b\n\nIt is."),
    "line ends of Windows": (f"It is\n{DONE}so.".replace("\n", "\r\n"), "It is\r\n\nso."),
    # What is an answer's own.
    "details of another type": ('<details type="note">\na\n</details>\nIt is.', '<details type="note">\na\n</details>\nIt is.'),
    "details without a type": ("<details>\ntype=reasoning\n</details>", "<details>\ntype=reasoning\n</details>"),
    "a type in another attribute": ("<details title=' type=reasoning '>a", "<details title=' type=reasoning '>a"),
    "details in a sentence": (f"Write {DONE}", f"Write {DONE}"),
    "details in a fence": (f"```html\n{DONE}```\n{DONE}It is.", f"```html\n{DONE}```\n\nIt is."),
    "details in a fence of a list": (f"- a\n\n  ~~~~\n{DONE}~~~\n{DONE}~~~~\n", f"- a\n\n  ~~~~\n{DONE}~~~\n{DONE}~~~~\n"),
    "details in indented code": (f"a\n\n    {DONE}", f"a\n\n    {DONE}"),
    "a tag that is too long to be looked through": (
        f'<details title="{"a" * 1024}" type="reasoning">', f'<details title="{"a" * 1024}" type="reasoning">'
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), HIDDEN.values(), ids=HIDDEN)
def test_what_is_shown(text: str, shown: str) -> None:
    assert hide_thoughts(text) == shown
    assert "".join(feed_all(text)) == shown, "one character at a time"
    assert hide_thoughts(shown) == shown, "what is shown has no thoughts"


def feed_all(pieces: Any) -> list[str]:
    text, shown = VisibleText(), list[str]()
    for piece in pieces:
        added = text.feed(piece)
        if text.withdrawn:
            shown.clear()
        shown.append(added)
    rest = text.close()
    return [rest] if text.withdrawn else [*shown, rest]


FRAGMENTS = [
    "<think>", "</think>", "<reasoning>", "[THINK]", "[/THINK]", "(", "<details", ' type="reasoning"', " type=tool_calls", " open", ' id="', "'", '"', ">", "</details>",
    "<details>", "\n", "\n", "\r", "\r\n", " ", "    ", "> ", "- ", "```", "~~~", "`", "a", "[1]", "😀", "=", "</", "<", "det",
    DONE, TOOL, CODE,
]  # fmt: skip
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join)


@given(fragments, st.data())
@example("<details" + " " * 1100 + "type=reasoning>", None)
def test_any_cut_shows_the_same(text: str, data: st.DataObject | None) -> None:
    places = st.lists(st.integers(0, len(text)), max_size=8)
    cuts = sorted(data.draw(places)) if data else range(0, len(text), 7)
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    assert "".join(feed_all(pieces)) == "".join(feed_all(text)) == hide_thoughts(text)


@given(fragments)
def test_only_the_beginning_of_a_line_is_held_back(text: str) -> None:
    visible, shown = VisibleText(), ""
    for end, character in enumerate(text, 1):
        added = visible.feed(character)
        shown = added if visible.withdrawn else shown + added
        held = text[:end].removeprefix(shown)
        if text.startswith(shown) and shown.strip() and hide_thoughts(text[:end]) == text[:end]:
            assert re.fullmatch(r" {0,3}(<.*)?", held)


@given(fragments, st.data())
@example("\n\naaaa</think>aaa", None)
def test_a_place_is_where_its_words_are_shown(text: str, data: st.DataObject | None) -> None:
    """Each letter is another one, so that it is known which of them are shown."""
    letters = map(chr, range(0x4E00, 0x9FFF))
    text = "".join(next(letters) if one == "a" else one for one in re.split("(a)", text + "aa") if one)
    start = data.draw(st.integers(0, len(text) - 1)) if data else 1
    end = data.draw(st.integers(start + 1, len(text))) if data else len(text)
    answer = SpannedText()
    events = [*answer.add(text), *answer.close()]
    place = TextRange(start, end)
    events += answer.cite(answer.part, place, [Reference(id="1")], missing=not_placed("$"))
    shown = text_of(events)
    assert shown == hide_thoughts(text)
    spans = [one for one in events if isinstance(one, SpanFound)]
    words = "".join(shown[one.start : one.end] for one in spans)
    assert han(words) == [one for one in han(text[start:end]) if one in shown]


def han(text: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff]", text)


SAID = f"<think>By [3].</think>\n\n{DONE}It is [2].\n{TOOL}And so [1]."
SHOWN = "It is [2].\n\nAnd so [1]."
FILES = [{"fileId": str(number), "cite": str(number), "text": f"Passage {number}."} for number in (1, 2, 3)]
NODES = [{"node": {"text": f"Passage {number}."}, "score": 0.5} for number in (1, 2, 3)]
SOURCES = [
    {
        "source": {"name": f"{one}.md", "id": one},
        "document": [f"Passage {one}."],
        "metadata": [{"source": one}],
    }
    for one in "123"
]
NAMED = re.sub(r"\[(\d)\]", r"[File \1](\1)", SAID)
WHOLE: dict[str, Any] = {
    "writer": {"question": "?", "answer": NAMED, "references": {"files": FILES}},
    "llamaindex": {"response": SAID, "source_nodes": NODES},
    "open-webui": {"choices": [{"message": {"content": SAID}, "finish_reason": "stop"}], "sources": SOURCES},
}


def streamed(supplier: str, size: int, said: str) -> bytes:
    """An answer in pieces of so many characters."""
    text = re.sub(r"\[(\d)\]", r"[File \1](\1)", said) if supplier == "writer" else said
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    if supplier == "llamaindex":
        documents: list[Any] = [{"source_nodes": NODES}, *({"delta": piece} for piece in pieces)]
        return b"".join(json.dumps(one).encode() + b"\n" for one in documents)
    if supplier == "writer":
        documents = [*({"answer": piece} for piece in pieces), {"answer": "", "references": {"files": FILES}}]
    else:
        chunks = ({"choices": [{"delta": {"content": piece}}]} for piece in pieces)
        documents = [{"sources": SOURCES}, *chunks, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    return b"".join(f"data: {json.dumps(one)}\n\n".encode() for one in documents)


@pytest.mark.parametrize("supplier", WHOLE)
def test_every_supplier_is_read_without_them(supplier: str) -> None:
    answer = FORMATS[supplier].read(WHOLE[supplier])
    assert re.sub(r"\[File (\d)\]\(\d\)", r"[\1]", answer.text) == SHOWN
    rendering = render(cite(answer), channel("webchat"))
    assert rendering.text.startswith("It is [1].\n\nAnd so [2].")
    assert [one.reference.text for one in cite(answer).citations] == ["Passage 2.", "Passage 1."]
    for size, said in product((1, 7, 1000), (SAID, SAID.removeprefix("<think>"))):
        stream = FORMATS[supplier].stream()
        sent = streamed(supplier, size, said)
        events: list[AnswerEvent] = [one for item in (*stream.feed(sent), *stream.close()) for one in item]
        assert text_of(events) == answer.text


def test_a_saved_chat_is_read_without_them() -> None:
    message = {"role": "assistant", "content": SAID, "sources": SOURCES}
    chat = {"chat": {"history": {"currentId": "a", "messages": {"a": message}}}}
    assert FORMATS["open-webui"].read(chat).text == SHOWN


def test_the_neutral_answer_is_its_senders_own_text() -> None:
    assert FORMATS["answer"].read({"text": SAID}).text == SAID


@pytest.mark.parametrize(
    "fragment",
    [
        '<details title="',
        "<details ",
        "\n<details a='",
        "\n> <details",
        "<details type=reasoning>\n",
        "= =",
        " ",
        "\n",
        "```\n- ",
    ],
)
def test_time_grows_with_the_text(fragment: str) -> None:
    def seconds(text: str) -> float:
        begun = process_time()
        feed_all(text)
        hide_thoughts(text)
        return process_time() - begun

    short, long = (fragment * (size // len(fragment)) for size in (10_000, 80_000))
    assert min(seconds(long) for _ in range(2)) < 24 * max(0.02, min(seconds(short) for _ in range(3)))
