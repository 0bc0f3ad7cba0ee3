"""What the offsets of recorded responses count: ``python -m benchmarks.anchoring``.

For each provider that sends the words beside their offsets, or whose slice must have the URL in it: how many
slices are right as code points, as bytes of UTF-8 and as UTF-16 units, and how many citations are placed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from citations.readers import OffsetUnit, TextRange, place_span
from tests.provider_captures import STREAMED, WHOLE, answer_of, documents_in, load

Citation = tuple[str, int, int, Callable[[TextRange], bool]]
"""A text, the offsets in it, and whether a place is the right one."""


def main() -> None:
    """Print a row for each kind of citation."""
    rows: dict[str, Counter[str]] = {}
    for file in [*WHOLE, *STREAMED]:
        answer = answer_of(file)
        lost = sum(problem.code == "citation-not-placed" for problem in answer.problems)
        for kind, (text, start, end, is_right) in _citations(file, answer.text):
            row = rows.setdefault(kind, Counter())
            row["citations"] += 1
            for unit in OffsetUnit:
                place = place_span(text, start, end, unit)
                row[unit.name] += bool(place and is_right(place))
        if lost:
            print(f"{file}: {lost} not placed")
    names = ("citations", *(unit.name for unit in OffsetUnit))
    print(f"{'':30}" + "".join(f"{name:>13}" for name in names))
    for kind, row in sorted(rows.items()):
        print(f"{kind:30}" + "".join(f"{row[name]:>13}" for name in names))


def _citations(file: str, answer: str) -> Iterator[tuple[str, Citation]]:
    documents = [load(file)] if file in WHOLE else documents_in(file)
    for document in documents:
        for found in _objects(document):
            yield from _read(found, answer)
        if "candidates" in document:
            metadata = document["candidates"][0].get("groundingMetadata", {})
            for support in metadata.get("groundingSupports", []):
                segment = support["segment"]
                start, end = segment.get("startIndex", 0), segment["endIndex"]
                yield "Gemini groundingSupports", (answer, start, end, _is(answer, segment["text"]))


def _read(found: dict[str, Any], answer: str) -> Iterator[tuple[str, Citation]]:
    """The citations of an object that is a text with annotations, or an answer of Cohere."""
    if found.get("type") == "output_text":
        text = found["text"]
        for one in found["annotations"]:
            start, end, point = (one.get(name) for name in ("start_index", "end_index", "index"))
            if one["type"] == "url_citation" and end:
                yield "OpenAI url_citation", (text, start, end, _is_link(text, one["url"]))
            elif one["type"] == "file_citation":
                yield "OpenAI file_citation", (text, point, point, _is_before_stop(text))
    for one in found.get("citations") or ():
        if isinstance(one, dict) and "start" in one:  # Perplexity's are addresses
            yield "Cohere", (answer, one["start"], one["end"], _is(answer, one["text"]))


def _is(text: str, words: str) -> Callable[[TextRange], bool]:
    return lambda place: text[place.start : place.end] == words


def _is_link(text: str, url: str) -> Callable[[TextRange], bool]:
    return lambda place: (
        text[place.start] in "([" and text[place.end - 1] == ")" and url in text[place.start : place.end]
    )


def _is_before_stop(text: str) -> Callable[[TextRange], bool]:
    return lambda place: text[place.end : place.end + 1] == "."


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in ``value``; of a stream, its last event repeats the others."""
    if isinstance(value, dict):
        if value.get("type", "").startswith("response.") and value["type"] != "response.completed":
            return
        yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inside:
        yield from _objects(one)


if __name__ == "__main__":
    main()
