"""Open WebUI's answers: chat completions, saved chats, and the events that pipes and tools emit.

Governing sources: Open WebUI's ``get_source_context``, which numbers what the model is shown, and its
``Citations.svelte``, which numbers in the same way what the reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from ..answer import Answer, AnswerEvent, Origin, OriginKnown, ReferencesFound, TextDelta
from ..errors import AnswerFormatError, EventStreamError
from ..marker import Dialect
from ..reference import Reference
from .convert import convert
from .framing import JsonEvents, reported
from .stream import AnswerStream


class _Source(msgspec.Struct):
    """What was asked for (a whole collection, a file, a page) and, in parallel, its passages."""

    source: dict[str, Any] | None = None
    document: list[Any] | None = None
    metadata: list[dict[str, Any] | None] | None = None
    # Of versions up to 0.6: "if 'document' in source and not is_tool_result", it gets a number.
    tool_result: bool | None = None


class _Said(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    delta: _Said | None = None
    message: _Said | None = None
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    content: str | None = None
    delta: str | None = None
    sources: list[_Source] | None = None


class _History(msgspec.Struct):
    messages: dict[str, Any]
    currentId: str | None = None  # noqa: N815 - the name on the wire


_ORIGIN: Final = Origin(slogan="Surfaced with Open WebUI")
_TOLD: Final = ("sources", "choices", "content", "output", "done", "usage", "event", "selected_model_id")
"""What a document may have; one with nothing of it is of another supplier."""
_FILE_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NO_NAME: Final = "N/A"
"""What Open WebUI calls a source that has neither name nor id; all such are one to it."""


def read_open_webui(data: object, *, webui_url: str = "") -> Answer:
    """Read a response of ``POST /api/chat/completions``, a chat of ``GET /api/v1/chats/{id}``, or events.

    Of a chat its current message is read; events are a list of what :class:`OpenWebUIEvents` reads.
    Each reference has the number that the answer's markers have for it: several passages of one source
    are several references with one id. With ``webui_url``, the address at which people open Open
    WebUI, files are linked there. Raises :class:`AnswerFormatError` with the JSON path.
    """
    events = OpenWebUIEvents(webui_url=webui_url)
    documents = [(data, "$")]
    if isinstance(data, list):
        documents = [(item, f"$[{index}]") for index, item in enumerate(data)]
    said = [event for document, path in documents for event in events.read(document, path)]
    return Answer(
        text="".join(event.text for event in said if isinstance(event, TextDelta)),
        references=tuple(
            one for event in said if isinstance(event, ReferencesFound) for one in event.references
        ),
        dialect=Dialect.NUMBERED,
        origin=_ORIGIN,
    )


class OpenWebUIStream(AnswerStream):
    """The response to ``"stream": true``, as server-sent events: feed it bytes, close it.

    A stream that ends before its answer does is a fault: a completion says why it finishes.
    """

    def __init__(self, *, webui_url: str = "") -> None:
        self._events = OpenWebUIEvents(webui_url=webui_url)
        super().__init__(JsonEvents(), self._events)

    def close(self) -> Iterator[tuple[AnswerEvent, ...]]:
        """What the end of the stream completes. Raises for one that ends too early, or is empty."""
        yield from super().close()
        if self._events.unfinished and not self.finished:
            raise EventStreamError("the stream ended before the answer did")


class OpenWebUIEvents:
    """One answer, of chunks of a completion, or of the events that pipes, filters and tools emit.

    It understands ``{"type": "source" | "citation" | "message" | "chat:completion" | …, "data": …}``, as an
    ``__event_emitter__`` is given it and as a socket brings it, with the event under ``data``. Events of
    other types have nothing to read. Sources may come before, among or after the text; the numbers go on.
    """

    def __init__(self, *, webui_url: str = "") -> None:
        self.dialect: Dialect | None = Dialect.NUMBERED
        self.unfinished = False
        """There were choices, and none said yet why it finishes."""
        self._sources = _Sources(webui_url)
        self._told: list[str] = []
        self._begun = False

    def read(self, data: object, path: str = "$") -> Iterator[AnswerEvent]:
        """What one event says; raises :class:`AnswerFormatError`."""
        if not self._begun:
            self._begun = True
            yield OriginKnown(_ORIGIN)
        if isinstance(data, Mapping):
            if isinstance(chat := data.get("chat"), Mapping):
                data, path = chat, f"{path}.chat"
            if "history" in data:
                data, path = _current(
                    convert(data["history"], _History, f"{path}.history"), f"{path}.history"
                )
            elif "data" in data:
                if isinstance(data["data"], Mapping):
                    yield from self._event(data, path)
                return
        yield from self._completion(data, path)

    def _event(self, event: Mapping[str, Any], path: str) -> Iterator[AnswerEvent]:
        data, path = event["data"], f"{path}.data"
        match event.get("type"):
            case None:
                yield from self.read(data, path)
            case "source" | "citation":
                # "citation" has been the name of two more things than a source.
                if data.get("type") not in ("code_execution", "code_interpreter"):
                    yield from self._found([convert(data, _Source, path)])
            case "chat:completion" | "chat:message:error":
                yield from self._completion(data, path)
            case "response:completion":
                if data.get("type") == "response.output_text.delta":
                    yield from self._added(convert(data, _Completion, path).delta)
            case "message" | "chat:message:delta":
                yield from self._added(convert(data, _Completion, path).content)
            case "replace" | "chat:message":
                yield from self._whole(convert(data, _Completion, path).content, path)

    def _completion(self, data: object, path: str) -> Iterator[AnswerEvent]:
        completion = convert(data, _Completion, path)
        if isinstance(data, Mapping):
            for fault in ("error", "detail"):
                if data.get(fault):
                    raise AnswerFormatError(reported(data), f"{path}.{fault}")
            if data.keys().isdisjoint(_TOLD):
                raise AnswerFormatError(f"expected one of {', '.join(_TOLD[:3])}", path)
        yield from self._found(completion.sources or [])
        for choice in (completion.choices or [])[:1]:
            self.unfinished = choice.finish_reason is None
            if choice.delta:
                yield from self._added(choice.delta.content or choice.delta.refusal)
            if choice.message:
                yield from self._whole(choice.message.content or choice.message.refusal, f"{path}.choices[0]")
        yield from self._whole(completion.content, path)

    def _found(self, sources: list[_Source]) -> Iterator[AnswerEvent]:
        if references := self._sources.add(sources):
            yield ReferencesFound(references)

    def _added(self, text: str | None) -> Iterator[AnswerEvent]:
        if text:
            self._told.append(text)
            yield TextDelta(text)

    def _whole(self, text: str | None, path: str) -> Iterator[AnswerEvent]:
        """A text that has all of the answer so far: what it adds to what has been told.

        Open WebUI strips white space from it, which it does not from the pieces.
        """
        told = "".join(self._told) if text else ""
        if not text or told.strip().startswith(text.strip()):
            return
        if not text.startswith(told):
            raise AnswerFormatError("expected a text that begins with what came before it", f"{path}.content")
        yield from self._added(text.removeprefix(told))


class _Sources:
    """The numbers that Open WebUI gives to sources, and the references of an answer, each told once."""

    def __init__(self, webui_url: str) -> None:
        self._webui_url = webui_url.rstrip("/")
        self._numbers: dict[str, int] = {}
        self._told: set[Reference] = set()

    def add(self, sources: list[_Source]) -> tuple[Reference, ...]:
        """The references that are new, in order."""
        references = dict.fromkeys(one for source in sources for one in self._references(source))
        new = tuple(one for one in references if one not in self._told)
        self._told.update(new)
        return new

    def _references(self, source: _Source) -> Iterator[Reference]:
        """One for each passage; numbers go to ``metadata.source or source.id or "N/A"`` at first sight.

        What a pipe emits may have no metadata at all.
        """
        about, documents = source.source or {}, source.document or []
        if source.tool_result:
            return
        for document, described in zip(documents, source.metadata or [None] * len(documents), strict=False):
            metadata = described or {}
            key = str(metadata.get("source") or about.get("id") or _NO_NAME)
            number = self._numbers.setdefault(key, len(self._numbers) + 1)
            url = _web_url(metadata.get("source_url")) or _web_url(key)
            page = _page(metadata)
            yield Reference(
                id=str(number),
                name=_name(about, metadata, key, web=url is not None),
                url=url,
                text=_text(document),
                page=page,
                media_type=_text(metadata.get("content_type")),
                document_url=None if url else self._file_url(metadata.get("file_id"), page),
            )

    def _file_url(self, file_id: object, page: int | None) -> str | None:
        """Where a person who is logged in opens the file, as the page of Open WebUI links it."""
        if not self._webui_url or not isinstance(file_id, str) or not _FILE_ID.fullmatch(file_id):
            return None
        place = f"#page={page}" if page else ""
        return f"{self._webui_url}/api/v1/files/{quote(file_id)}/content{place}"


def _current(history: _History, path: str) -> tuple[object, str]:
    """The message of a saved chat that its person sees last."""
    name = history.currentId or ""
    if name not in history.messages:
        raise AnswerFormatError("expected the id of a message", f"{path}.currentId")
    return history.messages[name], f"{path}.messages.{name}"


def _name(about: Mapping[str, Any], metadata: Mapping[str, Any], key: str, *, web: bool) -> str | None:
    """The name that a person knows: the file's, else the page's title, else that of what was asked for."""
    if name := _text(metadata.get("name")) or _text(metadata.get("title")):
        return _decoded(name)
    # The name of a web search is what was searched for.
    if about.get("type") != "web_search" and (name := _text(about.get("name"))):
        return _decoded(name)
    return None if web or key == _NO_NAME else _decoded(key.replace("\\", "/").rpartition("/")[2]) or None


def _decoded(name: str) -> str:
    """Open WebUI keeps the names of files as they were percent-encoded in the upload."""
    try:
        return name if _LONE_PERCENT.search(name) else unquote(name, errors="strict")
    except UnicodeDecodeError:
        return name


def _page(metadata: Mapping[str, Any]) -> int | None:
    """The page, counted from 1: the loaders of PDF count ``page`` from 0, and ``page_label`` is printed."""
    page, label = metadata.get("page"), metadata.get("page_label")
    if isinstance(page, int) and not isinstance(page, bool) and page >= 0:
        return page + 1
    return int(label) if isinstance(label, str) and re.fullmatch(r"[1-9][0-9]{0,5}", label) else None


def _text(value: object) -> str | None:
    """A text that is there; what pipes write is any JSON."""
    return value if isinstance(value, str) and value.strip() else None


def _web_url(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        parts = urlsplit(value.strip())
        found = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return value.strip() if found else None
