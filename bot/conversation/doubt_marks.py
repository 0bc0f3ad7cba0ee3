"""The doubts about a finished answer: found by the library's rules, judged by a model, shown below it."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from structlog.stdlib import BoundLogger

from citations import CitedAnswer
from citations.doubts import Doubt, DoubtCode, Statement, find_statements
from citations.markdown import escape_text

from ..messages import Sentence, say
from ..telemetry.log import cause
from .doubt_options import ClaimAndPassage, SupportJudge

TIMEOUT: Final = 10.0
"""Seconds that a model may take to judge an answer."""
_MOST: Final = 5
"""Doubts of a kind that are shown; the log and the metrics count all."""
_LONGEST: Final = 80
"""Characters of a sentence or a quotation that are shown."""


async def judge_support(judge: SupportJudge, cited: CitedAnswer, log: BoundLogger) -> tuple[Doubt, ...]:
    """The sentences of ``cited`` that ``judge`` doubts. One that fails or is late doubts none."""
    sentences = tuple(_find_judged(cited))
    if not sentences:
        return ()
    try:
        async with asyncio.timeout(TIMEOUT):
            verdicts = await judge([pair for _, pair in sentences])
        found = list(zip(sentences, verdicts, strict=True))
    except Exception as error:  # noqa: BLE001 - the answer does not depend on it
        log.warning("support not judged", cause=cause(error))
        return ()
    return tuple(
        Doubt(DoubtCode.SUPPORT, sentence.text, sentence.positions)
        for (sentence, _), supported in found
        if supported is False
    )


def _find_judged(cited: CitedAnswer) -> Iterator[tuple[Statement, ClaimAndPassage]]:
    """The sentences whose sources have a text, each with these texts."""
    sources = {one.position: one.reference for one in cited.citations}
    for sentence in find_statements(cited):
        own = [sources[position] for position in sentence.positions if position in sources]
        texts = [one.text for one in own if one.text and not one.only_named]
        if texts and len(texts) == len(own):
            yield sentence, ClaimAndPassage(sentence.text, "\n\n".join(texts))


def write_marks(doubts: Sequence[Doubt]) -> str:
    """The lines below an answer that name its ``doubts``, as Markdown; empty without any."""
    words = [_show(one) for one in doubts if one.code in (DoubtCode.NUMBER, DoubtCode.QUOTATION)]
    lines = [say(Sentence.NOT_IN_SOURCE, words=_join(words))] if words else []
    for code, sentence in (
        (DoubtCode.SOURCE, Sentence.SOURCE_DOUBTFUL),
        (DoubtCode.SUPPORT, Sentence.SUPPORT_DOUBTFUL),
    ):
        for one in islice((one for one in doubts if one.code is code), _MOST):
            number = ", ".join(map(str, one.positions))
            lines.append(say(sentence, number=number, words=_show(one)))
    return "\n\n".join(lines)


def _show(doubt: Doubt) -> str:
    words = escape_text(textwrap.shorten(doubt.words, _LONGEST, placeholder=" …"))
    return words if doubt.code is DoubtCode.NUMBER else say(Sentence.IN_QUOTES, text=words)


def _join(words: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(words))
    return ", ".join(distinct[:_MOST]) + (", …" if distinct[_MOST:] else "")
