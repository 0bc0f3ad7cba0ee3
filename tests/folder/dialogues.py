"""Dialogues about the sample documents, and how the last question of each is understood."""

from __future__ import annotations

from typing import Final

COMPLETED: Final[dict[tuple[str, ...], str]] = {
    # A phrase takes the place of one with the same preposition, of the only name, or of the only number.
    ("What is the hotel limit in Zurich?", "And in Berlin?"): "What is the hotel limit in Berlin?",
    ("What is the hotel limit in Zurich?", "what about Berlin?"): "What is the hotel limit in Berlin?",
    ("What is the limit in Zurich for managers?", "In Berlin?"): "What is the limit in Berlin for managers?",
    ("What is the budget for 2025?", "and 2026?"): "What is the budget for 2026?",
    ("Wie hoch ist der Zuschuss für einen Bürostuhl?", "Und für einen Tisch?"): "Wie hoch ist der Zuschuss für einen Tisch?",
    ("Kommt die Rechnung per Post?", "Und per E-Mail?"): "Kommt die Rechnung per E-Mail?",
    ("Combien de jours de congé ai-je en 2025 ?", "Et en 2026 ?"): "Combien de jours de congé ai-je en 2026 ?",
    ("Was steht in § 12?", "Und § 13?"): "Was steht in § 13?",
    ("What does Section 3.2 say?", "and section 3.3?"): "What does section 3.3 say?",
    # Otherwise it is added.
    ("Was steht in § 12?", "Und Abs. 2?"): "Was steht in § 12 – Abs. 2?",
    ("How many holidays do I have?", "and for part-timers?"): "How many holidays do I have – for part-timers?",
    ("Wie viele Urlaubstage habe ich?", "Und in Teilzeit?"): "Wie viele Urlaubstage habe ich – in Teilzeit?",
    ("Wie oft darf ich im Homeoffice arbeiten?", "Gilt das auch für Zürich?"): "Wie oft darf ich im Homeoffice arbeiten – für Zürich?",
    ("Wie hoch ist der Zuschuss?", "Wie sieht es mit dem Tisch aus?"): "Wie hoch ist der Zuschuss – mit dem Tisch?",
    # An article is no preposition of another language.
    ("Do I need a receipt for a taxi?", "And a bus?"): "Do I need a receipt for a taxi – a bus?",
    ("Combien de jours de congé ai-je ?", "Et pour les stagiaires ?"): "Combien de jours de congé ai-je – pour les stagiaires ?",
    ("¿Cuántos días de vacaciones tengo?", "¿Y para los becarios?"): "¿Cuántos días de vacaciones tengo – para los becarios?",
    ("Do I get parental leave?", "How long?"): "Do I get parental leave – how long?",
    ("Was passiert mit Überstunden?", "Wie lange?"): "Was passiert mit Überstunden – wie lange?",
    ("Wie oft darf ich im Homeoffice arbeiten?", "und aus dem Ausland?", "Wie lange?"): "Wie oft darf ich im Homeoffice arbeiten – aus dem Ausland – wie lange?",
    ("How much is paid per km?", "and by bike?"): "How much is paid per km – by bike?",
    ("Can I fly business class?", "and premium economy?", "What about trains?"): "Can I fly business class – trains?",
    ("How many days of holiday do I have?", "And if I am ill?"): "How many days of holiday do I have – if I am ill?",
    # A pronoun.
    ("Which wireless networks does Aurora 3 support?", "How much does it cost?"): "Which wireless networks does Aurora 3 support – how much does it cost?",
    ("Who is the finance lead?", "What is his phone number?"): "Who is the finance lead – what is his phone number?",
    ("Was bedeutet E07?", "Was kostet das?"): "Was bedeutet E07 – was kostet das?",
    # One after the other.
    ("What is the hotel limit in Zurich?", "And in Berlin?", "and for meals?", "In Rome?"): "What is the hotel limit in Rome – for meals?",
    ("Do I get parental leave?", "thanks", "For how long?"): "Do I get parental leave – for how long?",
}  # fmt: skip
STANDS_ALONE: Final[tuple[tuple[str, ...], ...]] = (
    ("And in Berlin?",),
    ("hello", "And in Berlin?"),
    ("What is the hotel limit in Zurich?", "How do I return a device?"),
    ("What is the hotel limit in Zurich?", "And how do I return a device?"),
    ("What is the hotel limit in Zurich?", "hotel limit"),
    ("What is the hotel limit in Zurich?", "What about “Sick leave”?"),
    ("What is the hotel limit in Zurich?", "Is it possible to work from abroad?"),
    ("What is the hotel limit in Zurich?", "In which country may I work from home this year?"),
    ("Was bedeutet E07?", "Was kostet das Gerät?"),
    ("Was bedeutet E07?", "Gibt es einen Zuschuss?"),
    ("Was bedeutet E07?", "Was ist mit Normalkräften verbunden?"),
    ("年假有几天？", "病假呢？"),
)
ANSWERED: Final[dict[tuple[str, ...], tuple[str, str]]] = {
    # The line above the answer, and what stands in the answer.
    ("What is the hotel limit in Zurich?", "And in Berlin?"): ("Understood as: What is the hotel limit in Berlin?", "140 €"),
    ("What is the hotel limit in Zurich?", "And in Berlin?", "and Zurich?"): ("Understood as: What is the hotel limit in Zurich?", "220 CHF"),
    ("How long does the battery of Aurora 3 last?", "And how often is it calibrated?"): ("Understood as: How long does the battery of Aurora 3 last – how often is it calibrated?", "calibrates itself every seven days"),
    ("Do I get parental leave?", "How long?"): ("Understood as: Do I get parental leave – how long?", "36 months"),
    ("Wie hoch ist der Zuschuss für einen Bürostuhl?", "Und für einen Tisch?"): ("Verstanden als: Wie hoch ist der Zuschuss für einen Tisch?", "350 €"),
    ("How long is the probaton period?",): ("Nothing on “probaton”. Showing “probation”.", "six months"),
    ("Zuschuss für einen Bürostul",): ("Zu „Bürostul“ gibt es nichts. Gezeigt wird „Bürostuhl“.", "280 €"),
    ("What is the hotel limit in Zurich?", "And in Brelin?"): ("Understood as: What is the hotel limit in Brelin?\n\nNothing on “Brelin”. Showing “Berlin”.", "140 €"),
    ("What is the hotel limit in Zurich?", "How do I return a device?"): ("", "serial number"),
    # The sentence that answered the first question does not answer the second.
    ("How much is paid per km with my own car?", "and by bike?"): ("Understood as: How much is paid per km with my own car – by bike?", "I have no clear answer."),
    ("Can I fly business class?", "What about tractors?"): ("Understood as: Can I fly business class – tractors?", "I have no clear answer."),
}  # fmt: skip
