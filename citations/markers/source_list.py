"""The list of sources below an answer that cites none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ..markdown import read_layout
from ..markdown.sanitizer import escape, write_closing_fence
from ..model.answer import (
    Answer,
    AnswerEvent,
    DialectKnown,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    spans_of,
    text_of,
)
from ..model.dialect import Dialect
from ..model.reference import Reference
from ..model.wording import ENGLISH, Wording
from ..text.url import host_of, safe_url
from .citation_stream import CitationStream, cite
from .grammar import split_numbered

LONGEST_LIST: Final = 8
"""The most sources that are listed."""
_PLAIN: Final = str.maketrans("[]<>`\\", "()()'/")
"""Replaces characters that would end a marker's name, or begin other markup in it."""


class AnswerSoFar:
    """The events of an answer so far, from which its sources can be listed at the end."""

    def __init__(self, dialect: Dialect | None = None) -> None:
        self._dialect = dialect
        self._stream = CitationStream(dialect)

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references so far."""
        return self._stream.references

    @property
    def text(self) -> str:
        """The text so far, without a partial marker at its end if it was cut."""
        return self._stream.whole_text

    def note(self, event: AnswerEvent) -> None:
        """Note the next event."""
        if isinstance(event, DialectKnown):
            self._dialect = event.dialect
        self._stream.feed(event)

    def uncited_sources(self) -> tuple[Reference, ...]:
        """The first reference of each source, if there is a text and it cites none of them."""
        references = self.references
        if not references or not self._stream.text or self._stream.close().citations:
            return ()
        first: dict[str, Reference] = {}
        for reference in references:
            first.setdefault(reference.id, reference)
        return tuple(first.values())[:LONGEST_LIST]

    def list_sources(
        self,
        who: str,
        sources: Sequence[Reference],
        names: Mapping[str, str] = MappingProxyType({}),
        *,
        wording: Wording = ENGLISH,
    ) -> str:
        """Markdown that names and cites each of ``sources``, for below the answer of ``who``.

        ``names`` has names for sources without one, by id.
        """
        items = "\n".join(
            self._item(
                one.name or names.get(one.id) or _host(one) or wording.document.format(number=place), one.id
            )
            for place, one in enumerate(sources, 1)
        )
        return self.below(f"{wording.uncited.format(provider=who)}\n\n{items}")

    def list_events(
        self,
        who: str,
        sources: Sequence[Reference],
        names: Mapping[str, str] = MappingProxyType({}),
        *,
        wording: Wording = ENGLISH,
    ) -> tuple[AnswerEvent, ...]:
        """The events that add :meth:`list_sources` to the answer."""
        listed = self.list_sources(who, sources, names, wording=wording)
        if self._dialect is not Dialect.NONE:
            return (TextDelta(listed),)
        # Each of the last lines names a source.
        above, *items = listed.rsplit("\n", len(sources))
        events: list[AnswerEvent] = [TextDelta(above)]
        end = len(self._stream.received) + len(above)
        for item, source in zip(items, sources, strict=True):
            start, end = end, end + len(item) + 1
            events += (TextDelta(f"\n{item}"), SpanFound(start, end, (source.id,)))
        return tuple(events)

    def marked_events(self, markdown: str) -> tuple[AnswerEvent, ...]:
        """The events that add ``markdown``, whose markers ``[id]`` cite, to an answer of any dialect."""
        if self._dialect is not Dialect.NONE:
            return (TextDelta(markdown),)
        marked = cite(Answer(text=markdown, references=self.references, dialect=Dialect.NUMBERED))
        events: list[AnswerEvent] = []
        before, done = len(self._stream.received), 0
        for use in marked.uses:
            ids = tuple(marked.citations[position - 1].reference.id for position in use.positions)
            # A span comes right behind its words, since text that was shown may get no badge.
            events.append(TextDelta(marked.text[done : use.end]))
            events.append(SpanFound(before + use.start, before + use.end, ids, replaces=True))
            done = use.end
        return (*events, TextDelta(marked.text[done:]))

    def below(self, markdown: str) -> str:
        """``markdown`` with the separator that puts it below the text."""
        return f"{write_closing_fence(read_layout(self._stream.text))}\n\n{markdown}"

    def _item(self, name: str, identifier: str) -> str:
        """The name to read and a marker, whose own name becomes the citation's title."""
        name = " ".join(name.split())
        if self._dialect in (None, Dialect.NAMED_LINK):
            return f"- {escape(name)} [{name.translate(_PLAIN)}]({identifier})"
        marked = self._dialect is Dialect.NUMBERED and split_numbered(identifier)
        return f"- {escape(name)} [{identifier}]" if marked else f"- {escape(name)}"


def list_uncited(answer: Answer, who: str) -> Answer:
    """``answer``, with its sources listed below it if it cites none of them. ``who`` is the provider's name.

    >>> uncited = Answer(text="avelumab", references=(Reference(id="1", name="a"),))
    >>> list_uncited(uncited, "Writer").text.splitlines()[2:]
    ['Writer did not say which source supports which statement. It answered from:', '', '- a [a](1)']
    """
    so_far = AnswerSoFar(answer.dialect)
    events: list[AnswerEvent] = [ReferencesFound(answer.references), TextDelta(answer.text)]
    events += (SpanFound(span.start, span.end, span.ids, span.replaces) for span in answer.spans)
    for event in (*events, TextCut(answer.cut)) if answer.cut else events:
        so_far.note(event)
    sources = so_far.uncited_sources()
    if not sources:
        return answer
    listed = so_far.list_events(who, sources)
    return replace(answer, text=so_far.text + text_of(listed), spans=(*answer.spans, *spans_of(listed)))


def _host(reference: Reference) -> str:
    """The host of a page without a title, which its link has for a title, too; empty for other sources."""
    url = safe_url(reference.url) if reference.url else None
    return host_of(url) if url else ""
