"""The log: events with ids, counts and timings, and nothing that anyone wrote."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import aiohttp
import pytest

from bot.telemetry.log import logger
from citations.text import printable
from tests.bot.running import connecting, logged, message, running, send
from tests.bot.table_source import TableSource


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    with logged() as stream:
        yield stream


async def test_no_word_of_anyone_is_logged(log: io.StringIO) -> None:
    canary = "canary-question about a fern"
    async with connecting() as connector, running(TableSource()) as bot:
        for text in (canary, "fail", "crash"):
            await send(bot, message(connector.service_url, text, **{"from": {"id": "canary-user"}}))
        await send(bot, message(connector.service_url, canary))
        connector.status = 500
        await send(bot, message(connector.service_url, canary, id="other"))
    written = log.getvalue()
    assert "canary" not in written
    assert "twice a week" not in written
    assert "plants.md" not in written
    events = [json.loads(line) for line in written.splitlines()]
    names = [event["event"] for event in events]
    assert names.count("answered") == 2
    assert names.count("duplicate") == 1
    assert names.count("source failed") == 1
    assert names.count("answer failed") == 1
    assert "turn failed" in names
    answered = next(event for event in events if event["event"] == "answered")
    assert (answered["citations"], answered["references"], answered["channel"]) == (2, 2, "directline")
    crashed = next(event for event in events if event["event"] == "answer failed")
    assert crashed["cause"].startswith("ZeroDivisionError at table_source.py:")


async def test_the_events_of_a_turn_share_the_end_of_its_activitys_id(log: io.StringIO) -> None:
    source = TableSource()
    async with connecting() as connector, running(source) as bot, aiohttp.ClientSession() as session:
        # One connection for all: what a request leaves behind must not be the next one's.
        for text, number in (("slow", "c1|0000001"), ("fail", "c1|0000002"), ("a fern", "c1|0000003")):
            source.gate.set()
            body = message(connector.service_url, text, id=number)
            async with session.post(f"http://{bot}/api/messages", json=body) as response:
                assert response.status == 201
        async with session.get(f"http://{bot}/readyz") as response:
            assert response.status == 200
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    by_activity = {one["activity"]: one["event"] for one in events if "activity" in one}
    assert by_activity == {"|0000001": "answered", "|0000002": "not answered", "|0000003": "answered"}
    assert [one["event"] for one in events if one.get("activity") == "|0000002"] == [
        "source failed",
        "not answered",
    ]
    assert "activity" not in events[0]
    assert "activity" not in events[-1]


async def test_a_conversation_has_no_number_that_one_could_call(log: io.StringIO) -> None:
    """On SMS its id is the person's telephone number (Azure Bot Service, Twilio)."""
    async with connecting() as connector, running(TableSource()) as bot:
        sms = {"channelId": "sms", "conversation": {"id": "+15551230987"}, "from": {"id": "+15551230987"}}
        for number, text in enumerate(("a fern", "fail", "a fern")):
            await send(bot, message(connector.service_url, text, id=f"q{number % 2}", **sms))
    events = [json.loads(line) for line in log.getvalue().splitlines()]
    conversations = {one["conversation"] for one in events if "conversation" in one}
    assert len(conversations) == 1
    assert {one["event"] for one in events} >= {"answered", "source failed", "duplicate"}
    assert "555123" not in log.getvalue()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


NAMES = [
    ("a.md", "a.md"),
    ("Ünï çödé \N{HERB}.md", "Ünï çödé \N{HERB}.md"),
    ("a\x1b[2J.md", "a\\x1b[2J.md"),
    ("a\nError: b.md", "a\\nError: b.md"),
    ("a\r.md", "a\\r.md"),
    ("a\x9b31m.md", "a\\x9b31m.md"),
    ("a\u202edm.exe", "a\\u202edm.exe"),
    ("a\u2028b.md", "a\\u2028b.md"),
    ("a\udc80.md", "a\\udc80.md"),
]


@pytest.mark.parametrize(("name", "shown"), NAMES)
def test_a_files_name_does_nothing_to_a_terminal(name: str, shown: str) -> None:
    assert printable(name) == shown
    terminal = Terminal()
    with logged(terminal):
        logging.getLogger("plain").warning("skipped %s: it is damaged", name)
        logger("bound").warning("skipped", path=name)
    plain, bound, end = terminal.getvalue().split("\n")
    colours = re.compile(r"\x1b\[[0-9;]*m")
    assert f"skipped {shown}: it is damaged" in colours.sub("", plain)
    assert f"path={shown}" in colours.sub("", bound).replace("'", "").replace("\\\\", "\\")
    assert end == ""


def test_a_terminal_has_the_time_and_the_event_and_a_level_from_a_warning_on() -> None:
    terminal = Terminal()
    with logged(terminal):
        logger("bot.app").info("source opened", documents=9, activity="|0000001", conversation="a1b2")
        logger("bot.app").warning("model refused")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()).splitlines()
    assert [re.sub(r"^\d\d:\d\d:\d\d ", "", line) for line in lines] == [
        "source opened documents=9",
        "[warning] model refused",
    ]


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_without_colours_gets_none(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    terminal = Terminal()
    with logged(terminal):
        logger("bot.app").warning("model refused", status=401)
    assert terminal.getvalue().endswith("[warning] model refused status=401\n")


def test_a_traces_lines_stay_lines() -> None:
    terminal = Terminal()
    with logged(terminal):
        try:
            raise ValueError
        except ValueError:
            logging.getLogger("plain").exception("failed")
    assert "\nTraceback" in terminal.getvalue()


def test_chatty_libraries_are_quiet(log: io.StringIO) -> None:
    logging.getLogger("msrest.universal_http").info("headers and bodies")
    logging.getLogger("aiohttp.access").info("GET /stream?t=token")
    logging.getLogger("somebody").warning("a warning")
    assert [json.loads(line)["event"] for line in log.getvalue().splitlines()] == ["a warning"]
