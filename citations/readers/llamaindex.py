"""LlamaIndex's responses, whole or streamed, with nodes in the form of its own ``to_dict()``.

LlamaIndex has no wire format. A saved response is ``{"response": str(response), "source_nodes":
[node.to_dict() for node in response.source_nodes]}``. A stream is JSON lines, each with ``source_nodes``
or with ``delta``, the next piece of the text.

Governing source: LlamaIndex's ``CitationQueryEngine``. It writes ``Source 1:`` above the first source
that the model sees, and asks the model to cite ``[1]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..model.answer import Dialect, Origin
from ..model.answer_event import AnswerEvent, OriginKnown, ReferencesFound, TextDelta, TextReplaced
from ..model.errors import AnswerFormatError
from ..model.reference import Place, PlaceKind, Reference
from .conversion import iso_date, kind_of, none_if_blank, others
from .finish_reason import FinishReason
from .folder_paths import Folders
from .loose_json import Members, answer_text, inner, items, member, text
from .source_address import read_address
from .thoughts import VisibleText

_FIELDS: Final = ("delta", "source_nodes")
"""The fields of a line, of which it has at least one."""
_ORIGIN: Final = Origin(provider="LlamaIndex")
_NUMBER: Final = re.compile(r"Source ([1-9]\d{0,3}):\n")
_TITLES: Final = ("title", "document_title")
_FILES: Final = ("file_name", "filename", "name", "file_path", "source")
_URLS: Final = ("url", "source_url", "URL", "link", "source")
_PATHS: Final = ("file_path", "path", "source", "file_name", "filename", "directory")
_IDS: Final = ("ref_doc_id", "doc_id", "document_id")
_NAMES: Final = tuple(dict.fromkeys((*_IDS, *_TITLES, *_FILES, *_URLS, "path")))
_SOURCE: Final = "1"
"""``NodeRelationship.SOURCE``: the document that a node was split from."""
_PAGES: Final = ("page_label", "page_number", "page")
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)
_ABSOLUTE: Final = re.compile(r"[\\/]|[A-Za-z]:[\\/]|file:")


class LlamaIndexLines:
    """A response, or a stream of it: ``{"source_nodes": […]}`` before the text, then ``{"delta": "…"}``.

    A response is ``{"response": "… [1]", "source_nodes": [{"node": {"text", "metadata"}, "score"}, …]}``.
    The number of a source is that of its ``Source 1:`` line, which is removed, else its place in the
    list. Its metadata give name, URL, page, media type and date; none is required. Its ids, and all other
    names and paths in its metadata, become aliases. The folders of ``file_path`` are removed from all
    texts, because they are private. LlamaIndex streams the nodes first, so that their folders are known
    before the text. Later nodes continue the numbers.
    """

    def __init__(self) -> None:
        self.form = "llamaindex"
        self.refuses_others = True
        self.dialect: Dialect | None = Dialect.NUMBERED
        self.finish = FinishReason()
        self._folders = Folders()
        self._visible = VisibleText()
        self._count = 0
        self._begun = False

    def read(self, data: object) -> Iterator[AnswerEvent]:
        """The events of one line; raises :class:`AnswerFormatError`."""
        line = _object(data)
        if line.keys().isdisjoint(_FIELDS):
            raise AnswerFormatError(f"expected one of {', '.join(_FIELDS)}")
        yield from self._add(line, answer_text(line, "delta", "$"))

    def read_whole(self, data: object) -> Iterator[AnswerEvent]:
        """The events of a response; raises :class:`AnswerFormatError`."""
        response = _object(data)
        if "response" not in response:
            raise AnswerFormatError("expected a response")
        yield from self._add(response, answer_text(response, "response", "$"))

    def _add(self, data: Members, said: str) -> Iterator[AnswerEvent]:
        """The references of its nodes, and the text that this piece completes, without thoughts."""
        if not self._begun:
            self._begun = True
            yield OriginKnown(_ORIGIN)
        nodes = [inner(one, "node") for one in items(member(data, "source_nodes"))]
        for node in nodes:
            self._folders.learn(_texts(inner(node, "metadata"), _PATHS))
        if nodes:
            references = tuple(_reference(*one, self._folders) for one in _number(nodes, self._count))
            self._count += len(nodes)
            yield ReferencesFound(references)
        yield from self._show(self._visible.feed(said))

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought or a folder's name."""
        yield from self._show(self._visible.close())
        if text := self._folders.close():
            yield TextDelta(text)

    def _show(self, visible: str) -> Iterator[AnswerEvent]:
        if self._visible.withdrawn:
            self._folders.close()
            yield TextReplaced("")
        if shown := self._folders.feed(visible):
            yield TextDelta(shown)


