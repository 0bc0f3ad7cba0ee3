"""This module turns statements of a document into the questions that they answer.

*The probation period is six months.* becomes *How long is the probation period?* Only sentences of a
few forms are turned, whose subject is clear without the sentences before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_LONGEST: Final = 8
"""What a question asks about has at most this many words."""
_LONGEST_CLAUSE: Final = 14
"""A condition has at most this many words."""


class _Form(NamedTuple):
    """The beginning of a sentence, and its question; ``{}`` stands for the group ``x``, or ``clause``."""

    sentence: re.Pattern[str]
    question: str


_OPEN: Final = ("NUMBER", r"\d", "’'])", ",", "[.:]")
"""A form with this end may go on in the same word."""


def _read_forms(text: str, parts: Mapping[str, str]) -> tuple[_Form, ...]:
    """Read lines ``sentence => question``; a name in capitals in a sentence is one of ``parts``."""
    forms: list[_Form] = []
    for line in text.strip().splitlines():
        sentence, question = line.strip().split(" => ")
        boundary = "" if sentence.endswith(_OPEN) else r"\b"
        for name, part in parts.items():
            sentence = sentence.replace(name, part)
        forms.append(_Form(re.compile(sentence + boundary), question))
    return tuple(forms)


_FORMS: Final = {
    "english": _read_forms(
        r"""
        THING is NUMBERTIME => How long is {}?
        (?P<x>The [A-Za-z][\w’'-]*(?: [\w’'-]+){0,5}?) are NUMBERTIME => How long are {}?
        THING lasts NUMBER => How long does {} last?
        THING takes NUMBERTIME => How long does {} take?
        THING costs [$€£]?\d => How much does {} cost?
        THING (?P<do>open|begin|start|close|end|expire)s (?:at|on|in|after) => When does {} {do}?
        THING was founded (?:in|on) => When was {} founded?
        THING was (?:built|completed) (?:in|on|between) => When was {} built?
        THING consists of => What does {} consist of?
        THING includes => What does {} include?
        THING covers => What does {} cover?
        WHO (?:is|are|shall be|will be) responsible for DUTY(?=[,.;]| and ) => Who is responsible for {}?
        NOUN (?:is|are) provided (?:by|through) => Who provides {}?
        NOUN (?:is|are|shall be|must be) approved by => Who approves {}?
        NOUN (?:is|are|shall be) elected by => Who elects {}?
        NOUN (?:is|are|shall be) appointed by => Who appoints {}?
        NOUN (?:is|are) paid by => Who pays {}?
        THING is (?P<do>[a-z]+ed) (?:once|twice|every) => How often is {} {do}?
        You(?:[’']re| are) eligible to (?P<x>[a-z]+ [\w’' -]{5,45}?) after => When am I eligible to {}?
        There are (?:currently )?(?:two|three|four|several) ways to DO[.:] => How can I {}?
        If CASE, ADVICE => What do I do if {}?
        ROLE (?:shall|must) (?!be|not|have|also|only)[a-z]+ => What must {} do?
        THING means => What does {} mean?
        THING is (?:an?|the|our|one) => What is {}?
        THING are (?:the|our|those) => What are {}?
        (?:In order to|To) DO, (?:please |first |you |simply |just )?[a-z]+ => How do I {}?
        You can DO (?:by|in|with|through|via|using|under|at) => How can I {}?
        """,
        {
            "THING": r"(?P<x>(?:The|A|An) [A-Za-z][\w’'-]*(?: [\w’'-]+){0,5}?)",
            "CASE": r"(?P<clause>(?:you|your|the|an?) [^,.;:]{8,70})",
            "NOUN": r"(?P<x>[A-Z][a-z’'-]+ [a-z][\w’'-]*(?: [\w’'-]+){0,4}?)",
            "ADVICE": (
                r"(?:(?:you (?:can|should|must|need|may)|please|simply|just|then|first) |(?:ask|call|check|"
                r"contact|do not|don[’']t|fill|follow|go|open|press|replace|report|restart|send|take|talk|"
                r"tell|try|turn|"
                r"update|use|write)\b)"
            ),
            "ROLE": r"(?P<x>The [A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,3})",
            "DO": (
                r"(?P<x>(?!be |have |learn |see |get |make |do |help |ensure |avoid )[a-z]+ (?:the|an?|"
                r"your|my) [\w’' -]{3,40}?)"
            ),
            "WHO": r"(?:The|Your|Our) [\w ]{3,40}?",
            "DUTY": r"(?P<x>(?:the|all|your|our|[a-z]+ing) [\w’' -]{3,45}?)",
            "NUMBER": (
                r"(?:about |around |up to |at least |at most |between )?(?:\d|one|two|three|four|five|six|"
                r"seven|eight|nine|ten|twelve|half)"
            ),
            "TIME": r"[^.;]{0,25}?\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b",
        },
    ),
    "german": _read_forms(
        r"""
        THING (?:beträgt|ist) NUMBERTIME => Wie lang ist {}?
        THING (?:betragen|sind) NUMBERTIME => Wie lang sind {}?
        THING beträgt => Wie hoch ist {}?
        THING betragen => Wie hoch sind {}?
        THING dauert => Wie lange dauert {}?
        THING dauern => Wie lange dauern {}?
        THING kostet => Was kostet {}?
        THING kosten => Was kosten {}?
        THING beginnt (?:am|um|mit|nach|ab) => Wann beginnt {}?
        THING endet (?:am|um|mit|nach) => Wann endet {}?
        WHO (?:ist|sind) für DUTY (?P<do>zuständig|verantwortlich) => Wer ist für {} {do}?
        THING gilt für => Für wen gilt {}?
        THING wird (?:am|zum|spätestens|monatlich|jährlich|jeweils)[^.;]{3,60} DONE => Wann wird {} {do}?
        THING ist (?:bis|spätestens|innerhalb)[^.;]{3,60} zu (?P<do>\w+en) => Bis wann ist {} zu {do}?
        (?:Wenn|Falls) CASE, ADVICE => Was mache ich, wenn {}?
        THING verjährt => Wann verjährt {}?
        THING besteht aus => Woraus besteht {}?
        THING umfasst => Was umfasst {}?
        THING enthält => Was enthält {}?
        THING bedeutet => Was bedeutet {}?
        THING ist (?:ein|eine|der|die|das) => Was ist {}?
        Um (?P<x>(?:das|die|den|der|eine?n?) [\w -]{3,40}?) (?:zu )?(?P<do>\w+n), => Wie kann ich {} {do}?
        """,
        {
            "THING": (
                r"(?P<x>(?:Der|Die|Das|Ein|Eine) (?:[a-zäöüß]+e[nrs]? ){0,2}[A-ZÄÖÜ][\w-]+"
                r"(?: (?:des|der|im|am|für|von|zur|zum) [\w-]+){0,2})"
            ),
            "CASE": r"(?P<clause>(?:der|die|das|eine?|Ihre?) [^,.;:]{8,70})",
            "DONE": r"(?P<do>gezahlt|ausgezahlt|überwiesen|geprüft|gewählt|fällig)",
            "ADVICE": r"(?:[a-zäöüß]+en Sie|(?:bitte|dann) [a-zäöüß]+en Sie|sollten Sie)",
            "WHO": r"(?:Der|Die|Das) [\w ]{3,40}?",
            "DUTY": r"(?P<x>(?:die|den|das|alle) [\w -]{3,40}?)",
            "NUMBER": (
                r"(?:etwa |rund |bis zu |mindestens |höchstens |maximal |jährlich )*(?:\d|ein|zwei|drei|"
                r"vier|fünf|sechs|acht|zehn|zwölf)"
            ),
            "TIME": (
                r"[^.;]{0,25}?(?:Minuten?|Stunden?|Tagen?|Werktage|Arbeitstage|Wochen?|Monaten?|Jahren?)\b"
            ),
        },
    ),
    "french": _read_forms(
        r"""
        THING dure => Combien de temps dure {} ?
        THING durent => Combien de temps durent {} ?
        THING coûte => Combien coûte {} ?
        THING coûtent => Combien coûtent {} ?
        THING comprend => Que comprend {} ?
        THING contient => Que contient {} ?
        THING signifie => Que signifie {} ?
        THING commence (?:à|le|en) => Quand commence {} ?
        THING est (?:une?|l[ea]|l[’']) => Qu’est-ce que {} ?
        THING sont (?:des|les) => Que sont {} ?
        Si CASE, ADVICE => Que faire si {} ?
        Pour (?P<x>[a-zà-ÿ]+(?:er|ir|re) (?:l[ea]s?|une?|votre|vos) [\w’' -]{3,40}?), => Comment {} ?
        """,
        {
            "THING": r"(?P<x>(?:La |Le |Les |L[’'])[a-zà-ÿ][\w-]*(?: [\w’'-]+){0,5}?)",
            "CASE": r"(?P<clause>(?:le |la |les |l[’'])[^,.;:]{8,70})",
            "ADVICE": r"(?:veuillez|vous (?:pouvez|devez)|[a-z]+ez)",
        },
    ),
    "spanish": _read_forms(
        r"""
        THINGS duran => ¿Cuánto duran {}?
        THINGS cuestan => ¿Cuánto cuestan {}?
        THINGS son (?:los|las|unos|unas) => ¿Qué son {}?
        THING dura => ¿Cuánto dura {}?
        THING cuesta => ¿Cuánto cuesta {}?
        THING incluye => ¿Qué incluye {}?
        THING contiene => ¿Qué contiene {}?
        THING significa => ¿Qué significa {}?
        THING (?:empieza|comienza) (?:a|el|en) => ¿Cuándo empieza {}?
        THING es (?:una?|el|la) => ¿Qué es {}?
        Si CASE, (?:puede|debe|tiene que|[a-z]+e (?:el|la|los|las|con)) => ¿Qué hago si {}?
        Para (?P<x>[a-zà-ÿ]+[aei]r (?:el|las?|los|una?|su) [\w -]{3,40}?), => ¿Cómo puedo {}?
        """,
        {
            "CASE": r"(?P<clause>(?:su|sus|el|la|los|las) [^,.;:]{8,70})",
            "THINGS": r"(?P<x>(?:Los|Las) [a-zà-ÿ][\w-]*(?: [\w-]+){0,5}?)",
            "THING": r"(?P<x>(?:El|La) [a-zà-ÿ][\w-]*(?: [\w-]+){0,5}?)",
        },
    ),
}
_UNCLEAR: Final = frozenset(
    """
    that which who whom whose what where when why how there this these those it its itself he she his
    him her they them their and or but if not is are was were be been has have had do does did can will
    would should may might must shall only first second third last next same other following above below
    latter former purpose reason result name aim goal idea point problem fact question answer way thing
    one example examples rest list table dass welche welcher welches dieser diese dieses folgende
    folgenden andere anderen andern gleiche gleichen obige zweck grund ergebnis ziel name erste zweite
    dritte unterschied und oder nicht wer beispiel que qui dont où ce cette ces celui celle premier
    première deuxième autre autres même suivant suivante but nom et ou este esta estos estas ese esa
    aquel primer primera segundo otro otra otros mismo siguiente objetivo nombre ejemplo ejemplos y o
    """.split()
)
"""Words that point elsewhere, or say too little alone."""
_NUMBERED: Final = re.compile(r"^\(?\d{1,3}[a-z]?[.)]\s+")
_POINTING: Final = frozenset(
    """
    it its they them their this these those he she his her such same above below es sie dies diese dieser
    dieses il elle ils elles ce cela ceci ello eso esto ese esta este
    """.split()
)
"""Words of a condition that point elsewhere."""
_MINE: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\byou are\b|\byou[’']re\b", "I am"),
        (r"\byou were\b", "I was"),
        (r"\byou\b", "I"),
        (r"\byour\b", "my"),
        (r"\byourself\b", "myself"),
        (r"\bIhre\b", "meine"),
        (r"\bIhr\b", "mein"),
        (r"\bsu\b", "mi"),
        (r"\bsus\b", "mis"),
    )
)
"""Words for the reader of a document, as that person says them."""
_SEPARABLE: Final = re.compile(
    r"(ab|an|auf|aus|bei|durch|ein|fest|frei|her|hin|hinzu|los|mit|nach|um|vor|weg|zurück)zu(\w+n)"
)
"""A German infinitive with ``zu`` inside, such as *anzulegen*."""


def ask_sentence(sentence: str, language: str | None) -> str | None:
    """Return the question that a sentence of a language answers; None where it has none of the forms."""
    statement = _NUMBERED.sub("", sentence)
    for form in _FORMS.get(language or "", ()):
        if not (found := form.sentence.match(statement)):
            continue
        parts = found.groupdict()
        about = parts.get("x") or parts["clause"]
        if _is_clear(about) if "x" in parts else _is_clear_clause(about):
            verb = _SEPARABLE.sub(r"\1\2", parts.get("do", ""))
            return form.question.format(_soften(about), do=verb)
    return None


def _is_clear(words: str) -> bool:
    """Return whether words name one thing without the sentences before them."""
    split = re.split(r"[\s’']+", words.lower())
    return 1 < len(split) <= _LONGEST and not _UNCLEAR.intersection(split[1:])


def _is_clear_clause(words: str) -> bool:
    """Return whether a condition can be understood without the sentences before it."""
    split = re.split(r"[\s’']+", words.lower())
    return len(split) <= _LONGEST_CLAUSE and not _POINTING.intersection(split)


def _soften(words: str) -> str:
    """Write words in the middle of a question, as the person who asks would say them."""
    for pattern, replacement in _MINE:
        words = pattern.sub(replacement, words)
    first = words[:2]
    return words if first[1:].isupper() or words.startswith("I ") else words[0].lower() + words[1:]
