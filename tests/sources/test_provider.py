"""What all sources share: what a status means, when to ask again, and when to leave alone."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.languages import say
from bot.resilience.breaker import Breaker, retry_after
from bot.sources.errors import (
    AnswerCut,
    AnswerFiltered,
    AnswerTooLong,
    KeyRefused,
    NotFoundAtSource,
    SourceBrokeOff,
    SourceBusy,
    SourceError,
    SourcePaused,
    SourceRefused,
    SourceTimedOut,
    SourceUnavailable,
)
from bot.sources.model_writer import RefusedError
from bot.sources.provider import Provider, ProviderClient, status_error
from citations import AnswerFormatError
from tests.refusing_proxy import refusing_proxy

FAMILY = [SourceError, SourceUnavailable, SourceBusy, SourcePaused, SourceBrokeOff, SourceRefused, KeyRefused, NotFoundAtSource, SourceTimedOut, AnswerTooLong, AnswerCut, AnswerFiltered]  # fmt: skip


@pytest.mark.parametrize("kind", FAMILY)
def test_each_has_whole_sentences_for_the_person(kind: type[SourceError]) -> None:
    for sentence in (say(kind.message), say(kind.suffix)):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
    assert say(kind.suffix).startswith("This answer is not complete: ")


STATUSES: list[tuple[str, type[SourceError], bool]] = [
    # status, what it means, whether asking again may help
    ("301 302 307 308", NotFoundAtSource, False),
    ("400 405 406 410 413 415 422 451", SourceRefused, False),
    ("401 402 403", KeyRefused, False),
    ("404", NotFoundAtSource, False),
    ("408 409 425", SourceUnavailable, True),
    ("429 529", SourceBusy, True),
    ("500 502 503 504", SourceUnavailable, True),
    ("501 505 507 520 204 206", SourceUnavailable, False),
]


@pytest.mark.parametrize(("statuses", "kind", "transient"), STATUSES)
def test_what_a_status_means(statuses: str, kind: type[SourceError], transient: bool) -> None:
    for status in map(int, statuses.split()):
        error = status_error(status)
        assert type(error) is kind
        assert getattr(error, "transient", False) == transient
        assert f"status {status}" in str(error)


def test_who_runs_the_bot_reads_what_a_refusal_is_about() -> None:
    assert str(status_error(402)) == "it wants to be paid first (status 402)"
    assert str(status_error(403)) == "it refuses the key (status 403)"
    assert str(status_error(400, body=b"API key not valid.")) == "it refuses the key (status 400)"
    assert str(status_error(404, body=b"model: m")) == "it has no model of this name, or not for this key"
    assert str(status_error(400, body=b"a model of a request")) == "it answered with status 400"


WAITS = [
    ("0", 0),
    ("120", 120),
    ("", None),
    (None, None),
    ("soon", None),
    ("-1", None),
    ("1.5", None),
    ("٣", None),
]


@pytest.mark.parametrize(("value", "seconds"), WAITS)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


@pytest.mark.parametrize("ahead", [-3600, 90])
def test_retry_after_a_date(ahead: int) -> None:
    date = datetime.now(UTC) + timedelta(seconds=ahead)
    assert retry_after(format_datetime(date, usegmt=True)) == pytest.approx(max(0, ahead), abs=5)


# Asking again


class Asked:
    """Fails with these, one after the other, and then answers."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.count = 0

    async def __call__(self) -> str:
        self.count += 1
        if self.errors:
            raise self.errors.pop(0)
        return "an answer"


def passing(after: float | None = 0.0) -> SourceUnavailable:
    return SourceUnavailable("503", transient=True, after=after)


async def test_at_most_two_retries() -> None:
    async with Provider(name="u").exchange() as exchange:
        assert await exchange.open(Asked(passing(), passing())) == "an answer"
        asked = Asked(*[passing()] * 5)
        with pytest.raises(SourceUnavailable):
            await exchange.open(asked)
    assert asked.count == 3


GIVEN_UP = [
    SourceUnavailable("501"),
    SourceRefused("400"),
    KeyRefused("401"),
    SourceTimedOut("slow"),
    AnswerFormatError("no JSON"),
    passing(after=11.0),  # longer than anybody waits
    ValueError("a fault of ours"),
]


@pytest.mark.parametrize("error", GIVEN_UP, ids=repr)
async def test_what_is_not_tried_again(error: Exception) -> None:
    asked = Asked(error)
    async with Provider(name="u").exchange() as exchange:
        with pytest.raises(type(error)):
            await exchange.open(asked)
    assert asked.count == 1


