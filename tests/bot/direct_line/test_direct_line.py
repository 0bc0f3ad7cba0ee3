"""The local Direct Line service over plain HTTP and a plain WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from yarl import URL

from bot.config.timeouts import Timeouts
from bot.direct_line.conversation import Conversation, LocalConversations
from bot.direct_line.tokens import LIFETIME, Grant, Tokens
from tests.bot.direct_line_client import Client
from tests.bot.running import OVERTAKEN, running
from tests.bot.table_source import TableSource

WATER = "How often should I water a fern?"


@pytest.fixture
def source() -> TableSource:
    return TableSource()


@pytest.fixture
async def client(source: TableSource) -> AsyncIterator[Client]:
    async with running(source) as authority, aiohttp.ClientSession() as session:
        yield Client(session, authority)


async def frames(socket: aiohttp.ClientWebSocketResponse, words: str) -> list[dict[str, Any]]:
    """The activities that arrive, up to one that has these words."""
    found: list[dict[str, Any]] = []
    while not any(words in activity.get("text", "") for activity in found):
        frame = await socket.receive_json(timeout=60)
        assert isinstance(frame["watermark"], str)
        assert frame["watermark"]
        found += frame["activities"]
    return found


async def test_a_conversation_by_polling(client: Client) -> None:
    begun = await client.start()
    assert begun["conversationId"] == client.conversation
    await client.until("Hello")
    status, said = await client.say(
        WATER, channelData={"clientActivityID": "c-1"}, localTimestamp="2026-01-02T03:04:05+01:00"
    )
    assert status == 200
    activities = await client.until("twice a week")
    echo = next(activity for activity in activities if activity.get("text") == WATER)
    # A client takes the echo, by its own id, for the proof of sending.
    assert echo["id"] == said["id"]
    assert echo["channelData"] == {"clientActivityID": "c-1"}
    assert echo["from"] == {"id": "u1", "role": "user"}
    answer = activities[-1]
    assert answer["from"]["role"] == "bot"
    assert answer["entities"][0]["citation"][0]["appearance"]["text"]
    assert answer["timestamp"].endswith("Z")
    assert "serviceUrl" not in answer
    assert len({activity["id"] for activity in activities}) == len(activities)


async def test_polling_goes_on_after_the_watermark(client: Client) -> None:
    await client.start()
    await client.until("Hello")
    before, watermark = await client.poll()
    assert (await client.poll(watermark))[0] == []
    await client.say(WATER)
    after, _ = await client.poll(watermark)
    assert after[0]["text"] == WATER
    assert {activity["id"] for activity in before}.isdisjoint(activity["id"] for activity in after)
    assert (await client.poll("nonsense"))[0] == before + after


async def test_a_conversation_over_a_socket(client: Client) -> None:
    begun = await client.start()
    async with client.session.ws_connect(begun["streamUrl"]) as socket:
        await frames(socket, "Hello")
        await socket.send_str("")  # the client's sign of life
        await client.say(WATER)
        assert (await frames(socket, "twice a week"))[0]["text"] == WATER


async def test_a_lost_socket_misses_nothing_and_repeats_nothing(client: Client, source: TableSource) -> None:
    begun = await client.start()
    async with client.session.ws_connect(begun["streamUrl"]) as socket:
        await frames(socket, "Hello")
    _, watermark = await client.poll()
    await client.say(WATER)
    path = f"/conversations/{client.conversation}?watermark={watermark}"
    status, again = await client.call("GET", path)
    assert status == 200
    async with client.session.ws_connect(again["streamUrl"]) as socket:
        missed = await frames(socket, "twice a week")
        assert [activity["text"][:5] for activity in missed if activity["type"] == "message"] == [
            "How o",
            "Water",
        ]
        await client.say("And the cup?")
        assert "Water" not in json.dumps(await frames(socket, "found nothing"))


async def test_started_twice_is_greeted_once(client: Client) -> None:
    await client.start()
    status, again = await client.call("POST", "/conversations")
    assert (status, again["conversationId"]) == (200, client.conversation)
    await client.until("Hello")
    await client.say(WATER)
    activities = await client.until("twice a week")
    assert sum("Hello" in activity.get("text", "") for activity in activities) == 1


async def test_a_token_opens_its_own_conversation_only(client: Client) -> None:
    await client.start()
    first, token = client.conversation, client.token
    await client.start()
    path = f"/conversations/{first}/activities"
    assert (await client.call("GET", path))[0] == 403
    assert (await client.call("GET", path, token=""))[0] == 401
    assert (await client.call("GET", path, token="garbage"))[0] == 403
    assert (await client.call("GET", path, token=Tokens().mint(Grant(first, "u1"))))[0] == 403
    assert (await client.call("GET", path, token=token))[0] == 200
    assert (await client.call("GET", f"/conversations/{first}/stream?t={client.token}", token=""))[0] == 403
    status, refreshed = await client.call("POST", "/tokens/refresh", token=token)
    assert status == 200
    assert (await client.call("GET", path, token=refreshed["token"]))[0] == 200


async def test_a_conversation_that_was_not_started_is_404(client: Client) -> None:
    _, generated = await client.call("POST", "/tokens/generate")
    path = f"/conversations/{generated['conversationId']}/activities"
    assert (await client.call("GET", path, token=generated["token"]))[0] == 404


PATHS = [
    ("GET", "/v3/directline/conversations/{}"),
    ("GET", "/v3/directline/conversations/{}/stream"),
    ("GET", "/v3/directline/conversations/{}/activities"),
    ("POST", "/v3/directline/conversations/{}/activities"),
    ("POST", "/v3/directline/conversations/{}/upload"),
    ("POST", "/v3/conversations/{}/activities"),
    ("GET", "/v3/conversations/{}/members"),
    ("GET", "/v3/conversations/{}/pagedmembers"),
    ("POST", "/v3/conversations/{c}/activities/{}"),
    ("PUT", "/v3/conversations/{c}/activities/{}"),
    ("DELETE", "/v3/conversations/{c}/activities/{}"),
    ("GET", "/v3/conversations/{c}/members/{}"),
]


@pytest.mark.parametrize("name", ["%2e", "%2E%2e", "%252e%252e", "a%00b", "a%250d%250ab"])
@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_an_id_that_leads_elsewhere_is_refused(
    client: Client, method: str, path: str, name: str
) -> None:
    await client.start()
    url = URL(f"http://{client.authority}{path.format(name, c=client.conversation)}", encoded=True)
    headers = {"Authorization": f"Bearer {client.token}"}
    async with client.session.request(method, url, json={"type": "message"}, headers=headers) as response:
        assert response.status == 400
        assert (await response.json())["error"]["code"] == "BadArgument"


async def test_who_speaks_is_what_the_token_says(client: Client, source: TableSource) -> None:
    await client.start(user="u1")
    await client.say(WATER, **{"from": {"id": "someone else", "name": "Ada", "role": "bot"}})
    echo = next(activity for activity in (await client.poll())[0] if activity.get("text") == WATER)
    assert echo["from"] == {"id": "u1", "role": "user", "name": "Ada"}


BAD = [
    ("[]", 400),
    ("{", 400),
    ('{"text": "x"}', 400),
    (json.dumps({"type": "message", "text": "x" * 300_000}), 413),
]


@pytest.mark.parametrize(("body", "expected"), BAD)
async def test_what_is_no_activity_is_refused(client: Client, body: str, expected: int) -> None:
    await client.start()
    url = f"http://{client.authority}/v3/directline/conversations/{client.conversation}/activities"
    headers = {"Authorization": f"Bearer {client.token}", "Content-Type": "application/json"}
    async with client.session.post(url, data=body, headers=headers) as response:
        assert response.status == expected


async def test_an_upload_is_refused_whatever_it_is(client: Client) -> None:
    await client.start()
    form = aiohttp.FormData()
    form.add_field("file", b"\x89PNG" * 1_000_000, content_type="image/png", filename="photo.png")
    url = f"http://{client.authority}/v3/directline/conversations/{client.conversation}/upload?userId=u1"
    headers = {"Authorization": f"Bearer {client.token}"}
    async with client.session.post(url, data=form, headers=headers) as response:
        assert response.status == 415
        assert (await response.json())["error"]["code"] == "UnsupportedMediaType"
    assert not [one for one in (await client.poll())[0] if one["from"]["role"] == "user"]


async def test_a_conversation_is_copied_and_deleted(client: Client) -> None:
    await client.start()
    await client.until("Hello")
    await client.say(WATER)
    _, asked, answer = [one for one in await client.until("twice a week") if one["type"] == "message"]
    page = f"/page/conversations/{client.conversation}"

    async def copy(**query: str) -> tuple[int, str]:
        url = URL(f"http://{client.authority}{page}/markdown").with_query(query)
        headers = {"Authorization": f"Bearer {client.token}"}
        async with client.session.get(url, headers=headers) as response:
            return response.status, await response.text()

    copied = "Water a fern **twice a week** [^1], and give it shade [^1][^2]."
    notes = "[^1]: Watering plants.md, p. 3\n[^2]: Light: <https://example.com/light>"
    assert await copy(answer=answer["id"]) == (200, f"{copied}\n\n{notes}")
    assert await copy(title="Ferns") == (200, f"# Ferns\n\n## {WATER}\n\n{copied}\n\n{notes}\n")
    for other in (asked["id"], "nothing"):
        assert (await copy(answer=other))[0] == 404
    token, client.token = client.token, ""
    for method, path in (("GET", f"{page}/markdown"), ("DELETE", page)):
        assert (await client.call(method, path, root=""))[0] == 401
    client.token = token
    assert (await client.call("DELETE", page, root=""))[0] == 204
    assert (await client.say(WATER))[0] == 404
    assert (await client.call("DELETE", page, root=""))[0] == 404


async def test_an_answer_ends_with_its_conversation(client: Client, source: TableSource) -> None:
    await client.start()
    await client.until("Hello")
    asking = asyncio.create_task(client.say("slow"))
    async with asyncio.timeout(60):
        while "slow" not in source.asked:
            await asyncio.sleep(0.01)
    assert (await client.call("DELETE", f"/page/conversations/{client.conversation}", root=""))[0] == 204
    assert source.cancelled == 1
    await asking


async def test_the_bots_side(client: Client) -> None:
    """The connector's API, as a bot of any SDK calls it."""
    await client.start()
    await client.until("Hello")
    root = "/v3/conversations"
    path = f"/{client.conversation}/activities"
    status, sent = await client.call("POST", path, {"type": "message", "text": "before"}, root=root)
    assert status == 200
    one = f"{path}/{sent['id']}"
    assert (await client.call("PUT", one, {"type": "message", "text": "after"}, root=root))[0] == 200
    status, _ = await client.call("POST", one, {"type": "message", "text": "a reply"}, root=root)
    activities, _ = await client.poll()
    assert [found.get("text") for found in activities][-2:] == ["after", "a reply"]
    assert activities[-2]["id"] == sent["id"]
    assert activities[-1]["replyToId"] == sent["id"]
    assert (await client.call("DELETE", one, root=root))[0] == 200
    assert (await client.call("DELETE", one, root=root))[0] == 404
    assert (await client.call("PUT", one, {"type": "message"}, root=root))[0] == 404
    assert (await client.call("POST", "/nowhere/activities", {"type": "message"}, root=root))[0] == 404
    members = (await client.call("GET", f"/{client.conversation}/members", root=root))[1]
    assert [member["role"] for member in members] == ["user", "bot"]
    assert (await client.call("GET", f"/{client.conversation}/pagedmembers", root=root))[1][
        "members"
    ] == members
    assert (await client.call("GET", f"/{client.conversation}/members/bot", root=root))[1] == members[1]
    assert (await client.call("GET", f"/{client.conversation}/members/who", root=root))[0] == 404


