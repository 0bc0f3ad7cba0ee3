"""What goes wrong while an answer is being written, and what the person has in the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.app.application import DELIVERY
from bot.conversation import adapter
from bot.conversation.last_answer import RememberedAnswer
from bot.conversation.outcome import CLOSING, CRASHED, STOPPED, TOO_SLOW, Outcome, find_outcome
from bot.languages import Sentence, say, speaking
from bot.sources import SourceError
from bot.telemetry.conversation_key import ConversationKey
from citations import LabelRanking, Reference, ReferencesFound, SensitivityLabel
from tests.bot.running import logged, message, running, running_app, send
from tests.bot.scripted_source import ScriptedSource
from tests.bot.streamed_answers import FOUND, SCALED, read_message, render_whole, write_question
from tests.bot.streaming_connector import (
    EXCEEDED,
    Refusal,
    StreamingConnector,
    TeamsConnector,
    WebChatConnector,
    graph,
    metadata,
    serving,
)
from tests.bot.streaming_connector import STOPPED as STOP_PRESSED

BEGUN = "Water it [1].\n\nAnd give"
SECRETS = LabelRanking(labels=(SensitivityLabel(id="s", name="Secret", priority=1),))
SECRET = ReferencesFound((Reference(id="1", name="Source 1", url="https://example.com/1", label="s"),))
CHANNELS = [WebChatConnector, TeamsConnector]


class ModelStoppedError(SourceError):
    message = suffix = Sentence.MODEL_REFUSED_SUFFIX


@pytest.fixture
def source() -> ScriptedSource:
    return ScriptedSource()


@pytest.fixture
async def app(source: ScriptedSource) -> AsyncIterator[tuple[str, web.Application]]:
    async with running_app(source, timeouts=SCALED) as one:
        yield one


@contextlib.asynccontextmanager
async def begun(
    source: ScriptedSource, authority: str, connector: StreamingConnector, question: str = "q", **fields: Any
) -> AsyncIterator[asyncio.Task[tuple[int, str]]]:
    """A turn whose first words have been shown; after the block it ends as it should."""
    turn = asyncio.create_task(send(authority, write_question(connector, question, **fields)))
    source.tell(question, FOUND, BEGUN)
    await connector.next("streaming")
    yield turn
    assert (await turn)[0] == 201
    await source.closed(question)


async def stop_event(authority: str, connector: StreamingConnector) -> None:
    assert (await send(authority, write_question(connector, "", type="event", name="stop", id="stop")))[
        0
    ] == 201


async def stop_message(authority: str, connector: StreamingConnector) -> None:
    assert (await send(authority, write_question(connector, "Stop", id="stop")))[0] == 201


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happens to an answer; awaited if it takes a request."""

    what: str
    happens: Callable[[ScriptedSource, str, StreamingConnector], Awaitable[None] | None]
    ending: Outcome
    patience: float = SCALED.patience
    """Seconds that the bot waits for the source."""

    async def happen(self, source: ScriptedSource, bot: str, connector: StreamingConnector) -> None:
        happening = self.happens(source, bot, connector)
        if happening is not None:
            await happening


TROUBLES = [
    Trouble("the page's Stop", lambda _, bot, channel: stop_event(bot, channel), STOPPED),
    Trouble("the word stop", lambda _, bot, channel: stop_message(bot, channel), STOPPED),
    Trouble(
        "the upstream breaks off",
        lambda source, *_: source.tell("q", SourceError("cut")),
        find_outcome(SourceError()),
    ),
    Trouble(
        "the source knows why",
        lambda source, *_: source.tell("q", ModelStoppedError("cut")),
        Outcome("", ModelStoppedError.message, ModelStoppedError.suffix),
    ),
    Trouble("the source crashes", lambda source, *_: source.tell("q", ZeroDivisionError()), CRASHED),
    Trouble("the source is silent", lambda *_: None, TOO_SLOW, patience=1.0),
]
troubles = pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.what)


