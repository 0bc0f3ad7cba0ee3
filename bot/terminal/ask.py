"""``python app.py ask``: one question, and its answer with numbered sources on the terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote, urlsplit

from citations import (
    AnswerEvent,
    AnswerFormatError,
    AnswerKind,
    EventStreamError,
    LabelRanking,
    Reference,
    ReferencesFound,
    RenderingStream,
    channel,
)
from citations.readers import answer_of, text_of, write_answer
from citations.text import printable

from ..app.answer_source import create_source
from ..app.settings import Settings
from ..sources import AnswerSource, SourceError
from ..sources.folder import FolderSource
from .wait import wait_for_folder

ANSWERED: Final = 0
NOTHING_FOUND: Final = 1
FAILED: Final = 2


async def ask(settings: Settings, question: str, *, as_json: bool) -> int:
    """Print the answer to ``question``, and return the exit code.

    That is 0, or 1 where the sources say nothing about the question. It is 2 where the source could not
    answer; the reason is on stderr. With ``as_json`` the output is the neutral answer, which
    ``python -m citations render`` reads. Raises ``OSError`` where the folder can't be read.
    """
    base = settings.docs.absolute().as_uri() + "/"
    source = create_source(settings, base)
    try:
        await source.open()
        events = await _collect_events(source, question)
    except (SourceError, AnswerFormatError, EventStreamError) as error:
        print(printable(f"{source.title} did not answer: {error}"), file=sys.stderr)
        return FAILED
    finally:
        await source.close()
    if as_json:
        print(json.dumps(write_answer(answer_of(events)), ensure_ascii=False))
    else:
        print(_write_text(events, settings.labels, base))
    return ANSWERED if _has_answer(events) else NOTHING_FOUND


async def _collect_events(source: AnswerSource, question: str) -> list[AnswerEvent]:
    if isinstance(source, FolderSource):
        await wait_for_folder(source)
    async with contextlib.aclosing(source.answer(question)) as events:
        return [event async for event in events]


def _has_answer(events: Sequence[AnswerEvent]) -> bool:
    kind = answer_of(events).kind
    return kind is not AnswerKind.NOTHING and bool(text_of(events).strip())


def _write_text(events: Sequence[AnswerEvent], labels: LabelRanking | None, base: str) -> str:
    """Write the answer as plain text; the library knows no channel ``terminal``, so it has no markup."""
    stream = RenderingStream(channel("terminal"), ranking=labels)
    for event in events:
        if isinstance(event, ReferencesFound):
            named = tuple(_name_file(reference, base) for reference in event.references)
            stream.feed(replace(event, references=named))
        else:
            stream.feed(event)
    return stream.close().text


def _name_file(reference: Reference, base: str) -> Reference:
    """Put the path of its file before the name of a source, since a terminal has no links."""
    url = urlsplit(reference.document_url or "")._replace(query="", fragment="").geturl()
    if not url.startswith(base):
        return reference
    path = unquote(url.removeprefix(base))
    name = reference.name or path
    return reference if path in name else replace(reference, name=f"{path}: {name}")
