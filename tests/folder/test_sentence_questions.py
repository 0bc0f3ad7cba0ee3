"""Statements of documents, each with the question that it answers; and what is no question of a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.retrieval.index import FolderIndex
from bot.retrieval.labels import FolderLabels
from bot.retrieval.search import Documents, suggest
from bot.retrieval.sentence_questions import ask_sentence

ASKED = """
english | The probation period is six months. | How long is the probation period?
english | The battery lasts 14 months at one upload per hour. | How long does the battery last?
english | A repair takes eight working days on average. | How long does a repair take?
english | The annual pass costs 84 pounds. | How much does the annual pass cost?
english | The reading room opens at nine. | When does the reading room open?
english | The fee includes the key and the locker. | What does the fee include?
english | (2) The Treasurer is responsible for the annual budget. | Who is responsible for the annual budget?
english | The Electoral Board shall publish the results within a week. | What must the Electoral Board do?
english | A gateway is a device that connects two networks. | What is a gateway?
english | Dental insurance in Canada is provided through Acme. | Who provides dental insurance in Canada?
english | The price plan is reviewed every spring. | How often is the price plan reviewed?
english | You’re eligible to join the savings plan after two years. | When am I eligible to join the savings plan?
english | There are three ways to reset your printer. | How can I reset my printer?
english | If you are ill on a journey, call the office. | What do I do if I am ill on a journey?
english | If your drive belt is loose, take these steps: | What do I do if my drive belt is loose?
english | To clean the print head, heat it to 200 degrees first. | How do I clean the print head?
english | You can change your password in the settings. | How can I change my password?
german | Die volle Arbeitszeit beträgt 38 Stunden pro Woche. | Wie lang ist die volle Arbeitszeit?
german | (1) Der Urlaub beträgt jährlich mindestens 24 Werktage. | Wie lang ist der Urlaub?
german | Die Jahresgebühr beträgt zwölf Franken. | Wie hoch ist die Jahresgebühr?
german | Der Kurs dauert zwei Abende. | Wie lange dauert der Kurs?
german | Das Geschäftsjahr beginnt am 1. April. | Wann beginnt das Geschäftsjahr?
german | Der Vorstand ist für die Kasse verantwortlich. | Wer ist für die Kasse verantwortlich?
german | Der Zuschuss wird monatlich zum Ersten ausgezahlt. | Wann wird der Zuschuss ausgezahlt?
german | Wenn der Drucker nicht startet, prüfen Sie das Kabel. | Was mache ich, wenn der Drucker nicht startet?
german | Falls Ihre Karte verloren ging, rufen Sie die Zentrale an. | Was mache ich, wenn meine Karte verloren ging?
german | Um eine Gruppe anzulegen, öffnen Sie die Einstellungen. | Wie kann ich eine Gruppe anlegen?
german | Um das Passwort zu ändern, klicken Sie auf das Schloss. | Wie kann ich das Passwort ändern?
french | La garantie dure trois ans. | Combien de temps dure la garantie ?
french | L’abonnement annuel coûte 84 euros. | Combien coûte l’abonnement annuel ?
french | Si l’imprimante est en panne, veuillez appeler l’accueil. | Que faire si l’imprimante est en panne ?
french | Pour changer votre mot de passe, ouvrez les réglages. | Comment changer votre mot de passe ?
spanish | La garantía dura tres años. | ¿Cuánto dura la garantía?
spanish | La fianza es una suma que se devuelve. | ¿Qué es la fianza?
spanish | Si su tarjeta no funciona, puede pedir otra. | ¿Qué hago si mi tarjeta no funciona?
spanish | Para cambiar el filtro, apague la bomba. | ¿Cómo puedo cambiar el filtro?
"""
# What such a sentence is about stands before it, or is no one thing.
NOT_ASKED = """
english | It lasts 14 months.
english | This device is a gateway.
english | The other one is a spare.
english | The purpose of the rule is the safety of all.
english | The people who live there are the owners.
english | To do so, open the settings.
english | The team works on it.
english | If it is loose, take these steps.
english | If you register the device within 60 days, the warranty is longer.
english | Books are on the shelf.
german | Sie dauert zwei Abende.
german | Die andere Hälfte beträgt zwölf Franken.
german | Um das zu ändern, klicken Sie auf das Schloss.
french | Elle dure trois ans.
spanish | La sala se conoció durante años como el pozo.
dutch | De garantie duurt drie jaar.
"""


def rows(corpus: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in corpus.strip().splitlines()]


@pytest.mark.parametrize(("language", "sentence", "question"), rows(ASKED))
def test_a_statement_answers_a_question(language: str, sentence: str, question: str) -> None:
    assert ask_sentence(sentence, language) == question


@pytest.mark.parametrize(("language", "sentence"), rows(NOT_ASKED))
def test_what_is_unclear_alone_is_not_asked_about(language: str, sentence: str) -> None:
    assert ask_sentence(sentence, language) is None


LIBRARY = """# Library

## Reading room

The reading room is a quiet hall for forty people. The annual pass costs 84 pounds.

## May I bring food?

Only water in a bottle may be taken to the shelves.

## Lost and found
"""


def test_what_is_suggested_is_answered_and_no_heading_is_a_question(
    folder: Path, indexed: Callable[[], FolderIndex]
) -> None:
    (folder / "library.md").write_text(LIBRARY, encoding="utf-8")
    (folder / "annex.md").write_text("# Annex\n\nThe annual pass costs 90 pounds.\n", encoding="utf-8")
    scope = Documents(indexed(), "", FolderLabels(None)).find_scope()
    # Two documents say what the pass costs, so the question is suggested once.
    assert suggest(scope) == (
        "May I bring food?",
        "How much does the annual pass cost?",
        "What is the reading room?",
    )
