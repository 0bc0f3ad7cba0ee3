"""This module recognises greetings, thanks and the like, which no passage answers."""

from __future__ import annotations

import re
from typing import Final

_PHRASES: Final = """
hi, hello, hello there, hey, hiya, howdy, greetings, good morning, good afternoon, good evening, good day
good night, welcome, yo, there, everyone, all, bot, again
thank you, thank you very much, thank you so much, thanks, thanks a lot, many thanks, thx, cheers
great, cool, nice, ok, okay, perfect, awesome, yes, no, please, bye, goodbye, see you, see you later
how are you, how are you doing, how are you today, what's up, whats up, nice to meet you
who are you, what are you, what can you do, what can i ask, what can i ask you, what do you do
what do you know, help, help me, test, ping, tell me a joke, are you a bot, are you a robot
are you human, are you real, you there
hallo, moin, servus, guten tag, guten morgen, guten abend, grüß gott, danke, danke schön, danke sehr
vielen dank, tschüs, tschüss, wie geht's, wie geht es dir, wie geht es ihnen, hilfe, wer bist du
was kannst du, ja, nein, bitte
bonjour, bonsoir, salut, coucou, merci, merci beaucoup, merci bien, au revoir, ça va, comment ça va
comment allez-vous, aide, qui es-tu, oui, non
hola, buenos días, buenas tardes, buenas noches, gracias, muchas gracias, adiós, ciao, grazie
buongiorno, olá, obrigado, obrigada, bom dia
"""
_MARKS: Final = re.compile(r"[^\w\s'-]+")
_LONGEST: Final = 80


def _write_alternatives() -> str:
    phrases = {" ".join(phrase.split()) for phrase in re.split(r"[,\n]", _PHRASES)} - {""}
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


_ONLY: Final = re.compile(rf"(?:(?:{_write_alternatives()})(?: |$))*")


def is_smalltalk(question: str) -> bool:
    """Return whether a message is empty or consists of phrases of courtesy only."""
    if len(question) > _LONGEST:
        return False
    words = _MARKS.sub(" ", question.lower().replace("’", "'"))
    return bool(_ONLY.fullmatch(" ".join(words.split())))
