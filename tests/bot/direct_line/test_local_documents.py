"""The list of documents and the files that are added to them, over HTTP: for this machine's own page only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from bot.access import Asker, Permission
from bot.config.credentials import Credentials
from bot.sources.folder import FolderSource, added_files
from bot.sources.folder.added_files import clean_name
from citations import LabelRanking
from tests.bot.running import running

LISTED = "/local/documents"
GARDEN = "# Garden rules\n\n## May I grill in the garden?\n\nYou may grill on Saturdays until ten.\n"
LABELS = """
default = "open"
[[label]]
id = "open"
name = "Open"
priority = 0
color = "green"
[[label]]
id = "staff"
name = "Staff only"
priority = 1
color = "#c00"
[[rule]]
label = "staff"
file = "pay*"
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "train.md").write_text("# Travel by train\n\nBook it in the portal.\n", encoding="utf-8")
    (folder / "pay.md").write_text("# Pay\n\nThe salary is paid on the 25th.\n", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"no PDF")
    return folder


def source_of(docs: Path, *, may_add: bool = True) -> FolderSource:
    return FolderSource(
        docs,
        document_base="",
        cache=docs.parent / "cache",
        ranking=LabelRanking.from_toml(LABELS),
        may_add=may_add,
    )


@pytest.fixture
async def bot(docs: Path) -> AsyncIterator[str]:
    async with running(source_of(docs), docs=docs, labels=LabelRanking.from_toml(LABELS)) as authority:
        yield authority


async def call(
    method: str,
    authority: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, Any]:
    url = URL(f"http://{authority}{path}", encoded=True)
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, url, data=body, headers=headers) as response,
    ):
        is_json = response.content_type == "application/json"
        return response.status, await (response.json() if is_json else response.text())


async def listed(authority: str, language: str = "en") -> dict[str, Any]:
    status, body = await call("GET", authority, LISTED, headers={"Accept-Language": language})
    assert status == 200
    return dict(body)


async def wait_for(authority: str, *titles: str) -> dict[str, Any]:
    """The list as soon as it has these titles."""
    async with asyncio.timeout(60):
        while True:
            body = await listed(authority)
            if [one["title"] for one in body["documents"]] == list(titles):
                return body
            await asyncio.sleep(0.05)


def stored(docs: Path) -> list[str]:
    """The names of all files that are not the index's own."""
    home = docs.parent / "cache"
    return sorted(file.name for file in home.rglob("*") if file.is_file() and ".added" in file.parts)


async def test_it_lists_what_can_be_asked_and_what_is_not_read(bot: str) -> None:
    body = await listed(bot, "de-AT")
    pay, train = body["documents"]
    indexed = train.pop("indexed")
    assert indexed.endswith("+00:00")
    assert train == {
        "path": "train.md",
        "title": "Travel by train",
        "format": "md",
        "size": 42,
        "passages": "1 Textstelle",
        "label": {"name": "Open", "color": "green"},
        "url": "/documents/train.md?view=",
        "added": None,
    }
    assert pay["label"] == {"name": "Staff only", "color": "#c00"}
    assert body["skipped"] == [
        {"path": "broken.pdf", "name": "broken.pdf", "reason": "Die Datei ist beschädigt.", "added": None}
    ]
    assert {"DOCX", "HTML", "MD", "PDF", "TXT", "Quelltext"} <= set(body["formats"])
    assert (body["reading"], body["waiting"], body["count"]) == ([], 0, "2 Dokumente")


async def test_an_added_file_is_asked_served_replaced_and_removed(bot: str, docs: Path) -> None:
    before = sorted(docs.rglob("*"))
    assert await call("PUT", bot, f"{LISTED}/garden.md", GARDEN.encode()) == (
        201,
        {"name": "garden.md", "replaced": False},
    )
    body = await wait_for(bot, "Garden rules", "Pay", "Travel by train")
    assert body["questions"][0] == "May I grill in the garden?"
    garden = body["documents"][0]
    assert (garden["added"], garden["url"]) == ("garden.md", "/documents/.added/garden.md?view=")
    file = garden["url"].partition("?")[0]
    assert await call("GET", bot, file) == (200, GARDEN)
    assert "<h2" in (await call("GET", bot, garden["url"]))[1]
    newer = GARDEN.replace("rules", "laws").encode()
    assert await call("PUT", bot, f"{LISTED}/garden.md", newer) == (
        200,
        {"name": "garden.md", "replaced": True},
    )
    await wait_for(bot, "Garden laws", "Pay", "Travel by train")
    assert (await call("DELETE", bot, f"{LISTED}/garden.md"))[0] == 204
    await wait_for(bot, "Pay", "Travel by train")
    assert (await call("GET", bot, file))[0] == 404
    assert (await call("DELETE", bot, f"{LISTED}/garden.md"))[0] == 404
    assert sorted(docs.rglob("*")) == before
    assert stored(docs) == []


