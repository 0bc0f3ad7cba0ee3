"""``python app.py ask``: one question, and its answer with numbered sources on the terminal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Sequence
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
from citations.text import printable, printable_json, printable_lines

from ...languages import speaking, wording
from ...sources import SourceError
from ...sources.folder import FolderSource
from ...sources.local_models import SERVERS, LocalModels, ModelUse
from ...sources.message_language import tell_language
from ...sources.room import Room, replying_in
from ..answer_source import create_folder, create_source
from ..settings import Settings
from .wait import wait_until_read

ANSWERED: Final = 0
NOTHING_FOUND: Final = 1
FAILED: Final = 2


async def ask(settings: Settings, question: str, *, as_json: bool) -> int:
    """Print the answer to ``question``, and return the exit code.

    That is 0, or 1 where the sources say nothing about the question. It is 2 where the source could not
    answer, or not to the end; the reason is on stderr. With ``as_json`` the output is the neutral answer,
    which ``python -m citations render`` reads, and only a whole one. Raises ``OSError`` where the folder
    can't be read. The bot's sentences are in the question's language.
    """
    room = Room.PAGE if as_json else Room.ABOVE_LIST
    with speaking(tell_language(question)), replying_in(room):
        return await _ask(settings, question, as_json=as_json)


async def _ask(settings: Settings, question: str, *, as_json: bool) -> int:
    base = settings.docs.absolute().as_uri() + "/"
    folder = create_folder(settings, base) if settings.source == "folder" else None
    source = folder or create_source(settings, base)
    events: list[AnswerEvent] = []
    try:
        if folder and settings.looks_for_models and settings.local_models.mode == "auto":
            await _take_model(folder)
        await source.open()
        await wait_until_read(source)
        async with contextlib.aclosing(source.answer(question)) as answer:
            async for event in answer:
                events.append(event)  # noqa: PERF401 - what came before an error is kept
    except (SourceError, AnswerFormatError, EventStreamError) as error:
        begun = not as_json and bool(text_of(events).strip())
        if begun:
            print(printable_lines(_write_text(events, settings.labels, base)), flush=True)
        failed = "did not finish its answer" if begun else "did not answer"
        print(printable(f"{source.title} {failed}: {error}"), file=sys.stderr)
        return FAILED
    finally:
        await source.close()
    if as_json:
        print(printable_json(_write_json(events, settings.labels)))
    else:
        print(printable_lines(_write_text(events, settings.labels, base)))
    return ANSWERED if _has_answer(events) else NOTHING_FOUND


async def _take_model(folder: FolderSource) -> None:
    """Have the first model of this machine word the answer, if there is one."""
    models = LocalModels(folder, uses=(ModelUse.WRITING,), takes_first=True)
    await models.look()
    if not models.used:
        ports = ", ".join(str(urlsplit(server.url).port) for server in SERVERS)
        print(f"no model answers on this machine (ports {ports}): the answer is quoted", file=sys.stderr)


def _has_answer(events: Sequence[AnswerEvent]) -> bool:
    kind = answer_of(events).kind
    return kind is not AnswerKind.NOTHING and bool(text_of(events).strip())


def _write_text(events: Sequence[AnswerEvent], labels: LabelRanking | None, base: str) -> str:
    """Write the answer as plain text."""
    named = (
        replace(event, references=tuple(_name_file(one, base) for one in event.references))
        if isinstance(event, ReferencesFound)
        else event
        for event in events
    )
    return _open_stream(named, labels).close().text


def _write_json(events: Sequence[AnswerEvent], labels: LabelRanking | None) -> str:
    """Write the neutral answer; what a label withholds from a terminal is not in it."""
    answer = answer_of(events)
    stream = _open_stream(events, labels)
    if stream.close().is_withheld:
        shown = stream.cited
        found = tuple(replace(one.reference, id=str(one.position)) for one in shown.citations)
        answer = replace(answer, text=shown.text, references=found, spans=(), query=None)
    return json.dumps(write_answer(answer), ensure_ascii=False)


def _open_stream(events: Iterable[AnswerEvent], labels: LabelRanking | None) -> RenderingStream:
    """Feed a stream; the library knows no channel ``terminal``, so it has no markup."""
    stream = RenderingStream(channel("terminal", wording=wording()), ranking=labels)
    for event in events:
        stream.feed(event)
    return stream


def _name_file(reference: Reference, base: str) -> Reference:
    """Put the path of its file before the name of a source, since a terminal has no links."""
    url = urlsplit(reference.document_url or "")._replace(query="", fragment="").geturl()
    if not url.startswith(base):
        return reference
    path = unquote(url.removeprefix(base))
    name, document = (
        name if path in name else f"{path}: {name}"
        for name in (reference.name or path, reference.document_name or path)
    )
    return replace(reference, name=name, document_name=document)
