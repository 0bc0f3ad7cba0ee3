"""What holds of every stream, whatever is told in which order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from citations import (
    Answer,
    Rendering,
)

from .agreement import assert_text_and_graph_agree
from .streams import (
    Watched,
    badges,
    events,
    finished,
    pieces,
    unwatched,
    watch,
)


@contextmanager
def about(watched: Watched) -> Iterator[None]:
    """Say what was told and shown where something fails."""
    try:
        yield
    except AssertionError as error:
        error.add_note(str(watched))
        raise


def assert_sound(watched: Watched) -> None:
    """What holds of every stream, whatever is told in which order."""
    if watched.channel_id == "msteams":
        _assert_extended(watched)
    else:
        _assert_replaced(watched)


def _assert_extended(watched: Watched) -> None:
    shown = [interim.text for interim in watched.interims]
    for text, extended in pairwise([*shown, watched.final.text]):
        assert extended.startswith(text), (text, extended)
    names: dict[object, object] = {}
    for rendering in (*watched.interims, watched.final):
        claims = _claims(rendering)
        assert len({claim["position"] for claim in claims}) == len(claims)
        for claim in claims:
            assert str(claim["position"]) in badges(rendering.text), rendering
            assert (
                names.setdefault(claim["position"], claim["appearance"]["name"])
                == claim["appearance"]["name"]
            )


def _assert_replaced(watched: Watched) -> None:
    destinations: dict[str, str] = {}
    shown = watched.interims
    for rendering in (*shown[:: len(shown) // 50 + 1], watched.final):
        for number, destination in assert_text_and_graph_agree(rendering).items():
            assert destinations.setdefault(number, destination) == destination, "a number was given anew"


def _claims(rendering: Rendering) -> list[dict[str, dict[str, object]]]:
    found = rendering.entities[0].get("citation", []) if rendering.entities else []
    assert isinstance(found, list)
    return found


def assert_ends_as_finished(watched: Watched, answer: Answer, whole: Rendering) -> None:
    with about(watched):
        assert watched.final == whole
        assert_sound(watched)


def assert_any_stream_is_sound(answer: Answer, channel_id: str, cuts: list[float], late: float) -> None:
    """A stream ends as the finished answer, and takes nothing back."""
    told = pieces(answer.text, (round(cut * len(answer.text)) for cut in cuts))
    first = watch(channel_id, events(answer, told), answer)
    assert_ends_as_finished(first, answer, finished(channel_id, answer))
    before = round(late * len(told))
    between = watch(channel_id, events(answer, told, before), answer)
    whole = unwatched(channel_id, answer, len("".join(told[:before])))
    assert_ends_as_finished(between, answer, whole)
