"""A text that cites by annotations, as it arrives: its links are held until their annotations come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import count

from ..model.answer_event import AnswerEvent, ProblemFound
from ..model.errors import Problem
from ..model.reference import Reference
from .anchor import TextRange, not_placed
from .loose_json import Members
from .openai_annotation import Annotation, place_annotation, read_annotation
from .spanned_text import SpannedText
from .written_link import LONGEST_LINK, HeldLinks, LinkIndex


class OutputText:
    """One text part of OpenAI's interfaces, with its annotations. Each method returns events to pass on."""

    def __init__(self, answer: SpannedText) -> None:
        self._answer = answer
        self._part = answer.begin_part()
        self._links = HeldLinks()
        self._received = 0
        self._recent = ""
        """The end of the text, in which a link may be complete now."""
        self._read: set[Annotation] = set()
        self._index = LinkIndex()
        self._numbers = count()
        self._waiting: list[tuple[int, int, Annotation, str]] = []
        """Annotations of text that hasn't arrived: a heap, by their ends and numbers."""
        self._linked: dict[str, Reference] = {}
        """References by id of which each link is a citation: those without a place, and those of links."""

    @property
    def text(self) -> str:
        """All text so far."""
        return self._part.text + self._links.held

    def add(self, delta: str) -> Iterator[AnswerEvent]:
        """Add the next piece of the text."""
        if not delta or self._answer.part is not self._part:
            # Another part has begun, so this text is out of order. The end of the stream repeats all.
            return
        self._received += len(delta)
        self._recent = (self._recent + delta)[-LONGEST_LINK:]
        let_out = self._links.feed(delta)
        yield from self._answer.add(let_out)
        yield from self._cite_new_links()
        while self._waiting and self._waiting[0][0] <= self._received:
            _, _, annotation, path = heappop(self._waiting)
            yield from self._place(annotation, path)

    def complete(self, text: str) -> Iterator[AnswerEvent]:
        """Take ``text`` for the whole part, where it continues what has arrived."""
        so_far = self.text
        if len(text) > len(so_far) and text.startswith(so_far):
            yield from self.add(text[len(so_far) :])

    def annotate(self, data: Members, passages: Mapping[str, str], path: str) -> Iterator[AnswerEvent]:
        """Read an annotation, once."""
        annotation = read_annotation(data, passages)
        if annotation is None or annotation in self._read:
            return
        self._read.add(annotation)
        if annotation.made:
            yield ProblemFound(
                Problem("file-not-cited", path, "a file that the model made is no source: it has no badge")
            )
            return
        reference = annotation.reference
        if not annotation.placed:
            yield from self._answer.find((reference,))
            yield from self._cite_links(reference)
        elif (end := annotation.end or annotation.point or 0) > self._received:
            yield from self._answer.find((reference,))
            heappush(self._waiting, (end, next(self._numbers), annotation, path))
        else:
            yield from self._place(annotation, path)

    def close(self) -> Iterator[AnswerEvent]:
        """The text and the annotations that were held."""
        yield from self._answer.add(self._links.close())
        # An address may end with the text.
        self._index.read(f"{self._part.text}\n")
        for reference in self._linked.values():
            yield from self._cite_links(reference)
        while self._waiting:
            _, _, annotation, path = heappop(self._waiting)
            yield from self._place(annotation, path)

    def _place(self, annotation: Annotation, path: str) -> Iterator[AnswerEvent]:
        whole = self._part.followed_by(self._links.held)
        yield from self._let_out(annotation.end or annotation.point or 0)
        place, replaces = place_annotation(whole, self._index, annotation, self._part.hidden or 0)
        if place:
            yield from self._let_out(place.end)
        yield from self._answer.cite(
            self._part,
            place,
            (annotation.reference,),
            replaces=replaces,
            missing=not_placed(path, annotation.words),
        )
        if replaces and not annotation.words and annotation.point is None:
            # Azure annotates the first of several links to a page.
            yield from self._cite_links(annotation.reference)

    def _let_out(self, end: int) -> Iterator[AnswerEvent]:
        """The held text up to ``end``, an offset in the part."""
        if end > self._part.length:
            yield from self._answer.add(self._links.take(end - self._part.length))

    def _cite_links(self, reference: Reference) -> Iterator[AnswerEvent]:
        """Cite each link to ``reference``, also those that will come."""
        self._linked[reference.id] = reference
        self._index.read(self.text)
        for link in self._index.of(reference.id):
            yield from self._cite_link(link.place, reference)

    def _cite_new_links(self) -> Iterator[AnswerEvent]:
        """Cite the links in new text, held or not, to references of which each link is a citation."""
        if not self._linked or "://" not in self._recent:
            return
        for link in self._index.read(self.text):
            if reference := self._linked.get(link.id):
                yield from self._cite_link(link.place, reference)

    def _cite_link(self, place: TextRange, reference: Reference) -> Iterator[AnswerEvent]:
        yield from self._let_out(place.end)
        yield from self._answer.cite(self._part, place, (reference,), missing=not_placed("$"), replaces=True)
