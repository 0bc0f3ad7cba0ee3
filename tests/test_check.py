"""``check`` against a corpus of mistakes that Web Chat was seen to make something lost of."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it.utils import read_fixture_file

from citations.check import check

CORPUS = Path(__file__).parent / "corpus" / "check"


def claim(position: str, name: str) -> dict[str, Any]:
    url = f"https://example.com/{position}"
    appearance = {"@type": "DigitalDocument", "name": name, "url": url}
    return {"@id": url, "@type": "Claim", "appearance": appearance, "position": position}


def message(*claims: dict[str, Any]) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@id": "",
        "@type": "Message",
        "citation": list(claims),
        "type": "https://schema.org/Message",
    }


def corpus(name: str) -> list[object]:
    cases = read_fixture_file(CORPUS / name)
    assert cases
    return [pytest.param(given, expected, id=title) for _, title, given, expected in cases]


@pytest.mark.parametrize(("text", "expected"), corpus("text.md"))
def test_text(text: str, expected: str) -> None:
    activity = {"type": "message", "text": text, "entities": [message(claim("1", "One"), claim("2", "Two"))]}
    found = [f"{problem.code} {problem.message}" for problem in check(activity)]
    wanted = expected.splitlines()
    assert len(found) == len(wanted), found
    for line, problem in zip(wanted, found, strict=True):
        code, _, part = line.partition(" ")
        assert problem.startswith(f"{code} ")
        assert part in problem
