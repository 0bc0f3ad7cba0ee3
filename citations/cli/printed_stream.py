"""``render --stream``: prints an answer as it arrives, and the whole answer at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ..channels import Channel
from ..labels.ranking import LabelRanking
from ..markers.source_list import AnswerSoFar
from ..model.answer import Dialect
from ..model.answer_event import AnswerEvent, TextDelta, TextReplaced
from ..model.errors import CitationError, Problem
from ..model.rendering import Rendering
from ..readers import AnswerStream, ProviderFormat
from ..streaming import RenderingStream
from .console import CLEAN, complain, read_chunks, reason, say, show
from .printed_activity import in_messages, problems_of

INTERRUPTED: Final = "This answer was interrupted and may be incomplete."


def print_stream(file: str, sent: ProviderFormat, channel: Channel, ranking: LabelRanking | None) -> int:
    """Print an activity for each event with something new to show, and the final one.

    If an answer cites nothing, its sources are listed below it. If the answer breaks off, the final activity
    has the answer so far. Nothing is printed if nothing has arrived.
    """
    answer, printed = sent.stream(), _PrintedStream(channel, ranking)
    try:
        for events in _events_in(file, answer):
            printed.feed(events, answer.dialect)
    except CitationError as error:
        printed.interrupt()
        return complain(reason(error))
    printed.close(sent)
    return CLEAN


def _events_in(file: str, answer: AnswerStream) -> Iterator[tuple[AnswerEvent, ...]]:
    for received in read_chunks(file):
        yield from answer.feed(received)
        if answer.finished:
            break
    yield from answer.close()


class _PrintedStream:
    """Prints one answer on stdout."""

    def __init__(self, channel: Channel, ranking: LabelRanking | None) -> None:
        self._channel = channel
        self._ranking = ranking
        self._rendering: RenderingStream | None = None
        self._so_far = AnswerSoFar()
        self._spoken = False
        self._interims = 0

    def feed(self, events: tuple[AnswerEvent, ...], dialect: Dialect | None) -> None:
        """Take the events of one document from the provider, and print what they have to show."""
        if self._rendering is None:
            self._rendering = RenderingStream(self._channel, dialect=dialect, ranking=self._ranking)
            self._so_far = AnswerSoFar(dialect)
        for event in events:
            self._rendering.feed(event)
            self._so_far.note(event)
            self._spoken = self._spoken or (
                isinstance(event, TextDelta | TextReplaced) and not event.text.isspace()
            )
        if interim := self._rendering.interim():
            self._interims += 1
            # Teams and Web Chat number the activities of a stream from 1.
            metadata = {"streamType": "streaming", "streamSequence": self._interims}
            show(_with_metadata(interim.to_activity() | {"type": "typing"}, metadata))

    def close(self, sent: ProviderFormat) -> None:
        """End the complete answer. Its uncited sources are listed, if its provider has a title."""
        if self._rendering:
            if sent.title and (sources := self._so_far.uncited_sources()):
                for event in self._so_far.list_events(sent.title, sources, searched=sent.searches):
                    self._rendering.feed(event)
            closed = self._rendering.close()
            self._show_final(closed, problems_of(closed, self._rendering.cited))

    def interrupt(self) -> None:
        """End an answer that broke off, with the answer so far, if there is any."""
        if self._rendering and self._spoken:
            closed = self._rendering.interrupt(INTERRUPTED)
            self._show_final(closed, closed.problems)

    def _show_final(self, rendering: Rendering, problems: Iterable[Problem]) -> None:
        """Print the final message; an ordinary one if no interim was printed."""
        for problem in problems:
            say(str(problem))
        if self._interims:
            show(_with_metadata(rendering.to_activity(), {"streamType": "final"}))
        else:
            show(in_messages(rendering))


def _with_metadata(activity: dict[str, object], metadata: dict[str, object]) -> dict[str, object]:
    """The activity with its stream metadata in both forms, one for Web Chat and one for Teams.

    There is no ``streamId``: it is the id that the connector gives to the first activity.
    """
    entities, data = activity["entities"], activity.get("channelData")
    info = {"type": "streaminfo", **metadata}
    return activity | {
        "entities": [*entities, info] if isinstance(entities, list) else [info],
        "channelData": {**data, **metadata} if isinstance(data, dict) else metadata,
    }
