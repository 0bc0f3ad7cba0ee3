"""``render --stream``: what of an answer may be shown already, and at last all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..channels import Channel
from ..labels.catalogue import LabelRanking
from ..markers.source_list import AnswerSoFar
from ..model.answer import AnswerEvent, TextDelta, TextReplaced
from ..model.dialect import Dialect
from ..model.errors import CitationError
from ..model.rendering import Rendering
from ..readers import AnswerStream
from ..renderer import RenderingStream
from .console import CLEAN, complain, read_chunks, reason, say, show

INTERRUPTED: Final = "This answer was interrupted and may be incomplete."


def print_stream(
    file: str, answer: AnswerStream, channel: Channel, ranking: LabelRanking | None, who: str | None
) -> int:
    """Print an activity for each event that has something new to show, and the final one.

    Where ``who`` gave an answer that cites nothing, its sources are listed below it.
    Where the answer breaks off, the final activity has what came of it; nothing is printed where
    nothing came.
    """
    printed = _PrintedStream(channel, ranking)
    try:
        for events in _events_in(file, answer):
            printed.feed(events, answer.dialect)
    except CitationError as error:
        printed.interrupt()
        return complain(reason(error))
    printed.close(who)
    return CLEAN


def _events_in(file: str, answer: AnswerStream) -> Iterator[tuple[AnswerEvent, ...]]:
    for received in read_chunks(file):
        yield from answer.feed(received)
        if answer.finished:
            break
    yield from answer.close()


class _PrintedStream:
    """One answer on its way to stdout."""

    def __init__(self, channel: Channel, ranking: LabelRanking | None) -> None:
        self._channel = channel
        self._ranking = ranking
        self._rendering: RenderingStream | None = None
        self._so_far = AnswerSoFar()
        self._spoken = False
        self._interims = 0

    def feed(self, events: tuple[AnswerEvent, ...], dialect: Dialect | None) -> None:
        """Take what one event of the provider says, and print what it has to show."""
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
            # Teams and Web Chat number the pieces of a stream from 1.
            metadata = {"streamType": "streaming", "streamSequence": self._interims}
            show(_with_metadata(interim.to_activity() | {"type": "typing"}, metadata))

    def close(self, who: str | None) -> None:
        """The answer is complete; ``who`` gave it, where its sources are to be listed."""
        if self._rendering:
            if who and (sources := self._so_far.uncited_sources()):
                self._rendering.feed(TextDelta(self._so_far.list_sources(who, sources)))
            self._show_final(self._rendering.close())

    def interrupt(self) -> None:
        """The answer broke off: what came of it, if anything did."""
        if self._rendering and self._spoken:
            self._show_final(self._rendering.interrupt(INTERRUPTED))

    def _show_final(self, rendering: Rendering) -> None:
        """An ordinary message, where nothing was shown of it before."""
        for problem in rendering.problems:
            say(str(problem))
        if self._interims:
            show(_with_metadata(rendering.to_activity(), {"streamType": "final"}))
        else:
            show(in_messages(rendering))


def in_messages(rendering: Rendering) -> object:
    """The activity; a list of them where the answer needs several messages."""
    return rendering.to_activity() if len(rendering.parts) < 2 else list(rendering.to_activities())


def _with_metadata(activity: dict[str, object], metadata: dict[str, object]) -> dict[str, object]:
    """The activity with its place in the stream, in both forms: Web Chat reads the one, Teams the other.

    There is no ``streamId``: it is the id that the connector gives to the first piece.
    """
    entities = activity["entities"]
    info = {"type": "streaminfo", **metadata}
    return activity | {
        "entities": [*entities, info] if isinstance(entities, list) else [info],
        "channelData": metadata,
    }
