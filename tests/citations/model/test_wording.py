"""The words that a rendering says besides the answer come from its channel's wording, and from nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache

import pytest

from citations import (
    Answer,
    Channel,
    Citation,
    LabelRanking,
    Origin,
    Reference,
    ReferencesFound,
    Rendering,
    RenderingStream,
    SensitivityLabel,
    TextDelta,
    Wording,
    channel,
    cite,
    quote,
    render,
)
from citations.markers import AnswerSoFar
from citations.model import Place, PlaceKind
from citations.renderer import list_sources

ENGLISH = Wording()
NAMES = [field.name for field in fields(Wording)]
FOREIGN = Wording(
    accessed=", gelesen am {day}",
    ai="KI",
    address_too_long="Adresse zu lang",
    answer_cut="Hier abgebrochen",
    answer_withheld="Vertraulich wegen {label}",
    answer_withheld_unknown="Vertraulich vielleicht",
    both="{first} sowie {last}",
    document="Datei {number}",
    label="Stufe {label}",
    line=", Codezeile {first}",
    lines=", Codezeilen {first} bis {last}",
    more="MEHR bringt mehr",
    more_or_number="MEHR oder eine Zahl",
    no_passage="Kein Wortlaut",
    open="Zeige {name}",
    other_sources="{count} weitere",
    page=", Blatt {page}",
    pages=", Blatt {first} bis {last}",
    passage_withheld="Wortlaut vertraulich wegen {label}",
    quoted="Wortlaut",
    read_source="Dort nachlesen",
    read_sources="Dort und dort nachlesen",
    row=", Reihe {first}",
    rows=", Reihen {first} bis {last}",
    searched="{provider} suchte dort",
    sheet=", Mappe {sheet}",
    slide=", Folie {first}",
    slides=", Folien {first} bis {last}",
    source="Beleg",
    source_number="Zu {number} heißt es",
    sources="Belege",
    sources_said="Laut {sources}",
    surfaced_with="Gefunden von {provider}",
    uncited="{provider} nannte",
)
SECRET = LabelRanking(
    labels=(
        SensitivityLabel(id="secret", name="Geheim", priority=1),
        SensitivityLabel(id="low", name="Frei", priority=0),
    ),
    ceilings={"sms": "low", "webchat": "low"},
)
NAMED = tuple(
    Reference(
        id=str(number), name=f"Name{number}", text="Ja.", page=number, last_page=9 if number == 1 else None
    )
    for number in range(1, 6)
)
PLACED = tuple(
    Reference(id=str(number), name=f"Name{number}", text="Ja.", place=place, accessed="2025-06-24")
    for number, place in enumerate(
        (Place(kind=kind, first=1, last=last, sheet="M") for kind in PlaceKind for last in (None, 9)), 1
    )
)
ALL = "Ja [1] [2] [3] [4] [5]."


def answer(text: str, *references: Reference) -> Answer:
    return Answer(text=text, references=references)


def render_each(wording: Wording) -> Iterator[tuple[Channel, Rendering]]:
    """An answer for each sentence of a rendering, on the channels that say it."""

    def at(channel_id: str) -> Channel:
        return channel(channel_id, wording=wording)

    def rendered(
        channel_id: str, asked: Answer, ranking: LabelRanking | None = None
    ) -> tuple[Channel, Rendering]:
        return at(channel_id), render(cite(asked), at(channel_id), ranking=ranking)

    secret = Reference(id="1", name="Name", text="Ja.", label="secret", document_url="https://example.com/a")
    for channel_id in ("webchat", "msteams", "email", "sms", "directlinespeech", "telegram"):
        yield rendered(channel_id, answer(ALL, *NAMED))
        yield rendered(channel_id, answer("Ja [1] [2].", *NAMED[:2]))
        yield rendered(channel_id, answer("Ja " * 200_000, *NAMED))
        yield rendered(channel_id, answer("Ja [1].", secret), ranking=SECRET)
        yield rendered(
            channel_id, answer("Ja [1][2].", secret, replace(secret, id="2", name="N")), ranking=SECRET
        )
        shape = at(channel_id)
        yield shape, render(quote(Citation(1, Reference(id="1", name="Name")), shape).cited, shape)
        yield shape, render(list_sources("Ja:", [Citation(1, NAMED[0])], shape), shape)
        interrupted = RenderingStream(shape, ranking=SECRET)
        for event in (ReferencesFound(NAMED), TextDelta(ALL)):
            interrupted.feed(event)
        yield shape, interrupted.interrupt("Ja.")
    yield rendered(
        "sms", answer("Ja [1]. " + "Ja. " * 700, replace(NAMED[0], url="https://example.com/" + "a" * 1999))
    )
    yield rendered("sms", answer("Ja. " * 700))
    yield rendered("webchat", answer("Ja [\u200b1].", Reference(id="\u200b1", name="\u200b")))
    yield rendered("webchat", answer(f"{ALL} [6]", *PLACED))
    nameless = AnswerSoFar()
    nameless.note(ReferencesFound((Reference(id="7"),)))
    nameless.note(TextDelta("Ja"))
    found = nameless.uncited_sources()
    listed = nameless.list_sources("Writer", found, wording=wording)
    listed += nameless.list_sources("Writer", found, searched=True, wording=wording)
    yield rendered(
        "webchat", replace(answer(f"Ja{listed}", Reference(id="7")), origin=Origin(provider="Writer"))
    )


@cache
def write_all(wording: Wording) -> str:
    return json.dumps(
        [[one.to_activities(), one.parts] for _, one in render_each(wording)], ensure_ascii=False
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_sentence_is_said(name: str) -> None:
    foreign = write_all(FOREIGN)
    for piece in getattr(FOREIGN, name).replace("}", "{").split("{")[::2]:
        assert piece.strip() in foreign


@pytest.mark.parametrize("name", NAMES)
def test_no_english_is_left_where_another_wording_is_given(name: str) -> None:
    for piece in getattr(ENGLISH, name).replace("}", "{").split("{")[::2]:
        if len(piece) > 4:
            assert not re.search(rf"\b{re.escape(piece.strip())}(?!\w)", write_all(FOREIGN))
