"""The list of sources below an answer that cites none of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

from ..markdown import escape_text, open_fence
from ..model.answer import Answer, AnswerKind, Dialect
from ..model.answer_event import (
    AnswerEvent,
    DialectKnown,
    KindKnown,
    ProblemFound,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    spans_of,
    text_of,
)
from ..model.citation import MAX_CITATIONS
from ..model.errors import Problem
from ..model.reference import Reference
from ..model.wording import ENGLISH, Wording
from ..text.line import clip
from ..text.url import host_of, safe_url
from .citation_stream import CitationStream
from .grammar import split_numbered

LONGEST_LIST: Final = MAX_CITATIONS
"""The most sources that are listed: each is a citation."""
_LONGEST_NAME: Final = 80
"""Characters of an address that names a source."""
_MARKER: Final = re.compile(r"\[([^\[\]]{1,120})\]")
_PLAIN: Final = str.maketrans("[]<>`\\", "()()'/")
"""Replaces characters that would end a marker's name, or begin other markup in it."""


class AnswerSoFar:
    """The events of an answer so far, from which its sources can be listed at the end."""

    def __init__(self, dialect: Dialect | None = None) -> None:
        self._dialect = dialect
        self._kind: AnswerKind | None = None
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
        if isinstance(event, KindKnown):
            self._kind = event.kind
        self._stream.feed(event)

    def uncited_sources(self) -> tuple[Reference, ...]:
        """The first reference of each source, if the answer cites none of them.

        An answer without words has a list only if its provider says that it is one, such as a picture.
        """
        references = self.references
        answers = self._stream.text or self._kind is AnswerKind.ANSWERED
        if not references or not answers or self._stream.close().citations:
            return ()
        return tuple(_distinct(references))[:LONGEST_LIST]

    def list_sources(
        self,
        who: str,
        sources: Sequence[Reference],
        names: Mapping[str, str] = MappingProxyType({}),
        *,
        searched: bool = False,
        wording: Wording = ENGLISH,
    ) -> str:
        """Markdown that names and cites each of ``sources``, for below the answer of ``who``.

        ``names`` has names for sources without one, by id. ``searched`` says that ``who`` found the sources
        and may have used none of them. So it is where an answer has no words.
        """
        hosts = Counter(host for one in sources if (host := _host(one)))
        items = "\n".join(
            self._item(
                one.name
                or names.get(one.id)
                or (_address(one) if hosts[_host(one)] > 1 else _host(one))
                or wording.document.format(number=place),
                one.id,
            )
            for place, one in enumerate(sources, 1)
        )
        above = wording.searched if searched or not self.text.strip() else wording.uncited
        return self.below(f"{above.format(provider=who)}\n\n{items}")

    def list_events(
        self,
        who: str,
        sources: Sequence[Reference],
        names: Mapping[str, str] = MappingProxyType({}),
        *,
        searched: bool = False,
        wording: Wording = ENGLISH,
    ) -> tuple[AnswerEvent, ...]:
        """The events that add :meth:`list_sources` to the answer, with a problem of those that it lacks."""
        listed = self.list_sources(who, sources, names, searched=searched, wording=wording)
        left_out = len(_distinct(self.references)) - len(sources)
        message = f"{left_out} of the answer's sources are not listed below it: a list has {LONGEST_LIST}"
        events: list[AnswerEvent] = []
        if left_out > 0:
            events.append(ProblemFound(Problem("sources-not-listed", "$.references", message)))
        if self._dialect is not Dialect.NONE:
            return (*events, TextDelta(listed))
        # Each of the last lines names a source.
        above, *items = listed.rsplit("\n", len(sources))
        events.append(TextDelta(above))
        end = len(self._stream.received) + len(above)
        for item, source in zip(items, sources, strict=True):
            start, end = end, end + len(item) + 1
            events += (TextDelta(f"\n{item}"), SpanFound(start, end, (source.id,)))
        return tuple(events)

    def marked_events(self, markdown: str) -> tuple[AnswerEvent, ...]:
        """The events that add ``markdown``, whose markers ``[id]`` cite, to an answer of any dialect."""
        if self._dialect is not Dialect.NONE:
            return (TextDelta(markdown),)
        known = {reference.id: (reference.id,) for reference in self.references}
        events: list[AnswerEvent] = []
        before, done = len(self._stream.received), 0
        for found in _MARKER.finditer(markdown):
            if found[1] in known:
                # A span comes right behind its words, since text that was shown may get no badge.
                events.append(TextDelta(markdown[done : found.end()]))
                events.append(
                    SpanFound(before + found.start(), before + found.end(), known[found[1]], replaces=True)
                )
                done = found.end()
        return (*events, TextDelta(markdown[done:]))

    def below(self, markdown: str) -> str:
        """``markdown`` with the separator that puts it below the text."""
        return f"{open_fence(self._stream.text)}\n\n{markdown}"

    def _item(self, name: str, identifier: str) -> str:
        """The name to read and a marker, whose own name becomes the citation's title."""
        name = " ".join(name.split())
        if self._dialect in (None, Dialect.NAMED_LINK):
            return f"- {escape_text(name)} [{name.translate(_PLAIN)}]({identifier})"
        marked = self._dialect is Dialect.NUMBERED and split_numbered(identifier)
        return f"- {escape_text(name)} [{identifier}]" if marked else f"- {escape_text(name)}"


def list_uncited(answer: Answer, who: str, *, searched: bool = False) -> Answer:
    """``answer``, with its sources listed below it if it cites none of them. ``who`` is the provider's name.

    ``searched`` is that of :meth:`AnswerSoFar.list_sources`.

    >>> uncited = Answer(text="avelumab", references=(Reference(id="1", name="a"),))
    >>> list_uncited(uncited, "Writer").text.splitlines()[2:]
    ['Writer did not say which source supports which statement. It answered from:', '', '- a [a](1)']
    """
    so_far = AnswerSoFar(answer.dialect)
    events: list[AnswerEvent] = [ReferencesFound(answer.references), TextDelta(answer.text)]
    events += (SpanFound(span.start, span.end, span.ids, span.replaces) for span in answer.spans)
    events += (KindKnown(answer.kind),) if answer.kind else ()
    for event in (*events, TextCut(answer.cut)) if answer.cut else events:
        so_far.note(event)
    sources = so_far.uncited_sources()
    if not sources:
        return answer
    listed = so_far.list_events(who, sources, searched=searched)
    problems = (event.problem for event in listed if isinstance(event, ProblemFound))
    return replace(
        answer,
        text=so_far.text + text_of(listed),
        spans=(*answer.spans, *spans_of(listed)),
        problems=(*answer.problems, *problems),
    )


def _distinct(references: Sequence[Reference]) -> Collection[Reference]:
    """The first reference of each id."""
    first: dict[str, Reference] = {}
    for reference in references:
        first.setdefault(reference.id, reference)
    return first.values()


def _address(reference: Reference) -> str:
    """The host and the path of a page, where another page has the same host."""
    url = safe_url(reference.url) if reference.url else None
    return clip(unquote(url.partition("://")[2]).rstrip("/"), _LONGEST_NAME) if url else ""


def _host(reference: Reference) -> str:
    """The host of a page without a title, which its link has for a title, too; empty for other sources."""
    url = safe_url(reference.url) if reference.url else None
    return host_of(url) if url else ""