async def test_the_bot_may_begin_a_conversation(client: Client) -> None:
    body = {"members": [{"id": "u7"}], "activity": {"type": "message", "text": "Good morning"}}
    status, begun = await client.call("POST", "", body, root="/v3/conversations")
    assert status == 201
    assert begun["activityId"].startswith(begun["id"])
    assert (await client.call("POST", "", {"members": []}, root="/v3/conversations"))[0] == 400


async def test_a_slow_bot_holds_nobody_up(source: TableSource) -> None:
    async with (
        running(source, timeouts=OVERTAKEN) as authority,
        aiohttp.ClientSession() as session,
    ):
        client = Client(session, authority)
        await client.start()
        assert (await client.say("slow"))[0] == 200
        source.gate.set()
        await client.until("twice a week")


async def test_what_is_said_is_sent_once_the_bot_speaks(source: TableSource) -> None:
    """Else Web Chat writes "Sending" below a question whose answer is on the screen already."""
    patient = Timeouts(budget=60, typing_after=0.05)
    async with running(source, timeouts=patient) as authority, aiohttp.ClientSession() as session:
        client = Client(session, authority)
        await client.start()
        async with asyncio.timeout(60):
            assert (await client.say("slow"))[0] == 200
        source.gate.set()
        await client.until("twice a week")


