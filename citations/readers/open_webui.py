"""Open WebUI's answers: chat completions, saved chats, and the events that pipes and tools emit.

Governing source: Open WebUI's ``middleware.py``, and for events the handler of its page's chat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from ..model.answer import Dialect, Origin
from ..model.answer_event import AnswerEvent, OriginKnown, ReferencesFound
from ..model.errors import AnswerFormatError
from .chat_completion import ChatText, raise_reported, read_piece
from .conversion import convert
from .loose_json import members
from .open_webui_sources import WebUISource, WebUISources


class _WebUIDocument(msgspec.Struct):
    content: str | None = None
    delta: str | None = None
    sources: list[WebUISource] | None = None


class _History(msgspec.Struct):
    messages: dict[str, Any]
    currentId: str | None = None  # noqa: N815 - the name on the wire


_ORIGIN: Final = Origin(provider="Open WebUI")
_TOLD: Final = ("sources", "choices", "content", "output", "done", "usage", "event", "selected_model_id")
"""The fields of a document. A document without any of them comes from another provider."""


class OpenWebUIEvents:
    """One answer from the chunks of a completion, or from the events of pipes, filters and tools.

    It reads ``{"type": "source" | "citation" | "message" | "chat:completion" | …, "data": …}``. An
    ``__event_emitter__`` gets this form; a socket sends it with the event under ``data``. Other types are
    ignored. Sources may come before, among or after the text, and their numbers continue. Of texts that
    replace each other the last one counts. Thoughts and tool calls are left out. Each reference has the
    number by which markers cite it. Several passages of one source are several references with one id.

    ``webui_url`` is the address of Open WebUI for people; with it, files are linked there.
    """

    def __init__(self, *, webui_url: str = "") -> None:
        self.form = "open-webui"
        self.refuses_others = True
        self.dialect: Dialect | None = Dialect.NUMBERED
        self._sources = WebUISources(webui_url)
        self._text = ChatText()
        self.finish = self._text.finish
        self._begun = False

    def read(self, data: object, path: str = "$") -> Iterator[AnswerEvent]:
        """The events of one document; raises :class:`AnswerFormatError`."""
        if not self._begun:
            self._begun = True
            yield OriginKnown(_ORIGIN)
        data, path = _inner(data, path)
        kind = data.get("type") if isinstance(data, Mapping) and "data" in data else None
        if isinstance(data, Mapping) and isinstance(kind, str):
            yield from self._event(kind, data["data"], f"{path}.data")
        else:
            yield from self._completion(data, path)
            if isinstance(data, Mapping) and data.keys().isdisjoint(_TOLD):
                raise AnswerFormatError(f"expected one of {', '.join(_TOLD[:3])}", path)

    def read_whole(self, data: object) -> Iterator[AnswerEvent]:
        """The events of a response, of a saved chat's current message, or of a list of events."""
        documents = [(data, "$")]
        if isinstance(data, list):
            documents = [(item, f"$[{index}]") for index, item in enumerate(data)]
        for document, path in documents:
            yield from self.read(document, path)

    def _event(self, kind: str, data: object, path: str) -> Iterator[AnswerEvent]:
        within = data.get("type") if isinstance(data, Mapping) else None
        match kind:
            case "source" | "citation":
                # Older versions sent executed code as a "citation", too.
                if within not in ("code_execution", "code_interpreter"):
                    yield from self._add_sources([convert(data, WebUISource, path)])
            case "chat:completion" | "chat:message:error":
                yield from self._completion(data, path)
            case "response:completion":
                if within == "response.output_text.delta":
                    yield from self._text.add(convert(data, _WebUIDocument, path).delta)
            case "message" | "chat:message:delta":
                yield from self._text.add(convert(data, _WebUIDocument, path).content)
            case "replace" | "chat:message":
                yield from self._text.replace(convert(data, _WebUIDocument, path).content)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()

    def _completion(self, data: object, path: str) -> Iterator[AnswerEvent]:
        completion = convert(data, _WebUIDocument, path)
        raise_reported(data, path)
        yield from self._add_sources(completion.sources or [])
        yield from self._text.read(read_piece(members(data), self.finish))
        yield from self._text.replace(completion.content or None)

    def _add_sources(self, sources: list[WebUISource]) -> Iterator[AnswerEvent]:
        if references := self._sources.add(sources):
            yield ReferencesFound(references)


def _inner(data: object, path: str) -> tuple[object, str]:
    """The content of a socket's envelope or of a saved chat, else ``data`` itself."""
    if not isinstance(data, Mapping):
        return data, path
    if "type" not in data and isinstance(event := data.get("data"), Mapping):
        return event, f"{path}.data"
    if isinstance(chat := data.get("chat"), Mapping):
        data, path = chat, f"{path}.chat"
    if "history" in data:
        return _current(convert(data["history"], _History, f"{path}.history"), f"{path}.history")
    return data, path


def _current(history: _History, path: str) -> tuple[object, str]:
    """The message of a saved chat that a person sees last."""
    name = history.currentId or ""
    if name not in history.messages:
        raise AnswerFormatError("expected the id of a message", f"{path}.currentId")
    return history.messages[name], f"{path}.messages.{name}"
