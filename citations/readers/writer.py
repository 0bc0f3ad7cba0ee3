"""Writer's Knowledge Graph answers, whole or streamed.

They come from ``POST /v1/graphs/question``, or from a chat completion with the graph tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from ..model.answer import (
    AnswerEvent,
    Origin,
    OriginKnown,
    ReferencesFound,
    SubqueriesKnown,
    Subquery,
)
from ..model.dialect import Dialect
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .chat_completion import ChatText, read_piece
from .conversion import convert, new_references, none_if_blank, others
from .loose_json import Members, inner, items, member, members
from .thoughts import hide_thoughts


class _WriterFile(msgspec.Struct):
    text: str | None = None
    # The API's schema has `fileId`; other places of the same response have `file_id`.
    file_id: str | None = None
    fileId: str | None = None  # noqa: N815 - the name on the wire
    page: int | None = None
    cite: str | None = None


class _Web(msgspec.Struct):
    url: str
    text: str | None = None
    title: str | None = None


class _References(msgspec.Struct):
    files: list[_WriterFile | None] | None = None
    web: list[_Web | None] | None = None


class _SourceSnippet(msgspec.Struct):
    file_id: str | None = None
    snippet: str | None = None


class _WriterSubquery(msgspec.Struct):
    query: str | None = None
    answer: str | None = None
    sources: list[_SourceSnippet | None] | None = None


class _WriterFindings(msgspec.Struct, kw_only=True):
    sources: list[_SourceSnippet | None] | None = None
    subqueries: list[_WriterSubquery | None] | None = None
    references: _References | None = None


class _Question(_WriterFindings):
    answer: str


class _Chunk(_WriterFindings):
    answer: str | None = None


_ORIGIN: Final = Origin(provider="Writer")


class WriterChunks:
    """A response, or the next piece of the answer with each event of a stream.

    Inline citations are ``[name](cite)`` and ``[title](url)``. A file has no name and no URL: its name
    stands in the marker, and it becomes a non-URL citation. Several snippets of one file are several
    references with one id. ``sources`` add the files that ``references`` don't have, because the answer
    was made from them, too.

    The API's schema puts a response or a chunk under ``data``, and its example shows an array. Writer's own
    programs read a chunk flat. All three forms are read. The last chunk has the references. In a chat
    completion they stand in the message, under ``graph_data``, and a chunk that counts tokens may follow.
    """

    def __init__(self) -> None:
        self.form = "writer"
        self.refuses_others = True
        self.dialect: Dialect | None = Dialect.NAMED_LINK
        self._whole = False
        self._found: set[Reference] = set()
        self._ids: set[str] = set()
        """The ids and aliases of what was found."""
        self._subqueries: tuple[Subquery, ...] = ()
        self._text = ChatText()
        self.finish = self._text.finish
        self._begun = False

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one document; raises :class:`AnswerFormatError`."""
        if not self._begun:
            self._begun = True
            yield OriginKnown(_ORIGIN)
        for item, path in _items(data):
            if isinstance(item, Mapping) and "choices" in item:
                yield from self._read_chat(members(item), path)
            else:
                yield from self._read_question(item, path)

    def read_whole(self, data: object) -> Iterator[AnswerEvent]:
        """The events of a whole response, which must have an answer."""
        self._whole = True
        return self.read(data)

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()

    def _read_question(self, item: object, path: str) -> Iterator[AnswerEvent]:
        if self._whole:
            convert(item, _Question, path)
        chunk = convert(item, _Chunk, path)
        if isinstance(item, Mapping) and item.keys().isdisjoint(_Chunk.__struct_fields__):
            raise AnswerFormatError(f"expected one of {', '.join(_Chunk.__struct_fields__)}", path)
        yield from self._find(chunk, path)
        yield from self._text.add(chunk.answer)

    def _read_chat(self, completion: Members, path: str) -> Iterator[AnswerEvent]:
        choices = items(member(completion, "choices"))
        if not choices:
            if self._whole:
                raise AnswerFormatError("expected a choice, got an empty array", f"{path}.choices")
            return
        # ``message`` is "deprecated for streaming", but some streams have the references there.
        for name in ("delta", "message"):
            found = inner(members(choices[0]), name).get("graph_data")
            if found is not None:
                place = f"{path}.choices[0].{name}.graph_data"
                yield from self._find(convert(found, _WriterFindings, place), place)
        yield from self._text.read(read_piece(completion, self.finish))

    def _find(self, found: _WriterFindings, path: str) -> Iterator[AnswerEvent]:
        """The new references, the sources that they don't have, and the subqueries."""
        new = self._new(_references(found.references, f"{path}.references"))
        new += self._new(source for source in _sources(found) if source.id not in self._ids)
        if new:
            yield ReferencesFound(tuple(new))
        if (subqueries := tuple(_subqueries(found))) and subqueries != self._subqueries:
            self._subqueries = subqueries
            yield SubqueriesKnown(subqueries)

    def _new(self, references: Iterable[Reference]) -> list[Reference]:
        new = list(new_references(references, self._found))
        self._ids.update(name for reference in new for name in (reference.id, *reference.aliases))
        return new


def _items(data: object) -> Iterator[tuple[object, str]]:
    """The responses in ``data``, each with its path: flat, in an envelope or in an array."""
    for item, path in _each(data, "$"):
        if isinstance(item, Mapping) and "data" in item and "answer" not in item:
            yield from _each(item["data"], f"{path}.data")
        else:
            yield item, path


def _each(data: object, path: str) -> Iterator[tuple[object, str]]:
    if not isinstance(data, list):
        yield data, path
    elif data:
        yield from ((item, f"{path}[{index}]") for index, item in enumerate(data))
    else:
        raise AnswerFormatError("expected a response, got an empty array", path)


def _references(references: _References | None, path: str) -> Iterator[Reference]:
    if references is None:
        return
    for index, file in enumerate(references.files or ()):
        if file is not None:
            yield _file(file, f"{path}.files[{index}]")
    for index, page in enumerate(references.web or ()):
        if page is not None:
            yield _web(page, f"{path}.web[{index}]")


def _file(file: _WriterFile, path: str) -> Reference:
    # "Unique citation ID that appears in inline citations within the response text (null if not
    # cited)."
    name = none_if_blank(file.cite) or none_if_blank(file.fileId) or none_if_blank(file.file_id)
    if name is None:
        raise AnswerFormatError("expected fileId or cite, got neither", path)
    page = file.page if file.page and file.page > 0 else None
    # An administrator knows the file's id, but never the citation's.
    aliases = others((file.fileId, file.file_id), name)
    return Reference(id=name, text=none_if_blank(file.text), page=page, aliases=aliases, complete=True)


def _web(page: _Web, path: str) -> Reference:
    if none_if_blank(page.url) is None:
        raise AnswerFormatError("expected a URL, got an empty string", f"{path}.url")
    name, text = none_if_blank(page.title), none_if_blank(page.text)
    return Reference(id=page.url, url=page.url, name=name, text=text, complete=True)


def _subqueries(found: _WriterFindings) -> Iterator[Subquery]:
    for one in found.subqueries or ():
        if one and (question := none_if_blank(one.query)):
            yield Subquery(question, hide_thoughts(one.answer or ""))


def _sources(found: _WriterFindings) -> Iterator[Reference]:
    lists = [found.sources, *(query.sources for query in found.subqueries or () if query)]
    for source in (source for sources in lists for source in sources or ()):
        if source and (name := none_if_blank(source.file_id)):
            yield Reference(id=name, text=none_if_blank(source.snippet), complete=True)
