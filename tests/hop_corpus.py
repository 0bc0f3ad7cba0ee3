"""Messages of other bots and the answers that they are read as: ``tests/corpus/hops``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it.utils import read_fixture_file

from citations import Answer, Reference

CORPUS = Path(__file__).parent / "corpus" / "hops"


def activity_of(written: str) -> dict[str, Any]:
    """The activity of a case: its text, and below it its entities."""
    text, _, lines = written.removesuffix("\n").partition("\n---\n")
    entities = [json.loads(line) for line in lines.splitlines()]
    formats = [one["value"] for one in entities if one and one.get("type") == "textFormat"]
    return {
        "type": "message",
        "text": text.replace("|", "\u200b"),
        "textFormat": next(iter(formats), "markdown"),
        "entities": [one for one in entities if not one or one.get("type") != "textFormat"],
    }


def answer_as_prose(answer: Answer) -> tuple[str, str]:
    """An answer as the corpus writes it: its text, and what stands below."""
    problems = [f"{one.code} {one.path}" for one in answer.problems]
    below = [*map(_source, answer.references), *problems]
    return answer.text, "\n".join(below).replace("\u200b", "|")


def _source(reference: Reference) -> str:
    passage = (reference.text or "").replace("\n", "\\n")
    if reference.document_url:
        passage += f" → {reference.document_url}"
    fields = reference.id, reference.name, reference.url, reference.label_name, passage
    line = " | ".join(field or "" for field in fields)
    return line.replace("|  |", "| |").replace("|  |", "| |").rstrip()


@cache
def hop_cases() -> dict[str, tuple[dict[str, Any], tuple[str, str]]]:
    """Each activity by its title, with its answer as prose."""
    rows = read_fixture_file(CORPUS / "messages.md")
    return {
        title: (activity_of(given), _parts(answer.removesuffix("\n"))) for _, title, given, answer in rows
    }


def _parts(answer: str) -> tuple[str, str]:
    text, _, below = answer.partition("\n---\n")
    return text.replace("|", "\u200b"), below
