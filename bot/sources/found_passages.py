"""Answers from what a retriever finds, in a model's words or as a folder shows its passages.

A retriever knows no frequencies of words. So its passages count as a few out of a thousand. Its scores mean
something else for each retriever. So words decide whether passages answer, and its order which are nearest.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from citations import AnswerEvent, LabelRanking, Reference

from ..retrieval import Found, Scope, search
from ..retrieval.answer import NumberedPassage, SearchResult
from ..retrieval.files import read_text
from ..retrieval.index import FoundPassages, list_documents
from ..retrieval.passages import Passage, split_passages
from ..retrieval.words import detect
from .folder.answer import answer_found
from .model_writer import ModelWriter
from .permission import split_by_extract_right
from .question_completion import CompleteQuestion

_OUT_OF: Final = 1000
_GIVEN: Final = 10
"""The number of passages that a model gets."""


@dataclass(frozen=True, slots=True)
class GivenReferences:
    """Describes passages by the references that a retriever gave. A passage's path is its reference's place.

    Those ``sealed`` may only be named.
    """

    readable: tuple[Reference, ...]
    sealed: tuple[Reference, ...]

    def find_key(self, passage: Passage) -> object:
        """A key that the passages of one reference share."""
        return passage.path

    def find_label(self, result: SearchResult, path: str) -> str | None:  # noqa: ARG002
        """The name of a reference's label."""
        return self.readable[int(path)].label_name

    def describe_sources(
        self,
        result: SearchResult,  # noqa: ARG002
        sources: Sequence[NumberedPassage],
    ) -> tuple[Reference, ...]:
        """The references of sources, as they were given."""
        return tuple(self.readable[int(one.path)] for one in sources)

    def describe_unquotable(self, result: SearchResult, before: int) -> tuple[Reference, ...]:  # noqa: ARG002
        """The references that may only be named, as they were given."""
        return self.sealed


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
    readable = readable[:_GIVEN] if writer else readable
    result = await asyncio.to_thread(_search, question, readable)
    found = Found(result, GivenReferences(readable, sealed))
    async with contextlib.aclosing(answer_found(question.text, found, writer, readable)) as events:
        async for event in events:
            yield event


def _search(question: CompleteQuestion, references: Sequence[Reference]) -> SearchResult:
    """Search the texts of references; the path of a passage is the place of its reference.

    Where no text has a word, each reference still has its title.
    """
    passages = [
        passage
        for place, reference in enumerate(references)
        for passage in _read_passages(str(place), reference.text or "")
    ] or [Passage(path=str(place), start=0, end=0, text="", units=()) for place in range(len(references))]
    paths = {passage.path: passage.language for passage in passages}
    languages = tuple(language for language, _ in Counter(filter(None, paths.values())).most_common())
    found = FoundPassages([(passage, None) for passage in passages], _OUT_OF * len(paths), languages)
    return search(question.text, found, Scope(list_documents({})), taken_up=question.taken_up)


def _read_passages(path: str, text: str) -> Iterator[Passage]:
    """The passages of a node's text, which is read as Markdown; none where it has no words."""
    document = read_text(text)
    return split_passages(document, path, detect(document.text))
