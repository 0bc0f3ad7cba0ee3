"""A rendering that grows with the answer, and ends as the rendering of the finished answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..channels import Channel, InterimMode
from ..labels.ranking import NO_CATALOGUE, LabelRanking
from ..markdown import Document, escape_text, open_fence
from ..markers.citation_stream import CitationStream
from ..model.answer import Dialect
from ..model.answer_event import (
    AnswerEvent,
    DialectKnown,
    QuestionsSuggested,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    TextReplaced,
)
from ..model.citation import CitedAnswer
from ..model.reference import Reference
from ..model.rendering import Rendering
from ..renderer.label_ceiling import withhold, withholds_any, withholds_text
from ..renderer.renderings import InterimRenderings, Renderer
from ..renderer.size import fit
from ..text.controls import without_turns
from .interim_text import AppendingText, ReplacingText, SilentText
from .remarks import Remark, in_one_line, write_behind, write_below


class RenderingStream:
    """Feed it the events of an answer, show its interims, and close it.

    :meth:`close` returns what :func:`citations.render` makes of the finished answer, however it was cut
    into pieces. On an append-only channel each interim begins with the one before it, and so does the
    final text.

    A marker gets its position when it is first read, and keeps it. References that come before the text,
    or that the provider calls complete, are taken for all references. While others may arrive, some
    unknown names count as markers: numbers below 100, and targets that look like an id. With
    ``Dialect.NAMED_LINK`` every target counts. Such a marker is held back until its reference arrives,
    and so are all markers behind it. If the reference never arrives, the markers behind it are numbered
    without it. An append-only channel shows all of them at once, with their positions. A marker whose
    reference never arrives ends as text, or as its number without a claim.

    A span gets its badge once its words are shown: in the same interim, or in the next. On an append-only
    channel an answer with :attr:`Dialect.NONE` is shown when it is complete. If each span comes before any
    text behind it (:class:`~citations.model.DialectKnown`), it is shown block by block.

    Where a label may withhold an answer's text, nothing is shown before its references are complete
    (:class:`~citations.ReferencesFound`). It is shown only if none of them has such a label. If a
    provider finds others afterwards, it has shown text that the final withholds.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        dialect: Dialect | None = None,
        ranking: LabelRanking | None = None,
        live_hosts: frozenset[str] = frozenset(),
        answer_id: str | None = None,
    ) -> None:
        self._renderer = Renderer(channel, ranking, live_hosts, answer_id)
        self._channel = channel
        self._ranking = ranking or NO_CATALOGUE
        self._may_withhold = self._ranking.may_withhold(channel.id)
        self._dialect = dialect
        self._spans_at_end = True
        """Whether spans may come behind the text that follows their words."""
        self._whole = CitationStream(dialect)
        self._waits = True
        """Whether markers wait for further references."""
        self._complete = False
        """Whether all references have arrived."""
        self._text = self._begin()
        self._shown: Rendering | None = None
        self._interims = InterimRenderings(self._renderer, self._ranking)
        self._interim_cited: CitedAnswer | None = None
        """The citations of the last interim."""
        self._cited: CitedAnswer | None = None
        self._withheld = False
        """Whether a reference has arrived that withholds the text."""
        self._full = False
        """Whether the answer has become larger than an interim may be."""
        self._cut = False
        """Whether the model's text was cut, so that only the final has the rest."""
        self._suggestions: tuple[str, ...] = ()
        """The suggested questions, where the channel shows them as buttons."""

    def _begin(self) -> SilentText | ReplacingText | AppendingText:
        renderer, whole, dialect, waits = self._renderer, self._whole, self._dialect, self._waits
        mode = self._channel.interim
        if mode is InterimMode.REPLACING:
            return ReplacingText(renderer, whole, dialect, waits=waits)
        at_end = self._spans_at_end if dialect is Dialect.NONE else whole.spans
        if mode is None or at_end:
            return SilentText()
        return AppendingText(renderer, whole, dialect, waits=waits, complete=self._complete)

    def feed(self, event: AnswerEvent) -> None:
        """Take the next event. References may come before, during or after the text."""
        if isinstance(event, QuestionsSuggested):
            self._suggest(event)
            return
        if isinstance(event, TextDelta):
            self._whole.feed(event)
            return
        self._text.advance()
        self._whole.feed(event)
        match event:
            case TextReplaced():
                self._replace()
            case TextCut():
                self._cut = True
                if isinstance(self._text, AppendingText):
                    self._text.cut()
            case ReferencesFound(references, complete):
                self._note(references, complete=complete)
            case SpanFound():
                self._note_span()
            case DialectKnown(dialect, spans_at_end):
                self._note_dialect(dialect, spans_at_end=spans_at_end)

    def _suggest(self, event: QuestionsSuggested) -> None:
        if self._channel.shows_suggestions:
            self._suggestions = tuple(map(without_turns, event.questions[: self._channel.most_buttons]))
        if self._channel.lists_suggestions:
            items = "\n".join(f"- {escape_text(one)}" for one in event.questions)
            fence = open_fence(self._whole.text)
            self.feed(TextDelta(f"{fence}\n\n{escape_text(event.title)}\n\n{items}"))

    def _note(self, references: Sequence[Reference], *, complete: bool) -> None:
        """Note references: whether they withhold the text, and whether they are complete."""
        # References that are only named don't tell what the answer is made with.
        if complete or not all(one.only_named for one in references):
            self._complete = complete
        self._withheld = self._withheld or withholds_any(references, self._channel, self._ranking)
        # References that come before the text are taken for all of them.
        self._waits = any(self._whole.pieces) and not complete
        if isinstance(self._text, AppendingText):
            self._text.add_references(references, waits=self._waits, complete=complete)
        elif isinstance(self._text, ReplacingText):
            # Markers that were read may have other positions.
            self._text.outdated = True

    def _note_span(self) -> None:
        """Note a span: its badge comes once all of its words have arrived."""
        if isinstance(self._text, AppendingText) and not (self._text.by_block or self._shown):
            # Only the whole answer can have badges for spans as well as for markers.
            self._text = SilentText()
        self._text.advance()

    def _note_dialect(self, dialect: Dialect, *, spans_at_end: bool) -> None:
        """Note how the answer is cited. If some of it has been shown, that stays."""
        self._dialect, self._spans_at_end = dialect, spans_at_end
        if not self._shown:
            self._begin_again()

    def _replace(self) -> None:
        """Show another text: in place of what was shown, or below it on an append-only channel."""
        if isinstance(self._text, AppendingText) and self._shown:
            self._text.replace()
        else:
            self._begin_again()

    def _begin_again(self) -> None:
        """Begin the interims anew, with the text and the spans so far."""
        self._text, self._full = self._begin(), False

    @property
    def _shows(self) -> bool:
        """Whether the final will certainly show the text."""
        if self._withheld:
            return False
        return self._complete or not self._may_withhold

    def interim(self) -> Rendering | None:
        """The rendering so far; None if nothing can be shown, or nothing has changed.

        There are no more interims once a message is nearly full: only the final knows where the text is
        cut. On a channel that doesn't stream it is always None.
        """
        if self._full or self._cut or not self._shows:
            return None
        if isinstance(self._text, ReplacingText) and self._text.outdated:
            self._begin_again()
        growing = self._text
        if isinstance(growing, SilentText) or (cited := growing.interim()) is None:
            return None
        self._interim_cited = cited
        rendering = self._interims.write(cited, growing.body)
        self._full = rendering is None
        if rendering is None or not rendering.text.strip() or rendering == self._shown:
            return None
        self._shown = rendering
        return rendering

    def final_graph(self) -> tuple[dict[str, object], ...]:
        """The graph of the answer if it ended with the last interim, labels included.

        A stream that must end before its answer needs it: Teams, "Stream bot messages", allows labels in
        a final only. Empty before the first interim.
        """
        if self._interim_cited is None:
            return ()
        cited = replace(self._interim_cited, references=self._whole.references)
        shown = withhold(cited, self._channel, self._ranking)
        return self._renderer.graph_of(shown, self._renderer.define(shown))

    @property
    def held(self) -> int:
        """Characters that the last interim couldn't show, at most :data:`MAX_HELD`, or half of many signs.

        There are more where a label may withhold the text, and on an append-only channel where spans cite.
        """
        return self._text.held

    def close(self, remark: Callable[[CitedAnswer], Sequence[Remark]] | None = None) -> Rendering:
        """The final rendering of the complete answer. Suggestions go with a text that is withheld.

        ``remark`` says something about sentences of the answer that the channel may have. A remark stands
        below the paragraph, or in a plain text behind the sentence. Where what was shown of an answer
        stays, it stands below the answer.
        """
        closed = self._close(complete=True, remark=remark)
        return replace(closed, suggestions=() if closed.is_withheld else self._suggestions)

    def _close(
        self, *, complete: bool, remark: Callable[[CitedAnswer], Sequence[Remark]] | None = None
    ) -> Rendering:
        """The final rendering. ``complete`` says whether all references have arrived."""
        if isinstance(self._text, AppendingText) and (self._shown or remark is None):
            cited = self._text.close(complete=complete)
            body = self._text.body
            if not withholds_text(cited, self._channel, self._ranking):
                self._cited = self._renderer.prepare(cited)
                remarks = remark(self._cited) if remark else ()
                if remarks:
                    below = Document((in_one_line(remarks),))
                    body = f"{body.rstrip()}\n\n{self._renderer.write(replace(self._cited, document=below))}"
                return fit(self._cited, self._channel, lambda _: body, self._renderer.finish)
        return self._close_whole(complete=complete, remark=remark)

    def rewrite(self, remark: Callable[[CitedAnswer], Sequence[Remark]] | None = None) -> Rendering:
        """The rendering of the finished answer, for an update of the message that :meth:`close` returned.

        It differs where the final had to begin with what was shown (:data:`citations.streaming.KEPT`).
        ``remark`` is that of :meth:`close`.
        """
        closed = self._close_whole(complete=True, remark=remark)
        return replace(closed, suggestions=() if closed.is_withheld else self._suggestions)

    def _close_whole(
        self, *, complete: bool, remark: Callable[[CitedAnswer], Sequence[Remark]] | None
    ) -> Rendering:
        """The rendering of the finished answer, whatever was shown of it."""
        whole = self._whole.close(complete=complete)
        self._cited = shown = self._renderer.prepare(whole)
        if remark and shown.document is whole.document and (remarks := remark(shown)):
            return self.annotate(remarks)
        return self._renderer.render(shown)

    def annotate(self, remarks: Sequence[Remark], *, alone: bool = False) -> Rendering:
        """The closed answer with ``remarks``, for an update of its message.

        Where they are ``alone``, they have the label of the answer, and nothing else of it.
        """
        shown = self.cited
        if alone:
            document = Document((in_one_line(remarks),))
            return self._renderer.render(replace(shown, document=document, citations=()))
        write = write_below if self._channel.text_format == "markdown" else write_behind
        annotated = self._renderer.render(replace(shown, document=write(shown.document, remarks)))
        return replace(annotated, suggestions=self._suggestions)

    def append(self, notice: str) -> None:
        """Write ``notice``, a paragraph of Markdown, below the text so far."""
        text = self._whole.text
        self.feed(TextDelta(f"{open_fence(text)}\n\n{notice}" if text else notice))

    def interrupt(self, notice: str) -> Rendering:
        """The final rendering of an answer that is incomplete: its text so far, with ``notice`` below.

        ``notice`` is one plain sentence for the reader. A partial marker at the end is left out. How far
        the whole answer would have answered is not said.
        """
        self.feed(TextCut())
        self._whole.kind = None
        self.append(notice)
        return self._close(complete=self._complete)

    @property
    def cited(self) -> CitedAnswer:
        """The citations of the closed answer, without those that were withheld."""
        if self._cited is None:
            raise RuntimeError("the answer isn't closed yet")
        return self._cited
