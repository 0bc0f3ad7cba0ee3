"""Normal HTML, as SPEC.md describes it: what a reader gets of a text, whichever engine reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from citations import CitedAnswer
from citations.markdown import MarkdownWriter

_ENGINE: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_WITH_ADDRESSES: Final = MarkdownIt("commonmark", {"linkify": True}).enable(
    ["table", "strikethrough", "linkify"]
)
_SPELLINGS: Final = {" />": ">", "<s>": "<del>", "</s>": "</del>"}
_ALIGNED: Final = re.compile(r' style="text-align: ?([a-z]+);?"')
_BESIDE_BADGE: Final = re.compile(r'(?<=</a>)\u200b|\u200b(?=<a href="cite:)')
_CODE: Final = re.compile(r"(<pre>.*?</pre>)", re.DOTALL)
_IN_CODE: Final = re.compile(r"(<code.*?</code>)", re.DOTALL)
_BARE: Final = re.compile(r"\[([0-9]+)\]")
_END_OF_CODE: Final = re.compile(r"\s+</code></pre>\Z")
_BLANK_CODE: Final = re.compile(r"<code>\s*</code>")
_EMPTY: Final = re.compile(r"<p>\s*</p>")
_SPACES: Final = re.compile(r"\s+")
_AROUND_TAGS: Final = re.compile(
    r"\s*(</?(?:p|ul|ol|li|h\d|pre|blockquote|table|thead|tbody|tr|th|td|hr|br)\b[^>]*>)\s*"
)


def normal_html(
    text: str,
    badges: Iterable[int | str] = range(1, 21),
    *,
    bare: bool = False,
    addresses: bool = False,
    typed: bool = False,
) -> str:
    """The normal HTML of ``text``, in which each of ``badges`` is a link.

    ``bare`` is for Teams: each number in brackets is a badge. With ``addresses``, bare ones become links. With
    ``typed``, a list that does not begin with 1 is paragraphs that begin with its numbers (SPEC.md, D5).
    """
    if typed:
        tokens = list(_typed(_ENGINE.parse(with_definitions(text, badges))))
        return normalize(_ENGINE.renderer.render(tokens, _ENGINE.options, {}))
    engine = _WITH_ADDRESSES if addresses else _ENGINE
    if bare:
        return normalize(with_bare_badges(engine.render(text)))
    return normalize(engine.render(with_definitions(text, badges)))


def _typed(tokens: Sequence[Token]) -> Iterator[Token]:
    """``tokens`` with the numbers of items as words, where Web Chat would count from 1."""
    numbers: list[int | None] = []
    """The number of the next item, for each list that is open. None: the client counts rightly."""
    words: Token | None = None
    """The number of the item that opened just now."""
    for token in tokens:
        if token.type in ("ordered_list_open", "bullet_list_open"):
            start = int(token.attrs.get("start", 1))
            numbers.append(start if start != 1 else None)
        number = numbers[-1] if numbers else None
        if token.type in ("ordered_list_close", "bullet_list_close"):
            numbers.pop()
        if words and token.type not in ("paragraph_open", "inline"):
            yield from _paragraph(words)
            words = None
        if token.type == "inline" and words and token.children is not None:
            token.children[:0] = [words]
            words = None
        if number is None:
            yield token
        elif token.type == "list_item_open":
            words = Token("text", "", 0, content=f"{number}. ")
            numbers[-1] = number + 1
        elif not token.type.startswith(("list_item", "ordered_list")):
            yield replace(token, hidden=False)


def _paragraph(words: Token) -> Iterator[Token]:
    yield Token("paragraph_open", "p", 1, block=True)
    yield Token("inline", "", 0, children=[words])
    yield Token("paragraph_close", "p", -1, block=True)


def with_bare_badges(shown: str) -> str:
    """HTML in which each number in brackets outside of code is a link."""
    parts = _IN_CODE.split(shown)
    parts[::2] = (_BARE.sub(r'<a href="cite:\1">\1</a>', part) for part in parts[::2])
    return "".join(parts)


def with_definitions(text: str, badges: Iterable[int | str] = range(1, 21)) -> str:
    """``text`` below a definition for each of ``badges``."""
    return "".join(f"[{badge}]: cite:{badge}\n" for badge in badges) + f"\n{text}"


def normalize(shown: str) -> str:
    """The normal form of the HTML that an engine writes."""
    for written, spelling in _SPELLINGS.items():
        shown = shown.replace(written, spelling)
    shown = _ALIGNED.sub(r' align="\1"', shown)
    shown = _BESIDE_BADGE.sub("\0", shown).replace("\u200b", "").replace("\0", "\u200b")
    return "".join(map(_normal, _CODE.split(_once(shown)))).strip()


def _once(shown: str) -> str:
    """``shown`` without emphasis inside of emphasis, and strong text inside of strong text."""
    depth = {"em": 0, "strong": 0}

    def tag(found: re.Match[str]) -> str:
        closes, name = found.groups()
        depth[name] += -1 if closes else 1
        return found[0] if depth[name] == (0 if closes else 1) else ""

    return re.sub(r"<(/?)(em|strong)>", tag, shown)


def _normal(part: str) -> str:
    """A block of code without white space at its end, or other HTML with single spaces, none around blocks."""
    if part.startswith("<pre>"):
        return _END_OF_CODE.sub("</code></pre>", part)
    shown = _EMPTY.sub(" ", _BLANK_CODE.sub(" ", part))
    return _AROUND_TAGS.sub(r"\1", _SPACES.sub(" ", shown)) if shown.strip() else ""


def with_marks(cited: CitedAnswer, mark: Callable[[int], str] = "[{}]".format) -> str:
    """The Markdown of an answer, in which a mark stands for each position."""
    writer = _MarkWriter(lambda url: url)
    writer.mark = mark
    return writer.document(cited.document)


class _MarkWriter(MarkdownWriter):
    between = brackets = ""
    mark: Callable[[int], str]

    def one_badge(self, position: int) -> str:
        return self.mark(position)
