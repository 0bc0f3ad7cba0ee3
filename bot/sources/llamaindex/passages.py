"""Answers from what a retriever finds, without a model: as a folder quotes and shows its passages.

A retriever knows no frequencies of words. So its passages count as a few out of a thousand. Its scores mean
something else for each retriever. So words decide whether passages answer, and its order which are nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Reference, ReferencesFound, TextDelta
from citations.model import KindKnown

from ...languages import Sentence
from ...retrieval.answer import (
    PASSAGES,
    NumberedPassage,
    QuotedPassage,
    Scope,
    SearchResult,
    find_nearest,
    search,
    write_excerpts,
    write_quotes,
)
from ...retrieval.files import read_text
from ...retrieval.index import FoundPassages, list_documents
from ...retrieval.passages import Passage, split_passages
from ...retrieval.words import detect
from ..replies import nearest, quoted, show_nearest
from ..room import Room, room

_OUT_OF: Final = 1000


def list_events(question: str, references: Sequence[Reference], notice: str = "") -> list[AnswerEvent]:
    """The events of an answer that quotes the passages of ``references``, or shows the nearest ones.

    ``notice`` is a sentence above the text. There is at least one reference.
    """
    result = _search(question, references)
    answers = result.kind is AnswerKind.ANSWERED
    text = _write_quotes(result, references) if answers else _write_nearest(result, references)
    return [
        quoted() if answers else nearest(),
        KindKnown(AnswerKind.ANSWERED if answers else AnswerKind.UNSURE),
        ReferencesFound(tuple(references), complete=True),
        TextDelta(f"{notice}\n\n{text}" if notice else text),
    ]


def show_nearest_passages(
    question: str, references: Sequence[Reference], lead: Sentence = Sentence.NOT_SURE
) -> str:
    """The reply that shows the nearest passages of ``references`` below the sentence ``lead``."""
    return _write_nearest(_search(question, references), references, lead)


def _search(question: str, references: Sequence[Reference]) -> SearchResult:
    """Search the texts of references; the path of a passage is the place of its reference."""
    passages = [
        passage
        for place, reference in enumerate(references)
        for passage in _read_passages(str(place), reference.text or "")
    ]
    paths = {passage.path: passage.language for passage in passages}
    languages = tuple(language for language, _ in Counter(filter(None, paths.values())).most_common())
    found = FoundPassages([(passage, None) for passage in passages], _OUT_OF * len(paths), languages)
    return search(question, found, Scope(list_documents({})))


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
    excerpts = write_excerpts(shown, is_brief=room() is not Room.PAGE)
    return show_nearest([references[int(one.passage.path)] for one in shown], excerpts, lead)