# --- what is kept, and for how long


BOT = {"id": "bot", "role": "bot"}


def piece(sequence: int, stream_id: str | None = None) -> dict[str, object]:
    """A piece of a streamed answer, as the bot sends it."""
    data = {"streamType": "streaming", "streamSequence": sequence}
    stream = {"streamId": stream_id} if stream_id else {}
    return {"type": "typing", "from": BOT, "text": str(sequence), "channelData": {**data, **stream}}


def texts_of(conversation: Conversation, watermark: int = 0) -> list[object]:
    return [activity.get("text") for activity in conversation.after(watermark)]


def test_of_a_stream_the_first_piece_and_the_latest_are_kept_and_at_last_the_final() -> None:
    conversation = Conversation("c", "u", capacity=5)
    conversation.add({"type": "message", "text": "a question"})
    stream_id = conversation.add(piece(1))
    for sequence in range(2, 100):
        conversation.add(piece(sequence, stream_id))
        if sequence == 50:
            watermark = conversation.watermark
    assert texts_of(conversation) == ["a question", "1", "99"]
    # Who was there in the middle has the first piece, and gets the latest.
    assert texts_of(conversation, watermark) == ["99"]
    final = {"streamType": "final", "streamId": stream_id}
    conversation.add(
        {"type": "message", "text": "no", "channelData": final, "from": {"id": "u", "role": "user"}}
    )
    assert texts_of(conversation) == ["a question", "1", "99", "no"]
    conversation.add({"type": "message", "text": "all", "channelData": final, "from": BOT})
    assert texts_of(conversation) == ["a question", "no", "all"]
    assert texts_of(conversation, conversation.watermark) == []


