"""Writer's Knowledge Graph answers, whole or streamed.

They come from ``POST /v1/graphs/question``, or from a chat completion with the graph tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..model.answer import Dialect, Origin, Subquery
from ..model.answer_event import AnswerEvent, OriginKnown, ReferencesFound, SubqueriesKnown
from ..model.errors import AnswerFormatError
from ..model.reference import Reference
from .chat_completion import ChatText, read_piece
from .conversion import kind_of, new_references, others
from .loose_json import Members, answer_text, inner, items, member, members, objects, page_number, text, title
from .thoughts import hide_thoughts

_FIELDS: Final = ("answer", "sources", "subqueries", "references")
"""The fields of a response or a chunk, of which it has at least one."""
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
        if not isinstance(item, Mapping):
            raise AnswerFormatError(f"expected a JSON object, got {kind_of(item)}", path)
        if self._whole and item.get("answer") is None:
            raise AnswerFormatError("expected a text", f"{path}.answer")
        if item.keys().isdisjoint(_FIELDS):
            raise AnswerFormatError(f"expected one of {', '.join(_FIELDS)}", path)
        yield from self._find(item)
        yield from self._text.add(answer_text(item, "answer", path))

    def _read_chat(self, completion: Members, path: str) -> Iterator[AnswerEvent]:
        choices = items(member(completion, "choices"))
        if not choices:
            if self._whole:
                raise AnswerFormatError("expected a choice, got an empty array", f"{path}.choices")
            return
        # ``message`` is "deprecated for streaming", but some streams have the references there.
        for name in ("delta", "message"):
            yield from self._find(inner(inner(choices[0], name), "graph_data"))
        yield from self._text.read(read_piece(completion, self.finish))

    def _find(self, found: Members) -> Iterator[AnswerEvent]:
        """The new references, the sources that they don't have, and the subqueries."""
        new = self._new(_references(inner(found, "references")))
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


def _references(references: Members) -> Iterator[Reference]:
    yield from filter(None, map(_file, objects(member(references, "files"))))
    for page in objects(member(references, "web")):
        if address := title(page, "url"):
            name, passage = title(page, "title"), title(page, "text")
            yield Reference(id=address, url=address, name=name, text=passage, complete=True)


def _file(file: Members) -> Reference | None:
    """The reference of a file; None if it has no id.

    "Unique citation ID that appears in inline citations within the response text (null if not cited)."
    The API's schema has ``fileId``; other places of the same response have ``file_id``.
    """
    name = title(file, "cite") or title(file, "file_id")
    if name is None:
        return None
    # An administrator knows the file's id, but never the citation's.
    aliases = others((file.get("fileId"), file.get("file_id")), name)
    page = page_number(file, "page")
    return Reference(id=name, text=title(file, "text"), page=page, aliases=aliases, complete=True)


def _subqueries(found: Members) -> Iterator[Subquery]:
    for one in objects(member(found, "subqueries")):
        if question := title(one, "query"):
            yield Subquery(question, hide_thoughts(text(one, "answer")))


def _sources(found: Members) -> Iterator[Reference]:
    for one in (found, *objects(member(found, "subqueries"))):
        for source in objects(member(one, "sources")):
            if name := title(source, "file_id"):
                yield Reference(id=name, text=title(source, "snippet"), complete=True)
