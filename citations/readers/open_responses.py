"""The Responses API, whole or streamed, as OpenAI, Azure AI Foundry, xAI, Mistral and Perplexity send it.

Governing source: OpenAI API reference, "Responses" and its streaming events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, DialectKnown
from ..model.errors import AnswerFormatError
from .json_stream import error_line
from .loose_json import Members, inner, items, member, number, objects, text
from .output_text import OutputText
from .search_results import files_found, pages_found
from .shaped_events import PlaceReader

_ENDS: Final = ("response.completed", "response.incomplete", "response.failed", "response.done")
_NO_ANSWER: Final = ("reasoning_text", "summary_text", "input_text", "thinking")
"""Types of text parts that are no part of the answer."""
_CALLS: Final = ("function_call", "custom_tool_call", "computer_call", "mcp_approval_request")
"""Types of items that wait for the caller: the API has no finish reason for them."""
_ASKED: Final = ("user", "system", "developer", "tool")
"""Roles whose messages are no part of the answer."""


class _Written(NamedTuple):
    """A text part of a response: its text, annotations, and JSON path."""

    text: str
    annotations: Sequence[object]
    path: str


class ResponseReader(PlaceReader):
    """One answer from a response, or from the events of its stream."""

    spans_at_end = False

    def __init__(self) -> None:
        super().__init__()
        self._part = OutputText(self._answer)
        self._parts: list[OutputText] = []
        self._keys: dict[tuple[int | None, int | None], OutputText] = {}
        self._passages: dict[str, str] = {}
        """The best passage of each file that was searched."""

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of one document; raises :class:`AnswerFormatError`."""
        kind = text(data, "type")
        response = inner(data, "response")
        if kind == "response.failed":
            raise AnswerFormatError(error_line(member(response, "error")), "$.response.error")
        if kind in _ENDS:
            yield from self._end(response)
        elif kind == "response.created" and member(response, "object"):
            self.finish.note(None)
            if not _cites_soon(response):
                yield DialectKnown(Dialect.NONE, spans_at_end=True)
        elif kind.startswith("response."):
            yield from self._event(kind, data)
        else:
            yield from self._end(data if "output" in data else response or data)

    def close(self) -> Iterator[AnswerEvent]:
        """Text that was held back."""
        for part in self._parts:
            yield from part.close()
        yield from super().close()

    def _event(self, kind: str, data: Members) -> Iterator[AnswerEvent]:
        match kind.removeprefix("response."):
            case "output_text.delta" | "refusal.delta":
                self.finish.note(None)
                if delta := text(data, "delta"):
                    yield from self._go_to(data)
                    yield from self._part.add(delta)
            case "output_text.done" | "refusal.done":
                yield from self._go_to(data)
                yield from self._part.complete(text(data, "text", "refusal"))
            case "output_text.annotation.added":
                yield from self._go_to(data)
                path = f"$.output[{number(data, 'output_index') or 0}].annotation"
                yield from self._part.annotate(inner(data, "annotation"), self._passages, path)
            case "output_item.done":
                yield from self._find(inner(data, "item"))

    def _go_to(self, data: Members) -> Iterator[AnswerEvent]:
        """Go to the part that an event is about: the last one, if the event has no indexes."""
        item = number(data, "output_index")
        key = (item, number(data, "content_index"))
        if key == (None, None) and self._parts:
            self._part = self._parts[-1]
        elif key in self._keys:
            self._part = self._keys[key]
        else:
            yield from self._begin_part()
            self._keys[key] = self._part

    def _begin_part(self) -> Iterator[AnswerEvent]:
        yield from self._part.close()
        self._answer.set_apart()
        self._part = OutputText(self._answer)
        self._parts.append(self._part)

    def _end(self, response: Members) -> Iterator[AnswerEvent]:
        """Read a whole response: all of an answer, or what its stream has not said yet."""
        output = _output(response)
        done = "function_call" if any(text(one, "type") in _CALLS for one in output) else "stop"
        self.finish.note(text(inner(response, "incomplete_details"), "reason") or done)
        for item in output:
            yield from self._find(item)
        written = list(_written(response))
        if self._parts and not self._agrees(written):
            yield from self._answer.restart()
            self._part, self._parts, self._keys = OutputText(self._answer), [], {}
        for index, one in enumerate(written):
            if index >= len(self._parts):
                yield from self._begin_part()
            part = self._parts[index]
            yield from part.complete(one.text)
            for place, annotation in enumerate(objects(one.annotations)):
                path = f"{one.path}.annotations[{place}]"
                yield from part.annotate(annotation, self._passages, path)

    def _agrees(self, written: Sequence[_Written]) -> bool:
        """Whether the stream so far is the beginning of what is written, or nothing is written."""
        whole = "".join(one.text for one in written)
        so_far = [part.text for part in self._parts]
        return not whole or (
            len(so_far) <= len(written)
            and all(one.text.startswith(said) for one, said in zip(written, so_far, strict=False))
        )

    def _find(self, item: Members) -> Iterator[AnswerEvent]:
        """Note what a search found."""
        files = files_found(item)
        for file in files:
            self._passages.setdefault(file.id, file.text or "")
        yield from self._answer.find([*files, *pages_found({"action": member(item, "action")})])


def is_response(data: Members) -> bool:
    """Whether ``data`` is a response or an event of one, and no completion."""
    known = "output" in data or "response" in data
    return known or text(data, "type").startswith("response.")


def _cites_soon(response: Members) -> bool:
    """Whether annotations come soon behind their words.

    In recorded streams OpenAI's own do. Azure, whose responses have ``content_filters``, and xAI, whose ids
    have another form, send theirs behind all text.
    """
    return text(response, "id").startswith("resp_") and "content_filters" not in response


def _output(response: Members) -> list[Members]:
    output = member(response, "output")
    if not isinstance(output, list | tuple):
        # One item or one part may be all that was saved; of a search it is what it found.
        return [response] if member(response, "content", "text", "results", "action") else []
    return list(objects(output))


def _written(response: Members) -> Iterator[_Written]:
    """The text parts of the answer in ``response``. Its field ``output_text`` repeats all of them."""
    empty = True
    for index, item in enumerate(_output(response)):
        if text(item, "type") == "reasoning" or text(item, "role") in _ASKED:
            continue
        for place, part in enumerate(_content(item)):
            path = f"$.output[{index}].content[{place}]"
            if text(part, "type") not in _NO_ANSWER and (said := text(part, "text", "refusal")):
                yield _Written(said, items(member(part, "annotations")), path)
                empty = False
    if empty and (said := text(response, "output_text")):
        yield _Written(said, (), "$.output_text")


def _content(item: Members) -> Iterator[Members]:
    content = member(item, "content")
    if isinstance(content, str):
        yield {"text": content, "annotations": member(item, "annotations")}
    elif isinstance(content, list | tuple):
        yield from objects(content)
    elif text(item, "type") in ("output_text", "text", ""):
        yield item
