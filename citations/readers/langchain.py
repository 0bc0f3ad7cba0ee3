"""LangChain's messages: text blocks with annotations, whole or as the chunks of a stream.

A message is read from its standard content blocks, and from the content as its provider writes it.

Governing source: langchain-core's ``messages/content.py`` (``Citation``, ``NonStandardAnnotation``) and
``messages/block_translators``. Gemini's offsets pass through it as bytes, and its ``cited_text`` is the
answer's. Anthropic's and Bedrock's is the source's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..model.answer_event import AnswerEvent
from ..model.reference import Reference
from .anchor import OffsetUnit
from .anthropic import Passages
from .cohere import cohere_sources
from .converse import converse_sources
from .grounding import cite_grounding, grounding_sources
from .loose_json import (
    Members,
    documents_of,
    inner,
    items,
    member,
    members,
    number,
    objects,
    plain,
    text,
    title,
)
from .output_text import OutputText
from .search_results import files_found, pages_found
from .shaped_events import PlaceReader, ShapedEvents
from .source_address import describe_source
from .spanned_text import CitedRange, TextPart

_NO_ANSWER: Final = (
    "human",
    "user",
    "system",
    "tool",
    "function",
    "HumanMessage",
    "SystemMessage",
    "ToolMessage",
)
"""Types of messages that are no part of the answer."""
_OPENAI: Final = ("url_citation", "file_citation", "container_file_citation", "file_path")
_THOUGHTS: Final = ("reasoning", "thinking", "redacted_thinking", "reasoning_content")
_WRAPPED: Final = ("content", "content_blocks", "kwargs", "data", "message", "output", "chunk")
"""Fields of what has a message in it: of an event, a graph's state, or LangChain's own serialization."""
_BLOCKS: Final = ("text", "text-plain", "output_text")


class LangChainEvents(ShapedEvents):
    """Reads an ``AIMessage``, its ``content_blocks``, or an array of the chunks of a stream, as JSON.

    Of a conversation, the last message of the model is read. ``documents`` are the document blocks of a
    request to Anthropic. Raises :class:`AnswerFormatError`.
    """

    def __init__(self, *, documents: Sequence[Reference] = ()) -> None:
        super().__init__("langchain", lambda _: ContentReader(documents), documents=_answers)


class ContentReader(PlaceReader):
    """One answer from a message, from its blocks, or from chunks of it."""

    def __init__(self, documents: Sequence[Reference]) -> None:
        super().__init__()
        self._all = TextPart(0)
        """The text of the whole answer, in which Gemini's and Cohere's offsets count."""
        self._part: OutputText | None = None
        self._key: object = None
        self._passages = Passages(documents)
        self._ids: dict[object, str] = {}
        self._cited: list[Reference] = []
        """What the block rests on."""
        self._placed: dict[CitedRange, list[Reference]] = {}
        """What words of the answer rest on. Several citations of the same words are one group of badges."""
        self._grounding: Members = {}
        self._files: dict[str, str] = {}
        """The best passage of each file that OpenAI searched."""
        self._documents = 0

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of a message, a chunk or a block."""
        self._documents += 1
        if _is_message(data):
            yield from self._message(data)
        else:
            index = member(data, "index")
            yield from self._block(data, self._documents if index is None else repr(index))

    def close(self) -> Iterator[AnswerEvent]:
        """The last block, and the citations that can be placed only now."""
        yield from self._end_block()
        yield from super().close()
        if self._grounding:
            # LangChain's own annotations of Gemini lack the passages of documents.
            yield from cite_grounding(self._answer, self._grounding, lambda _: self._all, self._all)
            return
        for cited, references in self._placed.items():
            yield from self._answer.cite_words(self._all, cited, references, "$.content_blocks")

    def _message(self, message: Members) -> Iterator[AnswerEvent]:
        metadata, more = inner(message, "response_metadata"), inner(message, "additional_kwargs")
        reason = text(metadata, "finish_reason", "stop_reason", "stopReason", "done_reason")
        self.finish.note(reason or ("tool_calls" if member(message, "tool_calls") else "stop"))
        content = member(message, "content_blocks") or member(message, "content", "text")
        content = content or text(more, "refusal")
        if isinstance(content, str):
            content = [content]
        chunk = text(message, "type").endswith("Chunk")
        blocks = [_as_block(one) for one in items(content)]
        if not chunk and self._all.length and "".join(text(one, "text") for one in blocks) == self._all.text:
            # The events of a run end with the whole message.
            return
        for place, block in enumerate(blocks):
            index = member(block, "index")
            key = repr(index) if index is not None else "chunk" if chunk else (self._documents, place)
            yield from self._block(block, key)
        for annotation in objects(member(more, "annotations")):
            yield from self._annotate(annotation)
        if grounding := inner(metadata, "grounding_metadata"):
            self._grounding = grounding
            yield from self._answer.find(grounding_sources(grounding))
        for citation in objects(member(more, "citations") or member(metadata, "citations")):
            cited = CitedRange.read(citation, "text", "start", "end", OffsetUnit.UTF_8)
            self._placed.setdefault(cited, []).extend(cohere_sources(citation, more))

    def _block(self, block: Members, key: object) -> Iterator[AnswerEvent]:
        block = inner(block, "value") or block  # of what LangChain has no type for
        kind, said = text(block, "type"), text(block, "text", "refusal")
        if kind in _THOUGHTS:
            return
        if not said and kind not in (*_BLOCKS, ""):
            yield from self._end_block()
            self._answer.set_apart()
            files = files_found(block)
            self._files.update((file.id, file.text or "") for file in files)
            yield from self._answer.find([*files, *pages_found(block)])
            return
        if not (kind or said or member(block, "annotations", "citations")):
            return
        if key != self._key:
            yield from self._end_block()
            self._key, self._part = key, OutputText(self._answer)
        self._all.add(said)
        if self._part and said:
            yield from self._part.add(said)
        for name in ("annotations", "citations"):
            for annotation in objects(member(block, name)):
                yield from self._annotate(annotation)

    def _end_block(self) -> Iterator[AnswerEvent]:
        """End the block, and cite what all of it rests on."""
        if self._part is None:
            return
        yield from self._part.close()
        cited, self._cited = self._cited, []
        yield from self._answer.cite_part(self._answer.part, cited, "$.content_blocks")
        self._part = None

    def _annotate(self, annotation: Members) -> Iterator[AnswerEvent]:
        """Read an annotation: of the standard form, or as its provider writes it."""
        kind = text(annotation, "type")
        value = inner(annotation, "value") if kind == "non_standard_annotation" else annotation
        fields = {**inner(value, "extras"), **value}
        found: Iterable[Reference] = ()
        if kind == "citation" and ("google_ai_metadata" in fields or self._quotes(fields)):
            cited = CitedRange.read(fields, "cited_text", "start_index", "end_index", OffsetUnit.UTF_8)
            self._placed.setdefault(cited, []).extend(_page(fields))
        elif text(fields, "type") in _OPENAI or _is_openai(fields):
            if self._part:
                yield from self._part.annotate(_as_openai(fields), self._files, "$.content_blocks")
        elif "location" in fields or "source_content" in fields or "sourceContent" in fields:
            found = converse_sources(fields, self._ids)
        else:
            found = self._passages.read(fields)
        self._cited += found
        yield from self._answer.find(found)

    def _quotes(self, fields: Members) -> bool:
        """Whether the words of a citation are the answer's, and not its source's."""
        words = title(fields, "cited_text")
        return bool(words and number(fields, "end_index") and words in self._all.text)


