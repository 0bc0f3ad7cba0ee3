"""Answers that Hypothesis makes: of pieces of Markdown, hostile and plain, with references that fit."""

from __future__ import annotations

from hypothesis import strategies as st

from citations import Answer, Dialect, Reference
from citations.model import Place, PlaceKind

from .commonmark import texts

PLAIN = (
    "word", " ", " ", "\n", "\n\n", "**bold**", "*it*", "_x_", "`code [1]`", "- ", "1. ", "# ", "> ", "    ", "\t",
    "```\n", "~~~\n", "| a | b |\n|---|---|\n| c | d |\n", "---", "===", ".", ",", ": ", "(see)", "3.5", "日本語", "العربية",
    "👩‍🔬", "\\*", "\\\\", "&amp;", "&#35;", "a < b", "[ ]", "[sic]", "~", "$x$", "é",
)  # fmt: skip
MARKERS = (
    "[1]", "[2]", "[1, 3]", "[1][2]", "[1-3]", "[[2]]", "【1】", "【2†source】", "［3］", "[doc1]", "[Source 2]", "[Source #3]", "[4, p. 7]",
    "[5#x]", "[name](1)", "[Report [final].pdf](id-2)", "[n](my file.pdf)", "[n](https://example.com/3)", "[9](x)", "[99]",
    "[2024]", "[^1]", "[7]: ", "[a](deadbeef-0000)",
)  # fmt: skip
HOSTILE = (
    "[", "]", "(", ")", "!", "![", "](", "<", ">", "\\", "`", "``", '[1]: https://evil.example/x "t"\n', "[x]: <y>\n",
    "![x](https://evil.example/p)", "[x](https://evil.example)", "[1](https://evil.example)", "<img src=x>", "<b>", "</b>",
    "<!--", "-->", "<div>\n", "</div>\n", "<pre>\n", "<script>", "<![CDATA[", "<?", "https://evil.example", "www.evil.com",
    "evil.com", "a@evil.com", "<https://evil.example>", "//evil.com", "&lt;", "&#91;", "javascript:x", "\u202e", "\u200b",
    "\x00", "\r\n", "\r", "\ud800", "|", "|-|\n", "{", "}", "\\[", "\\(", "$$", "\u2028", "\x0c",
)  # fmt: skip

hostile_texts = st.lists(st.sampled_from(PLAIN + MARKERS + HOSTILE), max_size=30).map("".join)
plain_texts = st.lists(st.sampled_from(PLAIN), max_size=30).map("".join)
names = st.one_of(st.none(), st.text(max_size=40), st.sampled_from(PLAIN + HOSTILE), st.just("Report"))
urls = st.one_of(
    st.none(),
    st.integers(1, 4).map(lambda number: f"https://example.com/{number}"),
    st.text(max_size=20).map(lambda path: f"https://example.com/{path}"),
    st.sampled_from(
        (
            "javascript:alert(1)",
            "https://u:p@evil.example",
            "cite:1",
            "//x",
            "http://münchen.example/ö?a=1&copy;=2",
        )
    ),
)
ids = st.one_of(
    st.integers(1, 25).map(str),
    st.sampled_from(("doc1", "id-2", "my file.pdf", "f)1", "https://example.com/3")),
)
references = st.builds(
    Reference,
    id=ids,
    name=names,
    url=urls,
    text=st.one_of(st.none(), hostile_texts),
    page=st.one_of(st.none(), st.integers(1, 999)),
    place=st.one_of(
        st.none(), st.builds(Place, kind=st.sampled_from(PlaceKind), first=st.just(4), sheet=names)
    ),
    label=st.one_of(st.none(), st.sampled_from(("public", "secret"))),
    media_type=st.sampled_from((None, "text/markdown", "application/pdf", "x y", "<b>/x")),
    modified=st.sampled_from((None, "2024-03-01T15:56:27.000-0800", "yesterday")),
    editor=names,
    document_url=urls,
)
texts_ = st.one_of(hostile_texts, hostile_texts, st.sampled_from(texts()), st.text(max_size=60))
answers = st.builds(
    Answer,
    text=texts_,
    references=st.lists(references, max_size=8).map(tuple),
    dialect=st.sampled_from((None, *Dialect)),
)
many_sources = st.integers(18, 40).map(
    lambda count: Answer(
        text=" ".join(f"[{number}]" for number in range(1, count + 1)),
        references=tuple(Reference(id=str(number)) for number in range(1, count + 1)),
    )
)
