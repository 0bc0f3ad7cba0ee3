"""Conversations over a real socket in the language of the person, and of the question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.direct_line.bundle import Bundle
from bot.sources import SourceUnavailable
from bot.sources.folder import FolderSource

from .person import Person
from .running import Connector, connecting, running, send
from .scripted_source import ScriptedSource

HANDBOOK = """# Handbuch

## Arbeitszeit
Die wöchentliche Arbeitszeit beträgt 38 Stunden. Überstunden werden im Folgemonat ausgeglichen.

## Wie viele Urlaubstage habe ich?
Jedes Jahr stehen Ihnen 30 Urlaubstage zu. Der Urlaub wird im Portal beantragt.
"""
HOURS = "Wie viele Stunden beträgt die wöchentliche Arbeitszeit?"
CUP = "Wer hat die Weltmeisterschaft gewonnen?"


@pytest.fixture
async def connector() -> AsyncIterator[Connector]:
    async with connecting() as one:
        yield one


@pytest.fixture
async def handbook(tmp_path: Path) -> FolderSource:
    folder = tmp_path / "Handbuch"
    folder.mkdir()
    (folder / "handbuch.md").write_text(HANDBOOK, encoding="utf-8")
    return FolderSource(folder, document_base="", cache=tmp_path / "cache")


async def test_a_german_conversation(handbook: FolderSource, connector: Connector) -> None:
    person = Person(connector, "sms", locale="de-DE")
    async with running(handbook) as bot:
        answer = await person.write(bot, HOURS)
        assert "beträgt 38 Stunden. Überstunden werden im Folgemonat ausgeglichen. (1)" in answer
        nothing = await person.write(bot, CUP)
        assert nothing.startswith(
            "Ihre Dokumente sagen das anscheinend nicht. "
            'In keinem Dokument: "Weltmeisterschaft", "gewonnen".\n\n'
            "Sie können zum Beispiel fragen:"
        )
        await person.write(bot, HOURS)
        assert (await person.write(bot, "Quelle 1")).startswith("Quelle (1):\n\nDie wöchentliche")
        assert (await person.write(bot, "source 7")).startswith(
            "Meine letzte Antwort hat keine Quelle 7. Antworten Sie mit 1, um"
        )
        end = "Das war alles. Antworten Sie mit einer Nummer, um die Textstelle zu lesen."
        assert await person.write(bot, "mehr") == end
        assert await person.write(bot, "more") == end
        assert (await person.write(bot, "Hallo!")).startswith("Ich beantworte Fragen aus Ihren Dokumenten")
        assert await person.write(bot, "") == "Bitte stellen Sie mir eine Frage in Worten."


async def test_web_chat_reads_who_says_it_in_german(handbook: FolderSource, connector: Connector) -> None:
    async with running(handbook) as bot:
        person = Person(connector, "webchat", locale="de")
        await send(bot, person.writing(HOURS))
        [answer] = [one for one in connector.rest() if one["type"] == "message"]
        [graph] = [one for one in answer["entities"] if "citation" in one]
        claim = graph["citation"][0]
        assert claim["claimInterpreter"]["slogan"] == "Zitiert aus Ihren Dokumenten"


async def test_where_no_locale_is_given_the_question_tells(
    handbook: FolderSource, connector: Connector
) -> None:
    person = Person(connector, "sms")
    async with running(handbook) as bot:
        assert "sagen das anscheinend nicht" in await person.write(bot, CUP)
        assert "seem not to say" in await person.write(bot, "Who has won the world cup?")
        assert "ne semblent pas le dire" in await person.write(bot, "Qui a gagné la coupe du monde ?")
        assert "Parece que sus documentos no lo dicen" in await person.write(
            bot, "¿Quién ha ganado la copa del mundo?"
        )
        # A number is of no language: it follows up an answer that has one.
        await person.write(bot, HOURS)
        assert (await person.write(bot, "1")).startswith("Quelle (1):")
        # Nobody speaks this.
        assert "seem not to say" in await person.write(bot, "Blorp grix flum wendo trabit?")


async def test_the_locale_goes_before_the_question(handbook: FolderSource, connector: Connector) -> None:
    async with running(handbook) as bot:
        french = Person(connector, "sms", "c1", locale="fr-FR")
        assert "ne semblent pas le dire" in await french.write(bot, CUP)
        klingon = Person(connector, "sms", "c2", locale="tlh")
        assert "sagen das anscheinend nicht" in await klingon.write(bot, CUP)


ERRORS = [
    ("de-CH", "Ich konnte den Antwortdienst nicht erreichen. Bitte versuchen Sie es gleich noch einmal."),
    ("fr", "Je n’ai pas pu joindre le service de réponse. Veuillez réessayer dans un instant."),
    (
        "es-MX",
        "No he podido conectar con el servicio de respuestas. Inténtelo de nuevo dentro de un momento.",
    ),
    ("en-GB", "I could not reach the place that answers questions. Please try again in a moment."),
    (None, "I could not reach the place that answers questions. Please try again in a moment."),
]


@pytest.mark.parametrize(("locale", "said"), ERRORS)
async def test_an_error_is_told_in_the_language_of_the_turn(
    locale: str | None, said: str, connector: Connector
) -> None:
    source = ScriptedSource()
    source.tell("q", SourceUnavailable("refused"))
    async with running(source) as bot:
        assert await Person(connector, "sms", locale=locale).write(bot, "q") == said


async def test_two_languages_at_once_are_not_mixed(connector: Connector) -> None:
    source = ScriptedSource()
    people = {
        name: Person(connector, "sms", name, locale=name)
        for name in ("de", "fr", "es", "en", "de-AT", "es-AR")
    }
    async with running(source) as bot:
        asked = [asyncio.create_task(send(bot, one.writing(name))) for name, one in people.items()]
        await asyncio.sleep(0)
        for name in people:
            source.tell(name, SourceUnavailable("refused"))
        await asyncio.gather(*asked)
        said: dict[str, str] = {}
        while len(said) < len(people):
            path, body = await connector.next_bytes()
            activity = json.loads(body)
            if activity["type"] == "message":
                said[path.split("/")[3]] = activity["text"]
    beginnings = {"de": "Ich", "fr": "Je", "es": "No", "en": "I could", "de-AT": "Ich", "es-AR": "No"}
    assert all(said[name].startswith(beginning) for name, beginning in beginnings.items())


async def test_who_joins_is_greeted_in_their_language(handbook: FolderSource) -> None:
    async with running(handbook) as bot, aiohttp.ClientSession() as session:
        async with session.post(f"http://{bot}/v3/directline/tokens/generate") as response:
            token = (await response.json())["token"]
        headers = {"Authorization": f"Bearer {token}"}
        start = session.post(
            f"http://{bot}/v3/directline/conversations", json={"locale": "de-DE"}, headers=headers
        )
        async with start as response:
            begun = await response.json()
        path = f"http://{bot}/v3/directline/conversations/{begun['conversationId']}/activities"
        async with asyncio.timeout(60):
            while True:
                async with session.get(path, headers=headers) as response:
                    activities = (await response.json())["activities"]
                if activities:
                    break
                await asyncio.sleep(0.02)
    assert activities[0]["text"] == (
        "Guten Tag! Meine Antworten stammen aus: **Handbuch**. Ich habe 1 Dokument gelesen, und jede Aussage "
        "nennt ihre Quelle."
    )


PAGES = [
    (
        "de-DE,de;q=0.9,en;q=0.8",
        "de",
        ("<title>Handbuch befragen</title>", "1 Dokument<", "Jede Aussage nennt ihre Quelle"),
    ),
    (
        "fr",
        "fr",
        ("<title>Interroger «\u202fHandbuch\u202f»<", "1 document<", "Chaque affirmation indique sa source"),
    ),
    (
        "es-ES",
        "es",
        ("<title>Preguntar a «Handbuch»<", "1 documento<", "Cada afirmación indica su fuente"),
    ),
    ("tlh", "en", ("<title>Ask Handbuch<", "1 document<", "Every statement shows its source")),
    ("", "en", ("<title>Ask Handbuch<", "1 document<", "Every statement shows its source")),
]


@pytest.mark.parametrize(("accepted", "lang", "said"), PAGES)
async def test_the_page_speaks_the_language_of_the_browser(
    accepted: str, lang: str, said: tuple[str, ...], handbook: FolderSource, tmp_path: Path
) -> None:
    bundle = Bundle(None)
    async with running(handbook, docs=tmp_path, bundle=bundle) as bot, aiohttp.ClientSession() as session:
        headers = {"Accept-Language": accepted}
        async with session.get(f"http://{bot}/", headers=headers) as response:
            html = await response.text()
        assert f'<html lang="{lang}" ' in html
        assert all(words in html for words in said)
        async with session.get(f"http://{bot}/documents/none.pdf", headers=headers) as response:
            missing = {"de": "Dieses Dokument gibt es nicht.", "es": "Este documento no existe."}
            assert lang not in missing or await response.text() == missing[lang]
