"""The doubts about a finished answer: which are shown at its claims, and how a model is asked for some."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from structlog.stdlib import BoundLogger

from citations import CitedAnswer
from citations.doubts import Doubt, DoubtCode, Statement, find_statements
from citations.streaming import Remark

from ..languages import Sentence, say
from ..telemetry.log import cause
from .doubt_options import ClaimAndPassage, Supports

TIMEOUT: Final = 30.0
"""Seconds that a model may take to judge an answer, which the person has."""
LEAST_SUPPORT: Final = 0.5
"""A sentence with a lower score is doubtful."""
_MOST: Final = 5
"""Doubts that are shown; the log and the metrics count all."""
_LONGEST: Final = 80
"""Characters of a sentence or a quotation that are shown."""


async def judge_support(judge: Supports, cited: CitedAnswer, log: BoundLogger) -> tuple[Doubt, ...]:
    """The sentences of ``cited`` that ``judge`` doubts. One that fails or is late doubts none."""
    sentences = tuple(_find_judged(cited))
    if not sentences:
        return ()
    try:
        async with asyncio.timeout(TIMEOUT):
            scores = await judge([pair for _, pair in sentences])
        found = list(zip(sentences, scores, strict=True))
    except Exception as error:  # noqa: BLE001 - the answer does not depend on it
        log.warning("support not judged", cause=cause(error))
        return ()
    return tuple(
        Doubt(DoubtCode.SUPPORT, sentence.text, sentence.positions, place=sentence.place)
        for (sentence, _), score in found
        if score is not None and score < LEAST_SUPPORT
    )


def _find_judged(cited: CitedAnswer) -> Iterator[tuple[Statement, ClaimAndPassage]]:
    """The sentences whose sources have a text, each with these texts."""
    sources = {one.position: one.reference for one in cited.citations}
    for sentence in find_statements(cited):
        own = [sources[position] for position in sentence.positions if position in sources]
        texts = [one.text for one in own if one.text and not one.only_named]
        if texts and len(texts) == len(own):
            yield sentence, ClaimAndPassage(sentence.text, "\n\n".join(texts))


def choose_shown(doubts: Sequence[Doubt], marks: bool | None) -> tuple[Doubt, ...]:
    """The doubts that a person sees: all with ``marks``, else those about numbers and quotations."""
    return tuple(one for one in doubts if marks or one.code is not DoubtCode.SOURCE)


def write_remarks(doubts: Sequence[Doubt], cited: CitedAnswer, heading: str = "") -> tuple[Remark, ...]:
    """What is said about the sentences that have ``doubts``, in one line each, below ``heading``."""
    names = {one.id: one.document_name or one.name or "" for one in cited.references}
    remarks = [Remark(one.place, _say(one, names.get(one.better, ""))) for one in doubts[:_MOST]]
    return (*([Remark(remarks[0].place, heading)] if heading and remarks else ()), *remarks)


def _say(doubt: Doubt, better: str) -> str:
    number, words = ", ".join(map(str, doubt.positions)), _quote(doubt.words)
    match doubt.code:
        case DoubtCode.SOURCE:
            return say(Sentence.SOURCE_DOUBTFUL, number=number, words=words)
        case DoubtCode.SUPPORT:
            return say(Sentence.SUPPORT_DOUBTFUL, number=number, words=words)
        case DoubtCode.ANYWHERE:
            return say(Sentence.IN_NO_SOURCE, words=words)
        case _ if better:
            return say(Sentence.IN_OTHER_SOURCE, number=number, words=words, name=_quote(better))
        case _ if doubt.instead:
            return say(Sentence.SOURCE_SAYS, number=number, words=words, instead=_quote(doubt.instead))
    return say(Sentence.NOT_IN_SOURCE, number=number, words=words)


def _quote(words: str) -> str:
    return say(Sentence.IN_QUOTES, text=textwrap.shorten(words, _LONGEST, placeholder=" …"))
