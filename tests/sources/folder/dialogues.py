"""Dialogues about the sample documents, and what each last question gets."""

from __future__ import annotations

from typing import Final

LEANS: Final[tuple[tuple[str, ...], ...]] = (
    ("What is the hotel limit in Zurich?", "And in Berlin?"),
    ("What is the hotel limit in Zurich?", "what about Berlin?"),
    ("What is the limit in Zurich for managers?", "In Berlin?"),
    ("What is the budget for 2025?", "and 2026?"),
    ("Wie hoch ist der Zuschuss für einen Bürostuhl?", "Und für einen Tisch?"),
    ("Kommt die Rechnung per Post?", "Und per E-Mail?"),
    ("Combien de jours de congé ai-je en 2025 ?", "Et en 2026 ?"),
    ("Was steht in § 12?", "Und § 13?"),
    ("What does Section 3.2 say?", "and section 3.3?"),
    ("Was steht in § 12?", "Und Abs. 2?"),
    ("How many holidays do I have?", "and for part-timers?"),
    ("Wie viele Urlaubstage habe ich?", "Und in Teilzeit?"),
    ("Wie oft darf ich im Homeoffice arbeiten?", "Gilt das auch für Zürich?"),
    ("Wie hoch ist der Zuschuss?", "Wie sieht es mit dem Tisch aus?"),
    ("Do I need a receipt for a taxi?", "And a bus?"),
    ("Combien de jours de congé ai-je ?", "Et pour les stagiaires ?"),
    ("¿Cuántos días de vacaciones tengo?", "¿Y para los becarios?"),
    ("Do I get parental leave?", "How long?"),
    ("Was passiert mit Überstunden?", "Wie lange?"),
    ("Wie oft darf ich im Homeoffice arbeiten?", "und aus dem Ausland?", "Wie lange?"),
    ("How much is paid per km?", "and by bike?"),
    ("Can I fly business class?", "and premium economy?", "What about trains?"),
    ("How many days of holiday do I have?", "And if I am ill?"),
    ("Which wireless networks does Aurora 3 support?", "How much does it cost?"),
    ("Who is the finance lead?", "What is his phone number?"),
    ("Was bedeutet E07?", "Was kostet das?"),
    ("What is the hotel limit in Zurich?", "And in Berlin?", "and for meals?", "In Rome?"),
    ("How do I move to another server?", "and what about my posts?"),
    ("Who may work from abroad?", "And all contractors?"),
    ("Wie ziehe ich auf einen anderen Server um?", "Und was ist mit meinen Beiträgen?"),
    ("Wer bekommt einen Parkplatz?", "Und alle anderen Mitarbeiter?"),
    ("Comment changer de serveur ?", "Et mes messages ?"),
    ("¿Cómo cambio de servidor?", "¿Y mis mensajes?"),
)  # fmt: skip
STANDS_ALONE: Final[tuple[tuple[str, ...], ...]] = (
    ("And in Berlin?",),
    ("hello", "And in Berlin?"),
    ("What is the hotel limit in Zurich?", "How do I return a device?"),
    ("What is the hotel limit in Zurich?", "And how do I return a device?"),
    ("What is the hotel limit in Zurich?", "My laptop is broken"),
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
    ("What is the hotel limit in Zurich?", "And in Berlin?"): ("Understood as: What is the hotel limit in Zurich? And in Berlin?", "140 €"),
    ("What is the hotel limit in Zurich?", "And in Berlin?", "and Zurich?"): ("Understood as: What is the hotel limit in Zurich? And in Berlin? and Zurich?", "220 CHF"),
    ("How long does the battery of Aurora 3 last?", "And how often is it calibrated?"): ("Understood as: How long does the battery of Aurora 3 last? And how often is it calibrated?", "calibrates itself every seven days"),
    ("Do I get parental leave?", "How long?"): ("Understood as: Do I get parental leave? How long?", "36 months"),
    ("Wie hoch ist der Zuschuss für einen Bürostuhl?", "Und für einen Tisch?"): ("Verstanden als: Wie hoch ist der Zuschuss für einen Bürostuhl? Und für einen Tisch?", "350 €"),
    ("How long is the probaton period?",): ("Nothing on “probaton”. Showing “probation”.", "six months"),
    ("Zuschuss für einen Bürostul",): ("Zu „Bürostul“ gibt es nichts. Gezeigt wird „Bürostuhl“.", "280 €"),
    ("What is the hotel limit in Zurich?", "And in Brelin?"): ("Understood as: What is the hotel limit in Zurich? And in Brelin?\n\nNothing on “Brelin”. Showing “Berlin”.", "140 €"),
    ("What is the hotel limit in Zurich?", "How do I return a device?"): ("", "serial number"),
    # The sentence that answered the first question does not answer the second.
    ("How much is paid per km with my own car?", "and by bike?"): ("Understood as: How much is paid per km with my own car? and by bike?", "I am not certain."),
    ("What happens when a trip is cancelled?", "Do they pay for my gym?"): ("Understood as: What happens when a trip is cancelled? Do they pay for my gym?", "I am not certain."),
    ("How do I book a hotel?", "Can they reject my booking?"): ("Understood as: How do I book a hotel? Can they reject my booking?", "I am not certain."),
    ("Wie hoch ist der Zuschuss?", "Wie sieht es mit dem Tisch aus?"): ("Verstanden als: Wie hoch ist der Zuschuss? Wie sieht es mit dem Tisch aus?", "350 €"),
    ("Can I fly business class?", "What about tractors?"): ("Understood as: Can I fly business class? What about tractors?", "I am not certain."),
}  # fmt: skip