async def test_a_pause_that_does_not_fit_into_the_deadline_is_not_made() -> None:
    asked = Asked(passing(after=3.0))
    async with Provider(name="u", deadline=2.0).exchange() as exchange:
        with pytest.raises(SourceUnavailable):
            await exchange.open(asked)
    assert asked.count == 1


async def test_the_deadline_is_for_all_waiting_and_only_for_waiting() -> None:
    async with Provider(name="u", deadline=0.4, patience=10).exchange() as exchange:
        await exchange.next(asyncio.sleep(0.01))
        await asyncio.sleep(0.5)  # a reader takes its time
        await exchange.next(asyncio.sleep(0.01))
        with pytest.raises(SourceTimedOut):
            await exchange.next(asyncio.sleep(30))


# What is known of it


async def test_facts_tell_what_the_last_question_has_shown() -> None:
    provider = Provider(name="u", breaker=Breaker(failures=2))

    async def ask(error: BaseException | None) -> str:
        with pytest.raises(type(error)) if error else contextlib.nullcontext():
            async with provider.exchange():
                if error:
                    raise error
        return str(provider.facts()["answers"])

    assert provider.facts() == {"source": "u", "answers": "not asked yet"}
    assert await ask(asyncio.CancelledError()) == "not asked yet"
    assert await ask(None) == "yes"
    assert await ask(SourceUnavailable("it answered with status 503")) == "no: it answered with status 503"
    assert await ask(SourceRefused("it answered with status 422")) == "yes"
    assert await ask(RefusedError("the model refused to answer")) == "yes"
    assert await ask(AnswerCut("the model has written as much as it may")) == "yes"
    assert await ask(AnswerFiltered("a filter stopped the model")) == "yes"
    assert await ask(NotFoundAtSource("it answered with status 404")) == "no: it answered with status 404"
    assert await ask(KeyRefused("it refuses the key (status 401)")) == "no: it refuses the key (status 401)"
    assert await ask(AnswerFormatError("wk-secret")) == "no: what it sends is no answer"
    assert await ask(SourceTimedOut("no answer in the time for it")) == (
        "no: no answer in the time for it, and is left alone for a while"
    )


# The breaker


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_breaker_opens_waits_probes_and_closes() -> None:
    clock = Clock()
    breaker = Breaker(failures=3, pause=30, clock=clock)
    for _ in range(3):
        assert breaker.enter()
        breaker.note_failure()
    assert not breaker.enter()
    clock.now += 29.9
    assert not breaker.enter()
    clock.now += 0.2
    assert breaker.enter(), "the probe"
    assert not breaker.enter(), "one probe at a time"
    breaker.note_failure()
    assert not breaker.enter(), "another pause"
    clock.now += 30
    assert breaker.enter()
    breaker.note_hangup()
    assert breaker.enter(), "who hung up on the probe leaves it to the next"
    breaker.note_success()
    assert breaker.enter()
    assert breaker.enter()


def test_failures_count_only_in_a_row() -> None:
    breaker = Breaker(failures=3)
    for _ in range(5):
        breaker.note_failure()
        breaker.note_failure()
        breaker.note_success()
    assert not breaker.open


@given(st.lists(st.sampled_from(["enter", "note_failure", "note_success", "note_hangup", "wait"])))
def test_whatever_happens_it_lets_somebody_through_again(steps: list[str]) -> None:
    clock = Clock()
    breaker = Breaker(failures=2, pause=30, clock=clock)
    entered = 0
    for step in steps:
        if step == "wait":
            clock.now += 20
        elif step == "enter":
            entered += breaker.enter()
        elif entered:
            entered -= 1
            getattr(breaker, step)()
    for _ in range(entered):  # everybody who entered comes out in the end
        breaker.note_hangup()
    clock.now += 30
    assert breaker.enter()


# The way to it


async def test_a_provider_is_asked_through_the_proxy_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    client = ProviderClient("https://api.example.com", "sk-0")
    async with refusing_proxy(monkeypatch, "403 Forbidden") as heads:
        with pytest.raises(SourceUnavailable, match="it can't be reached"):
            await client.fetch("GET", "/v1/models")
    await client.close()
    assert [head.splitlines()[0] for head in heads] == ["CONNECT api.example.com:443 HTTP/1.1"]


async def test_a_key_that_no_header_can_have_is_refused() -> None:
    """A file of keys may have a second line; aiohttp raises ``ValueError`` for it."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    client = ProviderClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "sk-1\nsk-2")
    async with server:
        with pytest.raises(KeyRefused, match="line break"):
            await client.fetch("GET", "/v1/models")
        await client.close()
