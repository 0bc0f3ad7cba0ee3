"""Answers for Teams: with every kind of source, and with more of them than Teams takes."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from citations import (
    Answer,
    LabelRanking,
    Reference,
    RenderingStream,
    SensitivityLabel,
    channel,
    cite,
    render,
)

from .streams import events, pieces
from .teams_rules import Activity, faults, stream_faults

RANKING = LabelRanking(
    labels=(
        SensitivityLabel(id="public", name="Public", priority=0),
        SensitivityLabel(
            id="secret", name="Secret\\Nur für 設定 👩‍🔬", priority=1, description="Keep it. " * 30
        ),
    ),
    default="public",
)


NAMES = (
    None,
    "A handbook",
    "word " * 60,
    "設定" * 80,
    "👩‍👩‍👧‍👦" * 40,
    "دليل " * 40,
    '<b>[1](x)</b> & "so"',
    "\u202e\u200b",
)


URLS = (
    None,
    "https://example.com/{}",
    "https://münchen.example/ö/{}",
    "https://example.com/{}/" + "x" * 1800,
)


def sourced() -> list[Answer]:
    """Answers with 0–25 sources: long and foreign names, long URLs and none, labels."""
    found = []
    for count, (name, url) in zip(range(26), product(NAMES, URLS), strict=False):
        references = tuple(
            Reference(
                id=str(number),
                name=name,
                url=url and url.format(number),
                text=f"{name or 'A passage.'} " * 30,
                page=number if number % 2 else None,
                label="secret" if number == count else "public" if number % 3 else None,
            )
            for number in range(1, count + 1)
        )
        text = "".join(f"One thing [{number}] and [0].\n\n" for number in range(1, count + 1))
        found.append(Answer(text=f"# About\n\n{text}- last [1, 2]", references=references))
    return found


def too_long() -> list[Answer]:
    """What no message holds."""
    references = sourced()[20].references
    said = ("設定を変える 👩‍🔬[2] ", "`code [1]`\n", "| a [1] | b |\n|---|---|\n")
    return [Answer(text=piece * (40_000 // len(piece)), references=references) for piece in said]


TEAMS = channel("msteams")


def plain(value: object) -> Any:
    """What arrives of it."""
    return json.loads(json.dumps(value))


def streamed(answer: Answer, told: list[str], **options: Any) -> tuple[list[Activity], Activity]:
    stream = RenderingStream(TEAMS, dialect=answer.dialect, ranking=RANKING, **options)
    interims = []
    for event in events(answer, told):
        stream.feed(event)
        if interim := stream.interim():
            interims.append(plain(interim.to_activity()))
    return interims, plain(stream.close().to_activity())


def assert_teams_takes_it(answer: Answer, cuts: list[float]) -> None:
    """Teams takes an answer, whole and in pieces."""
    told = pieces(answer.text, (round(cut * len(answer.text)) for cut in cuts))
    interims, final = streamed(answer, told)
    assert stream_faults(interims, final) == []
    assert faults(plain(render(cite(answer), TEAMS, ranking=RANKING).to_activity())) == []
