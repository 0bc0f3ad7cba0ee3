"""A rendering as it grows: what of an unfinished answer may be shown already, and the finished one."""

from __future__ import annotations

from .answer import AnswerEvent, TextDelta
from .channels import Channel, Interim
from .citation import CitedAnswer
from .label import LabelRanking
from .marker import Dialect
from .render import Rendering, render
from .resolve import CitationStream


class RenderingStream:
    """An answer on its way to a channel: feed it events, show its interims, close it.

    What :meth:`close` returns is what :func:`render` makes of the finished answer, however it was
    cut. Where the channel only extends what it shows, each interim begins with the last one, and so
    does the final text.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        dialect: Dialect | None = None,
        ranking: LabelRanking | None = None,
        live_hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._channel = channel
        self._dialect = dialect
        self._ranking = ranking
        self._live_hosts = live_hosts
        self._events: list[AnswerEvent] = []
        self._shown = ""

    def feed(self, event: AnswerEvent) -> None:
        """Take the next event; references may come before, during or after the text."""
        self._events.append(event)

    def interim(self) -> Rendering | None:
        """What may be shown now; None where it is nothing, or what the last interim said.

        Always None on a channel that doesn't stream.
        """
        if self._channel.interim is None:
            return None
        text = "".join(event.text for event in self._events if isinstance(event, TextDelta))
        paragraphs = text.rpartition("\n\n")[0]
        if self._channel.interim is Interim.REPLACED:
            paragraphs = text
        cited = self._cited(paragraphs)
        rendering = render(cited, self._channel, ranking=self._ranking, live_hosts=self._live_hosts)
        if not rendering.text or rendering.text == self._shown:
            return None
        self._shown = rendering.text
        return rendering

    def close(self) -> Rendering:
        """The answer is complete."""
        return self._finish("")

    def interrupt(self, notice: str) -> Rendering:
        """The answer will not go on: all that came of it, with its citations, and ``notice`` below.

        ``notice`` is one plain sentence for the reader.
        """
        return self._finish(f"\n\n{notice}")

    @property
    def cited(self) -> CitedAnswer:
        """What the answer cites, once it is closed."""
        return self._closed

    def _finish(self, tail: str) -> Rendering:
        text = "".join(event.text for event in self._events if isinstance(event, TextDelta))
        self._closed = self._cited(text + tail)
        return render(self._closed, self._channel, ranking=self._ranking, live_hosts=self._live_hosts)

    def _cited(self, text: str) -> CitedAnswer:
        stream = CitationStream(self._dialect)
        for event in self._events:
            if not isinstance(event, TextDelta):
                stream.feed(event)
        stream.feed(TextDelta(text))
        return stream.close()
