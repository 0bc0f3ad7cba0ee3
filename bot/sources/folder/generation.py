"""An answer that a model writes over numbered passages, while it is being written."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from citations import (
    Answer,
    AnswerEvent,
    Dialect,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    TextCut,
    TextDelta,
    cite,
)
from citations.markdown.escape import escape_text
from citations.readers import text_of

from ...retrieval.composition import NOTHING
from ..errors import CutLater
from ..open_ai import OpenAIWriter

_NO_MARKERS: Final = "The model did not say which passage supports this. It was given:"


async def generate(
    writer: OpenAIWriter, question: str, references: tuple[Reference, ...]
) -> AsyncGenerator[AnswerEvent, None]:
    """The model's answer: who wrote it and from what first, then its text as it comes.

    Raises :class:`SourceError` where there can be no more of it, or nothing at all.
    """
    said: list[AnswerEvent] = []
    with CutLater() as cut:
        async with contextlib.aclosing(writer.write(question, references, NOTHING)) as events:
            async for event in events:
                if not said:
                    yield OriginKnown(_origin(writer))
                    # The model is given nothing else.
                    yield ReferencesFound(references, complete=True)
                said.append(event)
                yield event
    text = text_of(said)
    if text and not _says_nothing(text) and not _cites(text, references):
        if cut.error:
            yield TextCut()
        yield TextDelta(f"\n\n{_NO_MARKERS}\n\n{_list_references(references)}")
    cut.raise_if_cut()


def _origin(writer: OpenAIWriter) -> Origin:
    return Origin(slogan=f"Written by {writer.model} from your documents", generated=True)


def _says_nothing(text: str) -> bool:
    """Models set the sentence in quotes, or in bold."""
    return text.strip(' *"“”') == NOTHING


def _cites(text: str, references: tuple[Reference, ...]) -> bool:
    return bool(cite(Answer(text=text, references=references, dialect=Dialect.NUMBERED)).citations)


def _list_references(references: Sequence[Reference]) -> str:
    return "\n".join(f"- {escape_text(reference.name or '')} [{reference.id}]" for reference in references)
