"""``render --stream``: what of an answer may be shown already, and at last all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..answer import AnswerEvent, TextDelta
from ..channels import Channel
from ..errors import CitationError
from ..label import LabelRanking
from ..read import AnswerStream
from ..render import Rendering
from ..stream import RenderingStream
from .console import CLEAN, complain, read_chunks, reason, say, show

INTERRUPTED: Final = "This answer was interrupted and may be incomplete."


def print_stream(file: str, answer: AnswerStream, channel: Channel, ranking: LabelRanking | None) -> int:
    """Print an activity for each event that has something new to show, and the final one.

    Where the answer breaks off, the final activity has what came of it; nothing is printed where
    nothing came.
    """
    rendering: RenderingStream | None = None
    interims, spoken = 0, False
    try:
        for events in _said(file, answer):
            rendering = rendering or RenderingStream(channel, dialect=answer.dialect, ranking=ranking)
            for event in events:
                rendering.feed(event)
                spoken = spoken or (isinstance(event, TextDelta) and not event.text.isspace())
            if interim := rendering.interim():
                interims += 1
                show(_interim_activity(interim, interims))
    except CitationError as error:
        if rendering and spoken:
            _show_final(rendering.interrupt(INTERRUPTED), streamed=interims > 0)
        return complain(reason(error))
    if rendering:
        _show_final(rendering.close(), streamed=interims > 0)
    return CLEAN


def _said(file: str, answer: AnswerStream) -> Iterator[tuple[AnswerEvent, ...]]:
    for received in read_chunks(file):
        yield from answer.feed(received)
        if answer.finished:
            break
    yield from answer.close()


def _interim_activity(rendering: Rendering, sequence: int) -> dict[str, object]:
    """What is shown meanwhile; Teams and Web Chat number the pieces of a stream from 1."""
    activity = rendering.to_activity() | {"type": "typing"}
    return _with_metadata(activity, {"streamType": "streaming", "streamSequence": sequence})


def _show_final(rendering: Rendering, *, streamed: bool) -> None:
    """The whole answer; an ordinary message where nothing was shown of it before."""
    for problem in rendering.problems:
        say(str(problem))
    activity = rendering.to_activity()
    show(_with_metadata(activity, {"streamType": "final"}) if streamed else activity)


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
