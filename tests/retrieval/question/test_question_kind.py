"""What kind of answer a question asks for, in the four languages of the bot."""

from __future__ import annotations

import pytest

from bot.retrieval.question.kind import QuestionKind, classify_question

DATE, NUMBER, YES_NO, OTHER = QuestionKind

ENGLISH = {
    "How many holidays do I have?": NUMBER,
    "I'm new here. How long is the probation period?": NUMBER,
    "What does a second screen cost?": NUMBER,
    "How much cheaper is the train than the plane?": NUMBER,
    "When was the firm founded?": DATE,
    "When does the works meeting start?": DATE,
    "In what year did the warranty change?": DATE,
    "May I fly business class?": YES_NO,
    "And do I need a receipt for a taxi?": OTHER,
    "Do I need a certificate if I am ill for more than 3 days?": YES_NO,
    "What is the difference between parental leave and unpaid leave?": OTHER,
    "Is the hotel limit in Zurich higher than the one in Berlin?": YES_NO,
    "Which is cheaper, the train or the plane?": OTHER,
    "Who approves a trip?": OTHER,
    "When do I need a receipt?": OTHER,
    "Who was the first to win more than one cup?": OTHER,
    "hotel limit": OTHER,
    "": OTHER,
}
GERMAN = {
    "Wie viele Urlaubstage habe ich?": NUMBER,
    "Wie hoch ist der Zuschuss für einen Bürostuhl?": NUMBER,
    "Was kostet ein zweiter Bildschirm?": NUMBER,
    "Seit wann gilt die Betriebsvereinbarung?": DATE,
    "Wann wurde die Firma gegründet?": DATE,
    "Darf ich im Homeoffice arbeiten?": YES_NO,
    "Und gibt es einen Zuschuss?": OTHER,
    "Was ist der Unterschied zwischen Teilzeit und Altersteilzeit?": OTHER,
    "Ist die Bahn billiger als das Flugzeug?": YES_NO,
    "Was bedeutet Kernzeit?": OTHER,
    "Wann brauche ich einen Beleg?": OTHER,
    "Wer gilt als Siedler als solcher?": OTHER,
}
FRENCH = {
    "Combien de jours de congé ai-je ?": NUMBER,
    "Quel est le montant de la prime ?": NUMBER,
    "À quelle heure ouvre la cantine ?": DATE,
    "Depuis quand la règle est-elle en vigueur ?": DATE,
    "Est-ce que je peux prendre le train en première classe ?": YES_NO,
    "Faut-il un justificatif ?": YES_NO,
    "Quelle est la différence entre congé parental et congé sans solde ?": OTHER,
    "Qui approuve un voyage ?": OTHER,
}
SPANISH = {
    "¿Cuántos días de vacaciones tengo?": NUMBER,
    "¿Qué porcentaje paga la empresa?": NUMBER,
    "¿Cuándo se fundó la empresa?": DATE,
    "¿A qué hora abre el comedor?": DATE,
    "¿Puedo viajar en primera clase?": YES_NO,
    "¿Hay que guardar el recibo? ¿Es obligatorio?": YES_NO,
    "¿Cuál es la diferencia entre baja y permiso?": OTHER,
    "¿Quién aprueba un viaje?": OTHER,
}


@pytest.mark.parametrize(("question", "kind"), (ENGLISH | GERMAN | FRENCH | SPANISH).items())
def test_the_kind_of_answer_that_is_asked_for(question: str, kind: QuestionKind) -> None:
    assert classify_question(question) is kind


def test_another_language_is_not_guessed() -> None:
    assert classify_question("Quanti giorni di ferie ho?") is OTHER
    assert classify_question("年假有几天？") is OTHER