def _object(data: object) -> Members:
    if not isinstance(data, Mapping):
        raise AnswerFormatError(f"expected a JSON object, got {kind_of(data)}")
    return data


def _number(nodes: list[Members], before: int) -> Iterator[tuple[str, str, Members]]:
    """The number and text of each source, and its node.

    If every text begins with a number, the model saw these numbers. If only some do, they are part of the
    text.
    """
    # The newer `Node` and `Document` have a resource. They may also have images and sounds.
    passages = [text(node, "text") or text(inner(node, "text_resource"), "text") for node in nodes]
    found = [_NUMBER.match(passage) for passage in passages]
    numbered = all(found)
    for place, (node, passage, number) in enumerate(zip(nodes, passages, found, strict=True), before + 1):
        if number and numbered:
            yield number[1], passage[number.end() :], node
        else:
            yield str(place), passage, node


def _reference(number: str, passage: str, node: Members, folders: Folders) -> Reference:
    metadata = inner(node, "metadata")
    urls = [*map(read_address, _texts(metadata, _URLS))]
    page = next((one.url for one in urls if one.url and not one.name), None)
    url = page or next((one.url for one in urls if one.url), None)
    name = none_if_blank(folders.remove(_name(metadata, page)))
    return Reference(
        id=number,
        ordinal=True,
        aliases=others((*_ids(node), *_texts(metadata, _NAMES)), name, url),
        name=name,
        url=url,
        text=none_if_blank(folders.remove(passage).strip()),
        page=_positive(metadata, _PAGES),
        place=_place(metadata),
        media_type=next(filter(_MEDIA_TYPE.fullmatch, _texts(metadata, ("file_type",))), None),
        modified=iso_date(metadata.get("last_modified_date")),
        complete=True,
    )


def _ids(node: Members) -> Iterator[object]:
    """The ids of a node and of its document."""
    yield from (node.get("id_"), node.get("ref_doc_id"))
    yield inner(inner(node, "relationships"), _SOURCE).get("node_id")


def _name(metadata: Members, page: str | None) -> str:
    """The title, which may have slashes in it, or the file name of its path."""
    titles = (one for one in _texts(metadata, _TITLES) if not _ABSOLUTE.match(one))
    files = (re.split(r"[\\/]", one)[-1] for one in _texts(metadata, _FILES) if one != page)
    return next(titles, None) or next(files, "")


def _texts(metadata: Members, keys: Iterable[str]) -> Iterator[str]:
    return (found.strip() for key in keys if isinstance(found := metadata.get(key), str) and found.strip())


def _place(metadata: Members) -> Place | None:
    """The slide, the row of a sheet or the line, as the bot's own nodes have it."""
    found = ((kind, first) for kind in PlaceKind if (first := _positive(metadata, (kind.value,))))
    sheet = next(_texts(metadata, ("sheet", "sheet_name")), None)
    return next((Place(kind=kind, first=first, sheet=sheet) for kind, first in found), None)


def _positive(metadata: Members, keys: Iterable[str]) -> int | None:
    """A page or the like. Readers write ``"12"``, but a label such as ``"iv"`` is no number."""
    for found in (metadata.get(key) for key in keys):
        if re.fullmatch(r"[1-9]\d{0,5}", str(found)) and not isinstance(found, bool):
            return int(str(found))
    return None
