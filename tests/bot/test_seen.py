"""What was taken up already, for how long, and how much of it is kept."""

from __future__ import annotations

from bot.seen import Seen


def test_a_key_is_first_once_within_its_lifetime() -> None:
    now = [0.0]
    seen = Seen(lifetime=10, clock=lambda: now[0])
    assert seen.first("a")
    assert not seen.first("a")
    now[0] = 9.9
    assert not seen.first("a")
    now[0] = 10
    assert seen.first("a")


def test_a_forgotten_key_is_first_again() -> None:
    seen = Seen()
    assert seen.first("a")
    seen.forget("a")
    assert seen.first("a")


def test_the_oldest_make_room() -> None:
    seen = Seen(capacity=3)
    assert [seen.first(key) for key in "abcd"] == [True] * 4
    assert not seen.first("d")
    assert seen.first("a")