def _is_message(data: Members) -> bool:
    """Whether ``data`` is a message, and not one of its blocks."""
    kind = text(data, "type", "role")
    return (
        kind.lower().startswith(("ai", "assistant"))
        or "content_blocks" in data
        or "response_metadata" in data
        or (not kind and "content" in data)
    )


def _as_block(block: object) -> Members:
    return {"type": "text", "text": block} if isinstance(block, str) else members(block)


def _answers(data: object) -> Iterable[Members]:
    """The messages, chunks and blocks in ``data``. Of a conversation it is the last message of the model."""
    found = [_unwrap(one) for one in documents_of(_flat(data))]
    answers = [one for one in found if not _is_no_answer(one)]
    return found if len(answers) == len(found) else answers[-1:]


def _flat(data: object) -> object:
    """LangGraph streams pairs of a chunk and its metadata (``stream_mode="messages"``)."""
    listed = plain(data)
    pairs = isinstance(listed, list) and any(isinstance(one, list) for one in listed)
    return [one for pair in items(listed) for one in items(pair)] if pairs else listed


def _is_no_answer(message: Members) -> bool:
    return text(message, "type", "role") in _NO_ANSWER


def _unwrap(data: Members) -> Members:
    """The message itself, whichever function of LangChain saved it."""
    if found := [_unwrap(one) for one in objects(member(data, "messages"))]:
        answers = [one for one in found if not _is_no_answer(one)]
        return (answers or found)[-1]
    for name in ("kwargs", "data", "message", "output", "chunk"):
        wrapped = members(data.get(name))
        if not wrapped.keys().isdisjoint(_WRAPPED):
            return _unwrap(wrapped)
    # An update of LangGraph has the name of its node.
    for node in data.values():
        if "messages" in members(node):
            return _unwrap(members(node))
    return data


def _is_openai(fields: Members) -> bool:
    """Whether a standard citation is OpenAI's or xAI's: no other has offsets of the answer."""
    offsets = (number(fields, "start_index"), number(fields, "end_index"))
    # xAI sends a URL and nothing else: it is about no place.
    if {name for name, value in fields.items() if value} <= {"type", "url", "id"}:
        return True
    return any(one is not None for one in offsets) or (
        "file_id" in fields and number(fields, "file_index", "index") is not None
    )


def _as_openai(fields: Members) -> Members:
    """An annotation in OpenAI's own form. LangChain calls the file's name its title."""
    kind = text(fields, "type")
    if kind in _OPENAI:
        return fields
    named = text(fields, "filename") or text(fields, "title")
    return {**fields, "type": "file_citation" if "file_id" in fields else "url_citation", "filename": named}


def _page(fields: Members) -> Iterator[Reference]:
    name = title(fields, "title")
    if address := text(fields, "url").strip() or name:
        yield describe_source(address, name)