def test_two_streams_are_kept_apart() -> None:
    conversation = Conversation("c", "u", capacity=9)
    one, two = conversation.add(piece(1)), conversation.add(piece(1))
    conversation.add(piece(2, one))
    conversation.add(piece(3, two))
    final = {"streamType": "final", "streamId": one}
    conversation.add({"type": "message", "text": "all", "channelData": final, "from": BOT})
    assert texts_of(conversation) == ["1", "3", "all"]


def test_a_stream_may_begin_with_the_dots() -> None:
    """Their id may be the stream's; then they are what its pieces belong to."""
    conversation = Conversation("c", "u", capacity=9)
    dots = conversation.add({"type": "typing"})
    conversation.add(piece(1, dots))
    conversation.add(piece(2, dots))
    assert texts_of(conversation) == [None, "2"]


def test_only_so_many_activities_are_kept() -> None:
    conversation = Conversation("c", "u", capacity=3)
    for number in range(5):
        conversation.add({"type": "message", "text": str(number)})
    assert [activity["text"] for activity in conversation.after(0)] == ["2", "3", "4"]
    assert [activity["text"] for activity in conversation.after(4)] == ["4"]
    assert conversation.watermark == 5


def test_only_so_many_conversations_are_kept() -> None:
    conversations = LocalConversations(capacity=2)
    for name in ("a", "b"):
        conversations.open(name, "u")
    conversations.get("a")
    conversations.open("c", "u")
    assert [conversation.id for conversation in conversations] == ["a", "c"]


def test_an_idle_conversation_is_forgotten() -> None:
    now = [0.0]
    conversations = LocalConversations(idle=10, clock=lambda: now[0])
    conversations.open("a", "u")
    now[0] = 9
    assert conversations.get("a")
    now[0] = 18
    assert conversations.get("a")
    now[0] = 29
    assert conversations.get("a") is None


def test_a_token_ends() -> None:
    now = [1000.0]
    tokens = Tokens(clock=lambda: now[0])
    token = tokens.mint(Grant("c", "u"))
    assert tokens.read(token) == Grant("c", "u")
    now[0] += LIFETIME
    assert tokens.read(token) is None
