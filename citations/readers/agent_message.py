"""Messages of Azure AI agents and of OpenAI's Assistants, whole or as the events of a run.

Governing source: OpenAI API reference, "Assistants": ``content[].text`` has ``value`` and ``annotations``,
and an annotation has the words that it replaces, such as ``【4:1†a.pdf】``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.answer_event import AnswerEvent
from .loose_json import Members, inner, member, number, objects, text
from .output_text import OutputText
from .shaped_events import PlaceReader


class AgentMessageReader(PlaceReader):
    """One answer from a message, from a list of messages, or from the events of a run."""

    spans_at_end = False

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[tuple[str, int], OutputText] = {}
        self._part = OutputText(self._answer)

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document."""
        # Server-sent events of some SDKs were saved as {"event": "thread.message.delta", "data": {…}}.
        data = inner(data, "data") or data
        kind = text(data, "object")
        if kind == "list" or ("content" not in data and isinstance(data.get("data"), list)):
            yield from self._newest(data)
        elif kind.startswith("thread.run") or text(data, "role") == "user":
            self.finish.note("stop" if text(data, "status") == "completed" else None)
        else:
            delta = inner(data, "delta")
            self.finish.note(None if delta or text(data, "status") == "in_progress" else "stop")
            yield from self._message(delta or data, text(data, "id"), whole=not delta)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        yield from self._part.close()
        yield from super().close()

    def _newest(self, data: Members) -> Iterator[AnswerEvent]:
        """Read the newest message of a list that no person wrote. Lists are sorted either way."""
        messages = [one for one in objects(member(data, "data")) if text(one, "role") != "user"]
        newest = max(messages, key=lambda one: number(one, "created_at") or 0, default=None)
        if newest:
            self.finish.note("stop")
            yield from self._message(newest, text(newest, "id"), whole=True)

    def _message(self, message: Members, name: str, *, whole: bool) -> Iterator[AnswerEvent]:
        for position, content in enumerate(objects(member(message, "content"))):
            index = number(content, "index")
            yield from self._go_to((name, position if index is None else index))
            said = inner(content, "text")
            value = text(said, "value") or text(content, "text", "refusal")
            yield from self._part.complete(value) if whole else self._part.add(value)
            for place, annotation in enumerate(objects(member(said, "annotations"))):
                path = f"$.content[{position}].text.annotations[{place}]"
                yield from self._part.annotate(annotation, {}, path)

    def _go_to(self, key: tuple[str, int]) -> Iterator[AnswerEvent]:
        if key not in self._parts:
            yield from self._part.close()
            self._answer.set_apart()
            self._part = OutputText(self._answer)
        self._part = self._parts.setdefault(key, self._part)
