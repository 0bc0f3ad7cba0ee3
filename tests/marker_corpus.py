"""The corpus of markers, and the sources that its answers cite."""

from __future__ import annotations

from pathlib import Path

from citations import Reference

CORPUS = Path(__file__).parent / "corpus" / "markers"


NUMBERED = tuple(
    Reference(id=name, name=f"Document {name}", url=f"https://example.com/{name}")
    for name in (*"123456789", "doc10")
)


NAMED = (
    *(
        Reference(id=name, text="A passage.")
        for name in ("a1b2c3d4-e5f6", "my file.pdf", "f(1).txt", "id(1", "f)1")
    ),
    Reference(id="https://example.com/Foo_(bar)", url="https://example.com/Foo_(bar)"),
)


LINKED = (
    Reference(id="1", name="Handbook", url="https://example.com/1"),
    Reference(id="2", name="Rules", url="https://example.com/a.pdf"),
    Reference(id="4", url="https://example.com/c"),
    Reference(id="3", name="Plan", url="https://example.com/b.pdf#page=2"),
    Reference(id="info.txt", text="A passage."),
    Reference(
        id="5",
        name="Travel Policy.docx",
        url="https://example.com/docs/Travel%20Policy.docx",
        aliases=("file-7",),
    ),
)
TOKENS = (
    Reference(id="1", name="One", url="https://example.com/1"),
    Reference(id="2", name="a.pdf", url="https://example.com/2"),
    Reference(id="turn0search0", name="Found", url="https://example.com/3"),
)
PRIVATE = str.maketrans("«»¦", "\ue200\ue201\ue202")
"""The corpus of tokens writes other characters for OpenAI's, which nobody sees."""