@pytest.mark.parametrize("kind", CHANNELS)
@troubles
async def test_what_came_stays_with_its_citations_and_one_line(
    source: ScriptedSource, kind: type[StreamingConnector], trouble: Trouble
) -> None:
    timeouts = replace(SCALED, patience=trouble.patience)
    async with serving(kind()) as connector, running_app(source, timeouts=timeouts) as (bot, application):
        async with begun(source, bot, connector):
            await trouble.happen(source, bot, connector)
        final = connector.taken[-1]
        assert connector.broken == []
        kept = await recalled(application, connector)
    assert metadata(final) == {"streamType": "final", "streamId": "a1"}
    assert read_message(final) == render_whole(f"{BEGUN}\n\n{say(trouble.ending.suffix)}", connector)
    assert [str(claim["position"]) for claim in graph(final)[0]["citation"]] == ["1"]
    assert len([activity for activity in connector.taken if activity["type"] == "message"]) == 1
    assert kept is not None
    assert (kept.text, kept.interrupted) == (final["text"], True)
    assert [citation.reference.id for citation in kept.citations] == ["1"]


@pytest.mark.parametrize("kind", CHANNELS)
@troubles
async def test_before_the_first_text_it_is_one_sentence(
    source: ScriptedSource, kind: type[StreamingConnector], trouble: Trouble
) -> None:
    timeouts = replace(SCALED, typing_after=0.01, patience=trouble.patience)
    async with serving(kind()) as connector, running_app(source, timeouts=timeouts) as (bot, application):
        turn = asyncio.create_task(send(bot, write_question(connector, "q")))
        await connector.next("informative")
        await trouble.happen(source, bot, connector)
        assert (await turn)[0] == 201
        await source.closed("q")
        final = connector.taken[-1]
        assert connector.broken == []
        assert await recalled(application, connector) is None
    assert final["text"] == say(trouble.ending.message)
    # An informative update has begun a stream, which would stay open.
    assert metadata(final) == {"streamType": "final", "streamId": "a1"}


