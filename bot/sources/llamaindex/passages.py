"""Answers from what a retriever finds, without a model: as a folder quotes and shows its passages.

A retriever knows no frequencies of words. So its passages count as a few out of a thousand. Its scores mean
something else for each retriever. So words decide whether passages answer, and its order which are nearest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from citations import AnswerEvent, AnswerKind, Reference, ReferencesFound, TextDelta
from citations.model import KindKnown

from ...messages import Sentence
from ...retrieval.candidates import Candidate, search_candidates
from ...retrieval.composition import NumberedPassage, QuotedPassage, write_quotes
from ...retrieval.elliptic import CompleteQuestion
from ...retrieval.engine import SearchEngine
from ...retrieval.files import read
from ...retrieval.known_file import KnownFile
from ...retrieval.language import detect
from ...retrieval.nearest_passages import PASSAGES, find_nearest
from ...retrieval.part import make_part
from ...retrieval.passage import Passage, UnreadableError
from ...retrieval.quote import write_passage
from ...retrieval.search import Scope, SearchResult
from ...retrieval.split import split_passages
from ..replies import nearest, quoted, show_nearest

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
    known = {
        passage.path: KnownFile(
            path=passage.path,
            modified=0,
            size=0,
            changed=0,
            sha256="",
            passages=_OUT_OF,
            language=passage.language,
        )
        for passage in passages
    }
    candidates = [Candidate(passage) for passage in passages]
    scope = Scope(make_part(SearchEngine(None), known))
    return search_candidates(CompleteQuestion(question), scope, candidates)


def _read_passages(path: str, text: str) -> Iterator[Passage]:
    """The passages of a node's text, which is read as Markdown; none where it has no words."""
    try:
        document = read(text.encode(errors="replace"), "text.md")
    except UnreadableError:
        return iter(())
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
    shown = {one.passage.path: one.quoted[0] for one in reversed(find_nearest(result))}
    found = [
        (references[int(path)], write_passage(one.passage, one.units))
        for path, one in reversed(shown.items())
    ]
    if not found:  # no passage has a word of the question
        first = [(one, next(_read_passages("", one.text or ""), None)) for one in references[:PASSAGES]]
        found = [(one, write_passage(passage)) for one, passage in first if passage]
    return show_nearest(found, lead)
