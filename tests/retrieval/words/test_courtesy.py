"""Messages that no passage answers: courtesy, and questions about the bot."""

from __future__ import annotations

import pytest

from bot.retrieval.words.language import is_smalltalk, is_thanks

ABOUT_IT = ["Are you sure?", "What documents do you have?", "list all documents", "À quoi sers-tu ?"]
ABOUT_IT += [
    "stop",
    "Abbrechen!",
    "noch mal",
    "Welche Dokumente gibt es?",
    "¿Estás seguro?",
    "Stimmt das?",
    "C’est vrai ?",
]
THANKS = ["Thanks for your help!", "merci", "Danke für Ihre Hilfe", "bedankt", "dziękuję", "teşekkürler"]
THANKS += ["ありがとうございます", "спасибо", "谢谢"]
QUESTIONS = [
    "Which documents do I need?",
    "Are you sure that it is paid?",
    "Super oder Diesel?",
    "Danke sagen",
]


@pytest.mark.parametrize("message", ABOUT_IT)
def test_a_question_about_the_bot_asks_no_document(message: str) -> None:
    assert (is_smalltalk(message), is_thanks(message)) == (True, False)


@pytest.mark.parametrize("message", THANKS)
def test_thanks_in_many_languages(message: str) -> None:
    assert is_thanks(message)


@pytest.mark.parametrize("message", QUESTIONS)
def test_what_asks_for_more_is_a_question(message: str) -> None:
    assert not is_smalltalk(message)