async def test_after_the_stop_of_teams_nothing_more_is_said(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    """Who pressed Stop wants no further message: what was shown stays, with the citations it came with."""
    bot, application = app
    async with serving(TeamsConnector()) as teams:
        async with begun(source, bot, teams):
            teams.refusals["streaming"] = [STOP_PRESSED]
            source.tell("q", " it shade [2].\n\nThe")
        assert {activity["type"] for activity in teams.taken} == {"typing"}
        shown = teams.taken[-1]
        assert graph(shown)[0]["citation"]
        kept = await recalled(application, teams)
    assert kept is not None
    assert (kept.text, kept.interrupted) == (shown["text"], True)


async def test_after_the_stop_of_teams_only_a_label_is_said(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    """Pieces carry no label, and a text without its label looks like one that has none."""
    bot, application = app
    application[DELIVERY].ranking = SECRETS
    async with serving(TeamsConnector()) as teams:
        turn = asyncio.create_task(send(bot, write_question(teams, "q")))
        source.tell("q", SECRET, BEGUN)
        await teams.next("streaming")
        teams.refusals["streaming"] = [STOP_PRESSED]
        source.tell("q", " it shade.\n\nThe")
        assert (await turn)[0] == 201
        assert teams.broken == []
    last = teams.taken[-1]
    assert (last["type"], metadata(last), last["text"]) == ("message", {}, say(STOPPED.suffix))
    assert graph(last)[0]["usageInfo"]["name"] == "Secret"
    assert "citation" not in graph(last)[0]


async def test_both_messages_of_a_long_answer_have_its_label(source: ScriptedSource) -> None:
    timeouts = replace(SCALED, stream_limit=0.5)
    async with (
        serving(TeamsConnector(refusals={"edit": [Refusal(403)]})) as teams,
        running_app(source, timeouts=timeouts) as (bot, application),
    ):
        application[DELIVERY].ranking = SECRETS
        source.tell("q", SECRET, BEGUN, 1.0, " it shade [1].", None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
        assert teams.broken == []
    messages = [activity for activity in teams.taken if activity["type"] == "message"]
    assert [graph(one)[0]["usageInfo"]["name"] for one in messages] == ["Secret", "Secret"]


async def test_the_stop_of_teams_may_come_with_the_final(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    bot, application = app
    async with serving(TeamsConnector()) as teams:
        with logged() as log:
            async with begun(source, bot, teams):
                teams.refusals["final"] = [STOP_PRESSED]
                source.tell("q", " it shade.", None)
        assert {activity["type"] for activity in teams.taken} == {"typing"}
        kept = await recalled(application, teams)
    assert kept is not None
    assert (kept.text, kept.interrupted) == (teams.taken[-1]["text"], True)
    assert log.getvalue().count('"answered"') == 1


NO_STREAM = [
    Refusal(400, "Start streaming activities should include text", "BadRequest"),
    Refusal(403, "Content stream is not allowed", "ContentStreamNotAllowed"),
    Refusal(404, "unknown activity", "ActivityNotFound"),
    Refusal(405, "", "MethodNotAllowed"),
]


@pytest.mark.parametrize("refusal", NO_STREAM, ids=lambda refusal: str(refusal.status))
@pytest.mark.parametrize("taken", [0, 1])
@pytest.mark.parametrize("kind", CHANNELS)
async def test_where_the_stream_is_refused_the_whole_answer_is_one_message(
    source: ScriptedSource,
    app: tuple[str, web.Application],
    kind: type[StreamingConnector],
    taken: int,
    refusal: Refusal,
) -> None:
    bot, _ = app
    async with serving(kind()) as connector:
        connector.refusals["streaming"] = [None] * taken + [refusal]
        source.tell("q", FOUND, BEGUN, 0.2, " it shade [2].\n\nThat", 0.3, " is all.", None)
        assert (await send(bot, write_question(connector, "q")))[0] == 201
        final = next(iter(connector.edits.values()), connector.taken[-1])
    # What Teams has shown of a stream is replaced, unless this person gets no streams.
    assert bool(connector.edits) == (kind is TeamsConnector and taken == 1 and refusal.status != 403)
    assert metadata(final) == {}
    assert read_message(final) == render_whole(
        "Water it [1].\n\nAnd give it shade [2].\n\nThat is all.", connector
    )
    assert len([one for one in connector.taken if metadata(one)]) == taken
    assert len([one for one in connector.taken if one["type"] == "message"]) == (not connector.edits)


@pytest.mark.parametrize("piece", ["streaming", "final"])
@pytest.mark.parametrize("edit", [None, Refusal(400), Refusal(404)])
async def test_after_the_time_of_a_stream_the_answer_takes_its_place(
    source: ScriptedSource, app: tuple[str, web.Application], piece: str, edit: Refusal | None
) -> None:
    bot, _ = app
    async with serving(TeamsConnector()) as teams:
        teams.refusals = {piece: [None] * (piece == "streaming") + [EXCEEDED], "edit": [edit]}
        source.tell("q", FOUND, BEGUN, 0.3, " it shade [2].", None)
        assert (await send(bot, write_question(teams, "q")))[0] == 201
    messages = [one for one in teams.taken if one["type"] == "message"]
    [final] = messages if edit else teams.edits.values()
    assert len(messages) + len(teams.edits) == 1
    assert read_message(final) == render_whole("Water it [1].\n\nAnd give it shade [2].", teams)


LATER = [
    ("a moment", {"streaming": [None, Refusal(429, "wait", retry_after=0)]}),
    ("for the channel to say when", {"streaming": [None, Refusal(429, "wait")]}),
    ("longer than is bearable", {"streaming": [None, Refusal(429, "wait", retry_after=86400)]}),
    ("for a server that fails once", {"streaming": [None, Refusal(502)]}),
    ("for a server that fails", {"streaming": [None, Refusal(500), Refusal(500), Refusal(500)]}),
    ("with the final", {"final": [Refusal(429, "wait", retry_after=0), Refusal(503)]}),
    ("because a piece is too large", {"streaming": [None, Refusal(413)]}),
    ("because Teams calls it so", {"streaming": [None, Refusal(403, "Message size too large")]}),
]


@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize(("why", "refusals"), LATER)
async def test_a_piece_that_must_wait_loses_nothing(
    source: ScriptedSource,
    app: tuple[str, web.Application],
    kind: type[StreamingConnector],
    why: str,
    refusals: dict[str, list[Refusal | None]],
) -> None:
    bot, _ = app
    async with serving(kind()) as connector:
        connector.refusals = {name: list(answers) for name, answers in refusals.items()}
        source.tell("q", FOUND, BEGUN, 0.2, " it shade [2].\n\nThat", 0.4, " is", 0.2, " all.", None)
        assert (await send(bot, write_question(connector, "q")))[0] == 201
        final = connector.taken[-1]
        assert connector.broken == []
        assert not any(connector.refusals.values())
    assert metadata(final) == {"streamType": "final", "streamId": "a1"}
    assert read_message(final) == render_whole(
        "Water it [1].\n\nAnd give it shade [2].\n\nThat is all.", connector
    )


async def test_a_refused_piece_is_shown_although_nothing_new_comes(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    bot, _ = app
    async with serving(WebChatConnector()) as connector:
        connector.refusals["streaming"] = [Refusal(429, "wait", retry_after=0)]
        async with begun(source, bot, connector):
            assert metadata(connector.taken[-1])["streamSequence"] == 1
            source.tell("q", None)


async def test_a_final_that_is_too_large_goes_without_its_graph(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    bot, _ = app
    async with serving(WebChatConnector()) as connector:
        connector.refusals["final"] = [Refusal(413)]
        async with begun(source, bot, connector):
            source.tell("q", " it shade.", None)
        final = connector.taken[-1]
    assert metadata(final)["streamType"] == "final"
    assert read_message(final) == (render_whole(f"{BEGUN} it shade.", connector)[0], [])


@pytest.mark.parametrize("kind", CHANNELS)
async def test_a_piece_that_is_never_answered_is_not_waited_for(
    source: ScriptedSource, kind: type[StreamingConnector]
) -> None:
    """The final goes out; whether the piece has been taken, nobody knows."""
    async with running(source, timeouts=replace(SCALED, sending=1.0)) as bot, serving(kind()) as connector:
        async with begun(source, bot, connector):
            connector.hanging = 1
            source.tell("q", " it shade [2].\n\nThat", 0.6, " is all.", None)
            await connector.next("final")
        final = connector.taken[-1]
    assert read_message(final) == render_whole(
        "Water it [1].\n\nAnd give it shade [2].\n\nThat is all.", connector
    )


async def test_stop_is_a_question_where_nothing_is_under_way(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    bot, _ = app
    source.tell("stop", "A stop is a place where buses halt.", None)
    async with serving(WebChatConnector()) as connector:
        await stop_event(bot, connector)
        assert (await send(bot, write_question(connector, "stop")))[0] == 201
    assert [activity["text"] for activity in connector.taken] == ["A stop is a place where buses halt."]


async def test_stop_is_for_this_conversation(source: ScriptedSource) -> None:
    source.tell("stop", "A stop is a place where buses halt.", None)
    async with running(source, timeouts=SCALED) as bot, serving(WebChatConnector()) as connector:
        async with begun(source, bot, connector):
            await send(
                bot, write_question(connector, "", type="event", name="stop", id="s", conversation="c2")
            )
            assert (await send(bot, write_question(connector, "stop", conversation="c2")))[0] == 201
            source.tell("q", " it shade.", None)
        assert connector.of("c1")[-1]["text"].startswith(f"{BEGUN} it shade.")


@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("locale", ["en", "de"])
async def test_what_was_stopped_is_told_in_the_order_of_the_questions(
    source: ScriptedSource, kind: type[StreamingConnector], locale: str
) -> None:
    async with (
        running_app(source, timeouts=SCALED) as (bot, application),
        serving(kind()) as connector,
        begun(source, bot, connector, locale=locale),
    ):
        waiting = [
            asyncio.create_task(send(bot, write_question(connector, one, locale=locale))) for one in "rs"
        ]
        async with asyncio.timeout(60):
            while application[DELIVERY].queue.waiting < 2:
                await asyncio.sleep(0.01)
        await send(bot, write_question(connector, "stop", locale=locale))
        await asyncio.gather(*waiting)
    told = [one["text"] for one in connector.taken if one["type"] == "message"]
    with speaking(locale):
        assert say(STOPPED.suffix) in told[0]
        assert told[1:] == [say(STOPPED.message)]


STOPPERS = [("the one who asked", "u1", "You stopped"), ("somebody else", "u2", "shade")]


@pytest.mark.parametrize(("who", "user", "end"), STOPPERS)
async def test_in_a_group_only_who_asked_may_stop(
    source: ScriptedSource, app: tuple[str, web.Application], who: str, user: str, end: str
) -> None:
    bot, _ = app
    group = {"id": "c1", "conversationType": "groupChat", "isGroup": True}
    async with serving(TeamsConnector(groups=frozenset({"c1"}))) as teams:
        turn = asyncio.create_task(send(bot, {**write_question(teams, "q"), "conversation": group}))
        source.tell("q", FOUND, BEGUN, 0.5, " it shade.", None)
        stop = message(teams.service_url, "", type="event", name="stop", channelId="msteams", id="s")
        await asyncio.sleep(0.1)
        await send(bot, {**stop, "conversation": group, "from": {"id": user}})
        assert (await turn)[0] == 201
    assert end in teams.taken[-1]["text"]


@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("in_request", [True, False])
async def test_an_ending_application_ends_its_streams(
    source: ScriptedSource, kind: type[StreamingConnector], in_request: bool
) -> None:
    timeouts = replace(SCALED, budget=60 if in_request else 0.3, farewell=1)
    async with serving(kind()) as connector, running_app(source, timeouts=timeouts) as (bot, application):
        async with begun(source, bot, connector) as turn:
            if not in_request:
                await turn
            await application[DELIVERY].drain(1)
        final = connector.taken[-1]
        kept = await recalled(application, connector)
        assert connector.broken == []
    assert read_message(final) == render_whole(f"{BEGUN}\n\n{say(CLOSING.suffix)}", connector)
    assert kept is not None
    assert kept.interrupted


async def test_an_ending_application_lets_answers_be_finished(
    source: ScriptedSource, app: tuple[str, web.Application]
) -> None:
    bot, application = app
    async with serving(WebChatConnector()) as connector:
        async with begun(source, bot, connector):
            draining = asyncio.create_task(application[DELIVERY].drain(60))
            source.tell("q", " it shade.", None)
            await draining
        assert connector.taken[-1]["text"].startswith(f"{BEGUN} it shade.")


async def test_a_stream_goes_on_where_no_turn_can_be_opened_for_it(
    source: ScriptedSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(adapter.Adapter, "continue_conversation", refuse)
    timeouts = replace(SCALED, budget=0.3)
    async with (
        serving(WebChatConnector()) as connector,
        running_app(source, timeouts=timeouts) as (bot, _),
        begun(source, bot, connector) as turn,
    ):
        await turn
        source.tell("q", " it shade.", None)
        final = await connector.next("final")
    assert read_message(final) == render_whole(f"{BEGUN} it shade.", connector)


async def test_a_cancelled_turn_is_remembered(source: ScriptedSource) -> None:
    timeouts = replace(SCALED, farewell=0)
    async with (
        serving(WebChatConnector()) as connector,
        running_app(source, timeouts=timeouts) as (bot, application),
    ):
        turn = asyncio.create_task(send(bot, write_question(connector, "q")))
        source.tell("q", FOUND, BEGUN)
        await connector.next("streaming")
        # The second piece is sent when the first is known to have been taken.
        source.tell("q", " it shade [2].\n\nThat")
        await connector.next("streaming", after=2)
        await application[DELIVERY].drain(0)
        with contextlib.suppress(aiohttp.ServerDisconnectedError):
            await turn
        await source.closed("q")
        kept = await recalled(application, connector)
    assert kept is not None
    assert kept.interrupted
    assert kept.text.startswith("Water it [1].")


async def recalled(application: web.Application, connector: StreamingConnector) -> RememberedAnswer | None:
    kept: RememberedAnswer | None = await application[DELIVERY].memory.recall(
        ConversationKey(connector.channel_id, "c1")
    )
    return kept


async def test_a_source_is_not_read_on_when_the_end_of_its_stream_is_lost(source: ScriptedSource) -> None:
    refusals: dict[str, list[Refusal | None]] = {
        kind: [Refusal(400)] * 2 for kind in ("final", "message", "edit")
    }
    async with (
        serving(TeamsConnector(refusals=refusals)) as connector,
        running_app(source, timeouts=SCALED) as (bot, _),
    ):
        turn = asyncio.create_task(send(bot, write_question(connector, "q")))
        source.tell("q", FOUND, BEGUN)
        assert (await turn)[0] == 502
        await source.closed("q")
