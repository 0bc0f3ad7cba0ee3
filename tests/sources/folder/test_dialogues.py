"""Dialogues with the sample documents: what is said above each last answer, and what the answer has."""

from __future__ import annotations

import pytest

from bot.app.settings import SAMPLES
from bot.languages import language_named, speaking
from bot.retrieval.words.language import detect
from bot.sources import EarlierTurn
from bot.sources.folder import FolderSource
from bot.sources.permission import EVERYTHING
from citations import AnswerEvent, ReferencesFound
from citations.readers import text_of

from .dialogues import ANSWERED


@pytest.fixture(scope="module")
async def samples(tmp_path_factory: pytest.TempPathFactory) -> FolderSource:
    source = FolderSource(SAMPLES, document_base="", cache=tmp_path_factory.mktemp("cache"))
    await source.open()
    await source.wait_until_read()
    return source


async def ask(source: FolderSource, question: str, earlier: tuple[EarlierTurn, ...]) -> EarlierTurn:
    with speaking(language_named(detect(question, quorum=0.2))):
        events: list[AnswerEvent] = [
            event async for event in source.answer_for(question, EVERYTHING, earlier)
        ]
    references = (event.references for event in events if isinstance(event, ReferencesFound))
    return EarlierTurn(question, text_of(events), tuple(one for some in references for one in some))


@pytest.mark.parametrize(("dialogue", "expected"), ANSWERED.items(), ids=str)
async def test_a_dialogue(
    dialogue: tuple[str, ...], expected: tuple[str, str], samples: FolderSource
) -> None:
    turns: tuple[EarlierTurn, ...] = ()
    for question in dialogue:
        turns = (*turns, await ask(samples, question, turns))
    notice, answer = expected
    text = turns[-1].answer
    changed = ("Understood", "Verstanden", "Nothing on", "Zu „")
    assert text.startswith(f"{notice}\n\n") if notice else not text.startswith(changed)
    assert answer in text
