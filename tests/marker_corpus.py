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
