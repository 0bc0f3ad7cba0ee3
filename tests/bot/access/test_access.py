"""Who may see what: the policy, its failures, and what of a folder a person's answers are made from."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.access import Asker, Permission, place_of
from bot.access.asker import asker_of
from bot.access.policy import load_policy, permission_for
from bot.connector.activity_reader import read_activity
from bot.direct_line.bundle import Bundle
from bot.languages import say
from bot.sources import AnswerSource
from bot.sources.folder import FolderSource
from bot.sources.permission import EVERYTHING, AccessRefused, AccessUndecided, NotForAsker
from bot.sources.step import listening
from citations import AnswerEvent, Reference, ReferencesFound, TextDelta
from tests.bot.running import Connector, connecting, logged, message, running, send

_SERVICE = re.compile(r'"service": "[^"]*"')
"""The id of the running process."""

ANNE = Asker(channel_id="msteams", user_id="29:berta", tenant_id="t1")


def open_handed(_: Asker) -> Permission:
    return EVERYTHING


async def awaited(_: Asker) -> Permission:
    await asyncio.sleep(0)
    return EVERYTHING


class Directory:
    async def __call__(self, asker: Asker) -> Permission | None:
        return EVERYTHING if asker.tenant_id == "t1" else None


ENTRA = {
    "from": {"id": "u1", "aadObjectId": "aad-id-of-anne"},
    "conversation": {"id": "c1", "tenantId": "T1"},
    "channelData": {"tenant": {"id": "t1"}},
}


@pytest.mark.parametrize("channel_id", ["msteams", "directline", "webchat", "emulator", "MSTeams", "slack"])
def test_only_teams_says_who_somebody_is_in_entra(channel_id: str) -> None:
    sent = message("http://127.0.0.1:1/", "x", channelId=channel_id, **ENTRA)
    asker = asker_of(read_activity(sent))
    told = ("aad-id-of-anne", "t1") if channel_id == "msteams" else ("", "")
    assert (asker.aad_object_id, asker.tenant_id) == told
    assert (asker.channel_id, asker.user_id, asker.conversation_id) == (channel_id, "u1", "c1")


@pytest.mark.parametrize("policy", [open_handed, awaited, Directory(), None])
async def test_a_policy_is_any_callable(policy: Any) -> None:
    assert await permission_for(ANNE, policy) is EVERYTHING


def broken(_: Asker) -> Permission:
    raise KeyError("berta")


async def broken_later(_: Asker) -> Permission:
    await asyncio.sleep(0)
    raise TimeoutError


FAILING: dict[str, Callable[[Asker], Any]] = {
    "raises": broken,
    "raises later": broken_later,
    "says yes": lambda _: True,
    "takes nothing": lambda: EVERYTHING,  # type: ignore[dict-item, misc] # that is the fault
}


@pytest.mark.parametrize("policy", FAILING.values(), ids=FAILING)
async def test_a_policy_that_fails_lets_nothing_be_seen(policy: Any) -> None:
    with logged() as log, pytest.raises(AccessUndecided):
        await permission_for(ANNE, policy)
    assert "access policy failed" in log.getvalue()
    assert "berta" not in log.getvalue()


async def test_one_that_takes_too_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.access.policy.TIMEOUT", 0.05)

    async def endless(_: Asker) -> Permission:
        await asyncio.Event().wait()
        return EVERYTHING

    with pytest.raises(AccessUndecided):
        await permission_for(ANNE, endless)


async def test_one_that_blocks_blocks_nobody_else() -> None:
    begun, may_go_on = threading.Event(), threading.Event()

    def slow(_: Asker) -> Permission:
        begun.set()
        # Were it called in the event loop, what lets it go on would never come.
        assert may_go_on.wait(10)
        return EVERYTHING

    asked = asyncio.create_task(permission_for(ANNE, slow))
    while not begun.is_set():
        await asyncio.sleep(0.01)
    may_go_on.set()
    assert await asked is EVERYTHING


async def test_none_refuses() -> None:
    with pytest.raises(AccessRefused):
        await permission_for(Asker(channel_id="msteams", tenant_id="t2"), Directory())


@pytest.mark.parametrize("said", [None, 1, "yes", [True]])
def test_only_true_is_a_yes(said: Any) -> None:
    permission = Permission(sees=lambda _: said, extracts=lambda _: said)
    assert not permission.may_see(Reference(id="a"))
    assert not permission.may_extract(Reference(id="a"))


def test_a_question_that_can_not_be_decided_is_no_yes() -> None:
    def fails(_: Reference) -> bool:
        raise KeyError

    with pytest.raises(AccessUndecided):
        Permission(sees=fails).may_see(Reference(id="a"))


@pytest.mark.parametrize(
    ("written", "word"),
    [("access", "module:callable"), ("no_such_module:policy", "can't be loaded"), ("json:nothing", "can't be loaded"), ("json:__name__", "can't be called")],
)  # fmt: skip
def test_a_policy_that_is_not_there_stops_the_start(written: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        load_policy(written)


def test_a_policy_in_utf_16_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "wide_policy.py").write_bytes("def policy(asker): ...\r\n".encode("utf-16"))
    with pytest.raises(ValueError, match="can't be loaded: SyntaxError: a file is UTF-16, and not UTF-8"):
        load_policy("wide_policy:policy")


def test_a_policy_is_named_by_its_module() -> None:
    assert load_policy("tests.bot.access.test_access:open_handed") is not None


# A folder, of which somebody sees a part

PUBLIC = {
    "opening.md": "# Opening hours\n\nThe library opens at nine. It closes at six.\n",
    "loans.md": "# Loans\n\nA book may be kept for four weeks.\n\n## How to renew\n\nA loan is renewed at the desk.\n",
}
SECRET = {
    "board/merger.md": "# Merger\n\nThe library merges with the archive in May. It opens at noon then.\n",
    "board/closing hours.md": "# When does the library open?\n\nThe library opens at eleven from June. Books opens.\n",
}
QUESTIONS = [
    "When does the library open?", "How long may I keep a book?", "What about the merger?", "archive", "Hello!",
    "Whom does the library merge with?", "How to renew?", "mergr", "Who is the king of France?",
]  # fmt: skip


def write_documents(folder: Path, *parts: dict[str, str]) -> Path:
    for documents in parts:
        for name, text in documents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def only_public(_: Asker) -> Permission:
    return Permission(sees=lambda reference: not place_of(reference).startswith("board/"))


async def collect_events(
    source: AnswerSource, question: str, permission: Permission = EVERYTHING
) -> list[tuple[str, Any]]:
    """What is answered, without when the files were written."""
    events: list[tuple[str, Any]] = []
    async for event in source.answer_for(question, permission):
        match event:
            case TextDelta():
                events.append(("text", event.text))
            case ReferencesFound():
                events.append(("found", [(one.id, one.name, one.text) for one in event.references]))
    return events


async def test_what_may_not_be_seen_has_no_influence_on_anything(tmp_path: Path) -> None:
    """Answers, near questions, suggestions and counts are those of a folder that never had it."""
    everything = FolderSource(
        write_documents(tmp_path / "a", PUBLIC, SECRET), document_base="", cache=tmp_path / "c"
    )
    without = FolderSource(write_documents(tmp_path / "b", PUBLIC), document_base="", cache=tmp_path / "d")
    await everything.open()
    await everything.wait_until_read()
    await without.open()
    await without.wait_until_read()
    seen = only_public(ANNE)
    for question in QUESTIONS:
        assert await collect_events(everything, question, seen) == await collect_events(without, question)
    assert await collect_events(everything, QUESTIONS[0]) != await collect_events(
        everything, QUESTIONS[0], seen
    )
    assert await everything.suggestions_for(seen) == await without.suggestions()
    assert await everything.facts_for(seen) == await without.facts()
    await everything.close()
    await without.close()


async def test_what_changes_is_seen_by_who_may_see_it(tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "a", PUBLIC, SECRET)
    source = FolderSource(folder, document_base="", cache=tmp_path / "c")
    await source.open()
    await source.wait_until_read()
    seen = only_public(ANNE)
    assert "nine" in str(await collect_events(source, "When does the library open?", seen))
    (folder / "opening.md").write_text("# Opening hours\n\nThe library opens at ten.\n", encoding="utf-8")
    (folder / "board" / "news.md").write_text("The library opens at seven.", encoding="utf-8")
    await asyncio.to_thread(source._index.update)
    assert "ten" in str(await collect_events(source, "When does the library open?", seen))
    assert "seven" not in str(await collect_events(source, "When does the library open?", seen))
    await source.close()


class SecretSource(AnswerSource):
    """A source that searches where it pleases."""

    title = "told"

    def __init__(self, *references: Reference) -> None:
        self.references = references
        self.begun = 0

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        self.begun += 1
        yield TextDelta("The secret word is plover")
        yield ReferencesFound(self.references)
        yield TextDelta(" [1].")

    async def suggestions(self) -> tuple[str, ...]:
        return ("What is the secret word?",)

    async def facts(self) -> dict[str, str | int]:
        return {"source": "told", "documents": 7}


async def test_a_source_that_can_not_be_told_is_checked_before_it_is_shown() -> None:
    secret = Reference(id="1", document_url="board/a.md")
    checked, seen = SecretSource(Reference(id="1"), secret), only_public(ANNE)
    with pytest.raises(NotForAsker):
        await anext(aiter(checked.answer_for("?", seen)))
    assert await checked.suggestions_for(seen) == ()
    assert await checked.facts_for(seen) == {"source": "told"}
    everything = Permission(extracts=lambda _: True)
    assert await checked.suggestions_for(everything) == await checked.suggestions()
    assert await checked.facts_for(everything) == await checked.facts()
    allowed = SecretSource(Reference(id="1"))
    steps: list[str] = []
    with listening(steps.append):
        assert len(await collect_events(allowed, "?", seen)) == 3
    # The answer is held back until it is whole, and the person is told that it is coming.
    assert steps == ["Writing the answer …", "Reading 1 passage …", "Writing the answer …"]


# The whole bot


def per_person(asker: Asker) -> Permission | None:
    if asker.user_id == "guest":
        return None
    if asker.user_id == "unlucky":
        raise KeyError(asker.user_id)
    return EVERYTHING if asker.user_id == "board" else only_public(asker)


async def ask(connector: Connector, authority: str, who: str, text: str, **fields: Any) -> str:
    """What the person reads."""
    body = message(connector.service_url, text, **fields)
    body |= {"id": f"{who}-{text}", "from": {"id": who, "role": "user"}}
    assert (await send(authority, body))[0] == 201
    answered: str = (await connector.next())["text"]
    return answered


async def test_each_person_of_a_conversation_reads_what_they_may(tmp_path: Path) -> None:
    source = FolderSource(
        write_documents(tmp_path / "a", PUBLIC, SECRET), document_base="", cache=tmp_path / "c"
    )
    question = "Whom does the library merge with?"
    async with connecting() as connector, running(source, policy=per_person) as authority:
        assert "archive" in await ask(connector, authority, "board", question)
        # The last answer of the conversation was not for everybody in it.
        assert await ask(connector, authority, "anne", "1") == say(NotForAsker.message)
        assert await ask(connector, authority, "anne", "more") == say(NotForAsker.message)
        assert await ask(connector, authority, "guest", "source 1") == say(AccessRefused.message)
        assert await ask(connector, authority, "unlucky", "1") == say(AccessUndecided.message)
        assert "archive" in await ask(connector, authority, "board", "1")
        assert "archive" not in await ask(connector, authority, "anne", question)
        assert await ask(connector, authority, "guest", question) == say(AccessRefused.message)
        assert await ask(connector, authority, "unlucky", question) == say(AccessUndecided.message)


CHOSEN: list[tuple[str, object, bool]] = [
    ("board", ["board/merger.md"], True),
    ("board", ["opening.md", "board/merger.md"], True),
    ("board", ["board/\u202emerger.md"], True),
    ("board", ["opening.md"], False),
    ("board", ["nowhere.md"], False),
    ("board", ["board"], False),
    ("board", [7], False),
    ("board", [], True),
    ("board", "opening.md", True),
    ("anne", ["board/merger.md"], False),
    ("anne", ["board/merger.md", "opening.md", "/board/merger.md", "./board/merger.md"], False),
]


async def test_documents_that_are_chosen_are_asked_alone(tmp_path: Path) -> None:
    """Where a question names documents, nothing of the others is said; no name reaches what is hidden."""
    source = FolderSource(
        write_documents(tmp_path / "a", PUBLIC, SECRET), document_base="", cache=tmp_path / "c"
    )
    question = "Whom does the library merge with?"
    async with connecting() as connector, running(source, policy=per_person) as authority:
        for who, chosen, reached in CHOSEN:
            data = {"channelData": {"documents": chosen}, "conversation": {"id": f"{who}-{chosen}"}}
            said = await ask(connector, authority, who, question, **data)
            assert ("archive" in said) == reached, (who, chosen)
        hidden, absent = [
            await ask(connector, authority, "anne", f"Of what {number}?", channelData={"documents": [path]})
            for number, path in enumerate(("board/merger.md", "board/nothing.md"))
        ]
        assert hidden == absent
        only: dict[str, Any] = {
            "channelData": {"documents": ["loans.md"]},
            "conversation": {"id": "leaning"},
        }
        assert "four weeks" in await ask(connector, authority, "board", "How long may I keep a book?", **only)
        # An earlier answer of another document is forgotten where one is chosen.
        assert "archive" not in await ask(connector, authority, "board", "And the merger?", **only)


async def test_a_source_that_does_not_know_its_documents_is_asked_as_ever() -> None:
    """None of its references is at a path of a folder, so that all would be refused."""
    source = SecretSource(Reference(id="1", name="a"))
    async with connecting() as connector, running(source) as authority:
        asked = await ask(connector, authority, "anne", "?", channelData={"documents": ["a.md"]})
        assert "plover" in asked


async def test_the_greeting_counts_and_suggests_what_the_person_may_see(tmp_path: Path) -> None:
    source = FolderSource(
        write_documents(tmp_path / "a", PUBLIC, SECRET), document_base="", cache=tmp_path / "c"
    )
    async with connecting() as connector, running(source, policy=per_person) as authority:
        for who, count in (
            ("board", "I have read 4"),
            ("anne", "I have read 2"),
            ("guest", "Every statement"),
        ):
            body = message(connector.service_url, "", type="conversationUpdate", membersAdded=[{"id": who}])
            body |= {"id": f"joined-{who}", "from": {"id": who}}
            await send(authority, body)
            greeting = await connector.next()
            assert count in greeting["text"]
            assert ("library open?" in str(greeting)) == (who == "board")


@pytest.mark.parametrize("policy", [None, per_person])
async def test_where_there_is_a_policy_no_url_goes_round_it(policy: Any, tmp_path: Path) -> None:
    docs = write_documents(tmp_path / "a", PUBLIC)
    source = FolderSource(docs, document_base="", cache=tmp_path / "c")
    async with (
        running(source, docs=docs, policy=policy) as authority,
        aiohttp.ClientSession() as session,
        session.get(f"http://{authority}/documents/loans.md") as response,
    ):
        assert response.status == (404 if policy else 200)


TENANT = "7C9E6679-7425-40DE-944B-E07FC1F90AE7"
OTHER = "11111111-7425-40de-944b-e07fc1f90ae7"
TENANTS: list[tuple[dict[str, Any], bool]] = [
    (
        {"conversation": {"id": "c", "tenantId": TENANT}, "channelData": {"tenant": {"id": TENANT.lower()}}},
        True,
    ),
    ({"conversation": {"id": "c"}, "channelData": {"tenant": {"id": TENANT}}}, True),
    ({"conversation": {"id": "c", "tenantId": TENANT}}, True),
    ({"conversation": {"id": "c", "tenantId": OTHER}, "channelData": {"tenant": {"id": TENANT}}}, False),
    ({"conversation": {"id": "c", "tenantId": TENANT}, "channelData": {"tenant": {"id": OTHER}}}, False),
    ({"conversation": {"id": "c", "tenantId": OTHER}}, False),
    ({"conversation": {"id": "c"}, "channelData": {"tenant": TENANT}}, False),
    ({"conversation": {"id": "c"}}, False),
    ({"conversation": {"id": "c"}, "channelId": "directline"}, True),
]


async def test_on_teams_only_the_tenants_that_are_named_are_answered() -> None:
    source = SecretSource(Reference(id="1"))
    tenants = frozenset({TENANT.lower()})
    with logged() as log:
        async with connecting() as connector, running(source, teams_tenants=tenants) as authority:
            for number, (fields, answered) in enumerate(TENANTS):
                body = message(connector.service_url, f"What {number}?", channelId="msteams") | fields
                joined = body | {
                    "type": "conversationUpdate",
                    "membersAdded": [{"id": "u"}],
                    "id": f"j{number}",
                }
                if not answered:
                    await send(authority, joined)  # and no greeting comes before what is read next
                await send(authority, body)
                assert ("plover" in (await connector.next())["text"]) == answered
            assert source.begun == sum(answered for _, answered in TENANTS)
    refused = 2 * sum(not answered for _, answered in TENANTS)
    assert f'"count": {refused}' in log.getvalue()
    assert OTHER not in log.getvalue()


async def test_no_route_says_how_many_documents_there_are(tmp_path: Path) -> None:
    """The page and its service don't know who asks, so they say what is true of any number of documents."""
    heard: list[list[str]] = []
    for number, documents in enumerate(((PUBLIC, SECRET), (PUBLIC,))):
        folder = write_documents(tmp_path / str(number) / "docs", *documents)
        source = FolderSource(folder, document_base="", cache=tmp_path / str(number))
        async with (
            running(source, docs=folder, policy=per_person, bundle=Bundle(None)) as authority,
            aiohttp.ClientSession() as session,
        ):
            bodies = [
                await (await session.get(f"http://{authority}{path}")).text() for path in ("/", "/readyz")
            ]
        assert '"source": "folder"' in bodies[1]
        heard.append([_SERVICE.sub("", body).replace(authority, "") for body in bodies])
    assert heard[0] == heard[1]
