"""Recorded responses of providers that cite by place, and ways to write down what is cited where."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citations import Answer, AnswerEvent, cite
from citations.readers import FORMATS

from .normal_html import with_marks

CAPTURES = Path(__file__).parent / "corpus" / "suppliers"
WHOLE = sorted(path.relative_to(CAPTURES).as_posix() for path in CAPTURES.glob("*/*.json"))
STREAMED = sorted(path.relative_to(CAPTURES).as_posix() for path in CAPTURES.glob("*/*.[sj][sl]*[el]"))
_SHOWN = 40


def supplier_of(file: str) -> str:
    return file.partition("/")[0]


def load(file: str) -> Any:
    return json.loads((CAPTURES / file).read_bytes())


def documents_in(file: str) -> list[Any]:
    """The documents of a recorded stream."""
    lines = (CAPTURES / file).read_text(encoding="utf-8").splitlines()
    if file.endswith(".sse"):
        lines = [line.removeprefix("data:") for line in lines if line.startswith("data:")]
    return [json.loads(line) for line in lines if line.strip() not in ("", "[DONE]")]


def answer_of(file: str) -> Answer:
    """The answer of a recorded response, or of a recorded stream that was fed at once."""
    data = load(file) if file.endswith(".json") else documents_in(file)
    return FORMATS[supplier_of(file)].read(data)


def items_of(supplier: str, pieces: list[bytes]) -> Iterator[tuple[AnswerEvent, ...]]:
    """What a stream says, item by item."""
    stream = FORMATS[supplier].stream()
    for piece in pieces:
        yield from stream.feed(piece)
    yield from stream.close()


def marked(answer: Answer) -> str:
    """The text with the ids of what it rests on: ``Bern is the capital⟦1, 2⟧.``"""
    cited = cite(answer)
    ids = {one.position: one.reference.id for one in cited.citations}
    marked = with_marks(cited, lambda position: f"⟦{ids[position]}⟧")
    return html.unescape(marked.replace("⟧⟦", ", "))


def cited_words(answer: Answer) -> Iterator[str]:
    """A line for each group of badges: the end of the words before it, and the ids of its sources."""
    pieces = re.split("⟦(.*?)⟧", marked(answer))
    for place in range(1, len(pieces), 2):
        words = " ".join("".join(pieces[:place:2])[-_SHOWN:].split())
        yield f"{words} | {' '.join(pieces[place].split(', '))}".strip()


def expected() -> dict[str, list[str]]:
    """The lines of ``expected.txt``, by file."""
    found: dict[str, list[str]] = {}
    for line in (CAPTURES / "expected.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(" "):
            found[line] = lines = []
        elif line:
            lines.append(line.strip())
    return found


CARRIERS = (
    "text",
    "value",
    "content",
    "refusal",
    "answerText",
    "claimText",
    "bytes",
    "summary",
)
"""Fields that have the answer's text."""
ABOUT = (
    "citations",
    "groundingSupports",
    "grounding_supports",
    "annotations",
    "sources",
    "citedChunks",
    "groundingChunks",
)
"""Fields that say what the answer rests on."""
Path_ = tuple[str | int, ...]


def paths_in(data: Any, before: Path_ = ()) -> Iterator[Path_]:
    """The paths of all fields and items in ``data``."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*before, key)
        yield from paths_in(value, (*before, key))


def at(data: Any, path: Path_) -> Any:
    for key in path:
        data = data[key]
    return data


def beside_the_text(data: Any) -> Iterator[Path_]:
    """The paths of fields that neither are the answer's text nor have it in them."""
    carriers = [
        path
        for path in paths_in(data)
        if path[-1] in CARRIERS and isinstance(at(data, path), str) and not set(path) & set(ABOUT)
    ]
    ancestors = {path[:length] for path in carriers for length in range(len(path) + 1)}
    return (path for path in paths_in(data) if path not in ancestors)


GONE = object()


def changed(data: Any, path: Path_, value: Any) -> Any:
    """A copy of ``data`` with another value at ``path``, or without it if the value is ``GONE``."""
    key, *rest = path
    copied = data.copy()
    if rest:
        copied[key] = changed(data[key], tuple(rest), value)
    elif value is GONE:
        del copied[key]
    else:
        copied[key] = value
    return copied


def events_of(file: str) -> list[bytes]:
    """The bytes of a recorded stream, event by event."""
    sent = (CAPTURES / file).read_bytes()
    return re.split(rb"(?<=\n\n)" if file.endswith(".sse") else rb"(?<=\n)", sent)
