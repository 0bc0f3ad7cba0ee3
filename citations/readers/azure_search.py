"""Azure AI Search's knowledge bases: messages whose markers ``[ref_id:0]`` name the references beside them.

Governing source: Azure AI Search REST API 2026-08-01-preview, "Knowledge Retrieval", as
``azure-search-documents`` 12.1.0b2 reads it. Each reference, and the response, may have a Purview label.
"If the user isn't authorized for a document's sensitivity label with extract permissions, that document is
excluded" ("Query-time enforcement of Microsoft Purview sensitivity labels"): what has a label may be quoted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, ReferencesFound
from ..model.reference import Reference
from .chat_completion import ChatText
from .conversion import new_references
from .loose_json import Members, inner, member, number, objects, page_number, text, title
from .purview_label import read_purview_label
from .shaped_events import ShapedEvents, ShapeReader
from .source_address import describe_source


class AzureSearchEvents(ShapedEvents):
    """Reads the response of ``POST /knowledgebases('…')/retrieve``. Raises :class:`AnswerFormatError`.

    With ``outputMode`` ``extractiveData`` there is no answer: its text is the passages as JSON.

    ``for_person`` says that it was asked with a person's token, so that Azure has checked their rights.
    """

    def __init__(self, *, for_person: bool = True) -> None:
        super().__init__("azure-search", lambda _: _KnowledgeBaseEvents(for_person), dialect=Dialect.NUMBERED)


class _KnowledgeBaseEvents(ShapeReader):
    provider = "Azure AI Search"
    dialect = Dialect.NUMBERED

    def __init__(self, for_person: bool) -> None:
        super().__init__()
        self._for_person = for_person
        self._messages: set[object] = set()
        """The indexes of the messages so far. All of the response, which comes last, is the truth."""
        self._text = ChatText()
        self._found: set[Reference] = set()

    def read(self, data: Members) -> Iterator[AnswerEvent]:
        """The events of ``answer.completed``, of ``references.completed``, or of all of the response."""
        if "message" in data:
            index = number(data, "message_index")
            if index not in self._messages:
                yield from self._text.add(
                    ("\n\n" if self._messages else "") + _text_of(inner(data, "message"))
                )
                self._messages.add(index)
        elif "activity_source" in data or "activitySource" in data:
            yield from self._find([_reference(data)])
        whole = inner(data, "response") or data
        if "response" not in whole:
            return
        self.finish.note("stop")
        label = read_purview_label(inner(whole, "response_sensitivity_label_info"))
        own = (Reference(id="response", label=label, ordinal=True),) if label else ()
        yield from self._find([*map(_reference, objects(member(whole, "references"))), *own])
        yield from self._text.replace("\n\n".join(map(_text_of, objects(member(whole, "response")))))

    def close(self) -> Iterator[AnswerEvent]:
        """The text that was held back, because it might have become a thought."""
        yield from self._text.close()

    def _find(self, references: list[Reference]) -> Iterator[AnswerEvent]:
        allowed = (replace(one, extract=self._for_person and one.label is not None) for one in references)
        if new := new_references(allowed, self._found):
            yield ReferencesFound(new)


def _text_of(message: Members) -> str:
    return "\n\n".join(found for one in objects(member(message, "content")) if (found := text(one, "text")))


def _reference(found: Members) -> Reference:
    """One reference. Which fields it has depends on its ``type`` and, in ``sourceData``, on the index."""
    source = inner(found, "source_data")
    address = text(found, "web_url", "doc_url", "blob_url", "url", "citation_url") or text(
        source, "webUrl", "url", "citationUrl"
    )
    file, _, page = text(source, "sourcepage").partition("#page=")
    named = title(inner(source, "resource_metadata"), "title") or title(source, "title") or file
    extracts = [text(one, "text") for one in objects(member(source, "extracts"))]
    return describe_source(
        address.strip(),
        title(found, "title", "doc_name") or named or title(source, "sourcefile"),
        pages=(page_number({"page": page}, "page"), None),
        key=text(found, "id"),
        ordinal=True,
        names=(text(found, "doc_key"), text(source, "sourcefile"), text(source, "sourcepage")),
        text="\n\n".join(filter(None, extracts)) or title(source, "content", "chunk", "snippet", "text"),
        label=read_purview_label(inner(found, "search_sensitivity_label_info")),
    )
