"""Answers from what a retriever finds, in a model's words or as a folder quotes and shows its passages.

A retriever knows no frequencies of words. So its passages count as a few out of a thousand. Its scores mean
something else for each retriever. So words decide whether passages answer, and its order which are nearest.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, LabelRanking, Reference, ReferencesFound, TextDelta
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ..languages import Sentence, say
from ..retrieval import Scope, search
from ..retrieval.answer import (
    PASSAGES,
    NumberedPassage,
    QuotedPassage,
    SearchResult,
    find_nearest,
    write_excerpts,
    write_quotes,
)
from ..retrieval.files import read_text
from ..retrieval.index import FoundPassages, list_documents
from ..retrieval.passages import Passage, split_passages
from ..retrieval.words import detect
from .extract import split_by_extract_right
from .folder.generation import Generation
from .model_writer import ModelWriter
from .question_completion import CompleteQuestion
from .room import is_brief
from .sentences import list_unquotable, note_nearest, note_quoted, write_nearest

_OUT_OF: Final = 1000
_TITLES: Final = 3
"""The most titles that are shown where no passage can be."""
_GIVEN: Final = 10
"""The number of passages that a model gets."""


async def answer_from(
    question: CompleteQuestion,
    references: Sequence[Reference],
    writer: ModelWriter | None,
    ranking: LabelRanking | None,
) -> AsyncGenerator[AnswerEvent, None]:
    """Answer from the passages of ``references``: in the words of ``writer``, or else in their own.

    What ``ranking`` or its own label says is encrypted is only named, unless it has the right EXTRACT.
    """
    readable, sealed = split_by_extract_right(references, ranking)
    written, has_begun = AnswerSoFar(Dialect.NUMBERED), False
    if writer and readable:
        given = readable[:_GIVEN]
        write_nearest = functools.partial(write_nearest_passages, question, given)
        writing = Generation(writer, given, write_nearest, written)
        async with contextlib.aclosing(writing.answer(question.text)) as events:
            async for event in events:
                has_begun = True
                yield event
    if readable and not has_begun:
        notice = say(Sentence.MODEL_FAILED) if writer else ""
        for event in await asyncio.to_thread(list_events, question, readable, notice):
            yield event
    for event in _end(readable, sealed, written):
        yield event


def _end(
    readable: Sequence[Reference], sealed: tuple[Reference, ...], written: AnswerSoFar
) -> Iterator[AnswerEvent]:
    """What is said of documents that may not be quoted, and where there is none at all."""
    if sealed:
        found = ReferencesFound(sealed, complete=True)
        written.note(found)
        yield found
        listed = "\n\n" * bool(readable) + list_unquotable(sealed, after=bool(readable))
        yield from written.marked_events(listed)
    elif not readable:
        yield note_quoted()
        yield KindKnown(AnswerKind.NOTHING)
        yield TextDelta(say(Sentence.NOTHING_FOUND))


def list_events(
    question: CompleteQuestion, references: Sequence[Reference], notice: str = ""
) -> list[AnswerEvent]:
    """The events of an answer that quotes the passages of ``references``, or shows the nearest ones.

    ``notice`` is a sentence above the text. There is at least one reference.
    """
    result = _search(question, references)
    answers = result.kind is AnswerKind.ANSWERED
    text = _write_quotes(result, references) if answers else _write_nearest(result, references)
    return [
        note_quoted() if answers else note_nearest(),
        KindKnown(AnswerKind.ANSWERED if answers else AnswerKind.UNSURE),
        ReferencesFound(tuple(references), complete=True),
        TextDelta(f"{notice}\n\n{text}" if notice else text),
    ]


def write_nearest_passages(
    question: CompleteQuestion, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    """The reply that shows the nearest passages of ``references`` below the sentence ``lead``."""
    return _write_nearest(_search(question, references), references, lead)


def _search(question: CompleteQuestion, references: Sequence[Reference]) -> SearchResult:
    """Search the texts of references; the path of a passage is the place of its reference."""
    passages = [
        passage
        for place, reference in enumerate(references)
        for passage in _read_passages(str(place), reference.text or "")
    ]
    paths = {passage.path: passage.language for passage in passages}
    languages = tuple(language for language, _ in Counter(filter(None, paths.values())).most_common())
    found = FoundPassages([(passage, None) for passage in passages], _OUT_OF * len(paths), languages)
    return search(question.text, found, Scope(list_documents({})), taken_up=question.taken_up)


def _read_passages(path: str, text: str) -> Iterator[Passage]:
    """The passages of a node's text, which is read as Markdown; none where it has no words."""
    document = read_text(text)
    return split_passages(document, path, detect(document.text))


def _write_quotes(result: SearchResult, references: Sequence[Reference]) -> str:
    sources = [
        NumberedPassage(references[int(passage.path)].id, (QuotedPassage(passage),))
        for passage in (one.ranked.passage for one in result.quotes)
    ]
    return write_quotes(result.quotes, sources)


def _write_nearest(
    result: SearchResult, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    shown = list({one.passage.path: one for one in reversed(find_nearest(result))}.values())[::-1]
    if not shown:  # no passage has a word of the question
        first = [
            next(_read_passages(str(place), one.text or ""), None) for place, one in enumerate(references)
        ]
        shown = [NumberedPassage("", (QuotedPassage(one),)) for one in first if one][:PASSAGES]
    if not shown:  # no passage has a word
        return write_nearest(references[:_TITLES], (), lead)
    excerpts = write_excerpts(result, shown, is_brief=is_brief())
    return write_nearest([references[int(one.passage.path)] for one in shown], excerpts, lead)
