"""The line of a wait: on a terminal alone, after a second, and gone at the end."""

from __future__ import annotations

import io
import time

import pytest

from bot.telemetry import wait_line
from bot.telemetry.wait_line import show_wait


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wait_line, "_SILENT", 0.0)
    monkeypatch.setattr(wait_line, "_STEP", 0.001)


def wait_on(stream: io.StringIO, text: str) -> str:
    with show_wait(lambda: text, stream):
        time.sleep(0.05)
    return stream.getvalue()


def test_a_terminal_shows_what_is_waited_for_and_then_nothing() -> None:
    shown = wait_on(Terminal(), "npm downloads Web Chat\x1b[2J " + "x" * 200).split("\r")
    assert shown[1].startswith("npm downloads Web Chat\\x1b[2J xxx")
    assert shown[1].endswith("x … 0 s")
    assert {len(line) for line in shown if line} == {79}
    assert not shown[-2].strip()
    assert shown[-1] == ""


def test_a_log_gets_no_such_line() -> None:
    assert wait_on(io.StringIO(), "npm downloads Web Chat") == ""


def test_a_short_wait_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wait_line, "_SILENT", 60.0)
    assert wait_on(Terminal(), "npm downloads Web Chat") == ""
