"""The inputs that are kept: JSON lines, so that no system and no editor changes a byte of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "corpus" / "fuzz"


def decode(data: bytes) -> str:
    """``data`` as text; a byte that is no UTF-8 is a lone surrogate."""
    return data.decode("utf-8", "surrogateescape")


def load(target: str) -> list[bytes]:
    """The inputs of a target, the shortest first."""
    lines = (CORPUS / f"{target}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line).encode("utf-8", "surrogateescape") for line in lines]


def save(target: str, inputs: Iterable[bytes]) -> None:
    """Keep these and no others."""
    found = sorted(set(inputs), key=lambda data: (len(data), data))
    text = "".join(json.dumps(decode(data)) + "\n" for data in found)
    (CORPUS / f"{target}.jsonl").write_text(text, encoding="utf-8", newline="\n")


def name_of(data: bytes) -> str:
    """The name of a file that has ``data``, as libFuzzer names it."""
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()