NAMES = [
    "..", ".", ".hidden.md", "~$lock.docx", "../train.md", "..\\train.md", "/etc/passwd.md", "a/b.md", "a\\b.md",
    "C:\\x.md/..", "x\0.md", "x\n.md", " ", "..%2f..%2fx.md", "%2e%2e/x.md",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
async def test_no_name_leads_out_of_the_directory(bot: str, docs: Path, name: str) -> None:
    before = sorted(docs.parent.rglob("*.md"))
    for path in {f"{LISTED}/{quote(name, safe='')}", f"{LISTED}/{quote(name)}"}:
        assert (await call("PUT", bot, path, b"# X"))[0] in {400, 404, 405, 415}
        assert (await call("DELETE", bot, path))[0] in {400, 404, 405, 415}
    assert sorted(docs.parent.rglob("*.md")) == before


@given(st.text(max_size=300), st.sampled_from((".md", ".PDF", ".docx")))
def test_a_clean_name_is_one_that_every_system_takes(stem: str, suffix: str) -> None:
    try:
        name = clean_name(stem + suffix)
    except ValueError:
        return
    assert name.endswith(suffix)
    assert not set(name) & set('/\\:*?"<>|\0\n')
    assert not name.startswith((".", "~$"))
    assert len(name.encode()) <= 255
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("given_name", "kept"), [("Con.md", "_Con.md"), ("a?b*.md", "a_b_.md"), ("x .md", "x.md")]
)
def test_names_that_windows_does_not_take_are_changed(given_name: str, kept: str) -> None:
    assert clean_name(given_name) == kept


async def test_what_is_not_read_or_too_large_is_not_stored(
    bot: str, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await call("PUT", bot, f"{LISTED}/clip.mp4", b"x"))[0] == 415
    monkeypatch.setattr(added_files, "LARGEST", 1000)
    assert (await call("PUT", bot, f"{LISTED}/long.txt", b"x" * 1001))[0] == 413
    assert (await call("PUT", bot, f"{LISTED}/long.txt", b"x" * 1000))[0] == 201
    assert stored(docs) == ["long.txt"]


FOREIGN = [
    {"Host": "evil.test"},
    {"Origin": "http://evil.test"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_a_foreign_page_gets_and_changes_nothing(bot: str, docs: Path, headers: dict[str, str]) -> None:
    assert (await call("GET", bot, LISTED, headers=headers))[0] == 403
    assert (await call("PUT", bot, f"{LISTED}/x.md", b"# X", headers))[0] == 403
    assert (await call("DELETE", bot, f"{LISTED}/x.md", headers=headers))[0] == 403
    assert stored(docs) == []
    # What a page may send to anyone without asking first.
    assert (await call("POST", bot, f"{LISTED}/x.md", b"# X"))[0] == 405


def see_nothing(_: Asker) -> Permission:
    return Permission(sees=lambda _: False)


@pytest.mark.parametrize(
    "settings",
    [
        {"credentials": Credentials(app_id="0c3d4b55-1111-4222-8333-000000000001", password="p")},
        {"policy": see_nothing},
    ],
    ids=["served to channels", "a policy decides who sees what"],
)
async def test_for_others_than_the_owner_there_are_no_routes(docs: Path, settings: dict[str, Any]) -> None:
    async with running(source_of(docs, may_add=False), docs=docs, **settings) as authority:
        for method in ("GET", "PUT", "DELETE"):
            assert (await call(method, authority, f"{LISTED}/x.md" if method != "GET" else LISTED))[0] == 404


async def test_an_index_that_is_served_never_has_what_was_added(bot: str, docs: Path) -> None:
    assert (await call("PUT", bot, f"{LISTED}/garden.md", GARDEN.encode()))[0] == 201
    await wait_for(bot, "Garden rules", "Pay", "Travel by train")
    served = source_of(docs, may_add=False)
    await served.open()
    await served.wait_until_read()
    assert [file.path for file, _ in await served.list_documents()] == ["pay.md", "train.md"]
    await served.close()


async def test_no_question_stays_of_a_document_that_may_not_be_told_of_any_more(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While files are being read no new questions are looked for, and those of before are looked at again."""
    (docs / "garden.md").write_text(GARDEN, encoding="utf-8")
    (docs / "train.md").write_text(
        "# Trains\n\n## When does the train leave?\n\nThe train leaves at six.\n", "utf-8"
    )
    source = source_of(docs)
    async with running(source, docs=docs, labels=LabelRanking.from_toml(LABELS)) as authority:
        before = (await listed(authority))["questions"]
        assert set(before) == {"May I grill in the garden?", "When does the train leave?"}
        (docs / "garden.md").unlink()
        await source.look_again()
        still = property(lambda _: ("large.pdf",), lambda *_: None)
        monkeypatch.setattr(type(source.progress), "reading", still, raising=False)
        assert (await listed(authority))["questions"] == ["When does the train leave?"]
