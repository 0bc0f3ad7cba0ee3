"""The documents: read-only, from one folder and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession
from yarl import URL

from bot.http.documents import find_document
from bot.retrieval.files import MEDIA_TYPES
from tests.bot.running import running
from tests.bot.table_source import TableSource

SERVED = [
    ("notes.md", "text/plain; charset=utf-8"),
    ("NOTES.MARKDOWN", "text/plain; charset=utf-8"),
    ("notes.txt", "text/plain; charset=utf-8"),
    ("page.html", "text/html; charset=utf-8"),
    ("page.htm", "text/html; charset=utf-8"),
    ("paper.pdf", "application/pdf"),
    ("a folder/Ünï çödé #1 50%.md", "text/plain; charset=utf-8"),
    ("table.csv", "text/plain; charset=utf-8"),
    ("code.js", "text/plain; charset=utf-8"),
    ("mail.eml", "message/rfc822"),
    ("letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
]
HIDDEN = [
    ".env",
    ".secret.md",
    ".git/notes.md",
    "a folder/.hidden/x.md",
    "photo.png",
    "program.exe",
    "noextension",
    "notes.md.gz",
    "missing.md",
]
ESCAPES = [
    "../outside.md",
    "a folder/../../outside.md",
    "a folder/../notes.md",
    "./notes.md",
    "//notes.md",
    "/etc/passwd",
    "..\\outside.md",
    "a folder\\..\\..\\outside.md",
    "C:/outside.md",
    "notes.md:stream.md",
    "notes.md\0.md",
    "a folder",
    "a folder/",
    "notes.md/",
    "out.md",
    "outside folder/outside.md",
    "to dot.md",
    "loop.md",
    "x" * 5000 + ".md",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    for name in [name for name, _ in SERVED] + HIDDEN[:-1]:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"this is {name}", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    for outside in (tmp_path / "outside.md", tmp_path / "outside" / "outside.md"):
        outside.write_text("not yours", encoding="utf-8")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "outside folder").symlink_to(tmp_path / "outside", target_is_directory=True)
    (root / "to dot.md").symlink_to(root / ".secret.md")
    (root / "loop.md").symlink_to(root / "loop.md")
    (root / "inside.md").symlink_to(root / "notes.md")
    return root


@pytest.fixture
async def documents(folder: Path) -> AsyncIterator[str]:
    async with running(TableSource(), docs=folder) as authority:
        yield f"http://{authority}/documents/"


@pytest.mark.parametrize("path", HIDDEN + ESCAPES)
def test_what_is_not_there_for_others(folder: Path, path: str) -> None:
    assert find_document(folder, path, MEDIA_TYPES) is None


@pytest.mark.parametrize("path", HIDDEN + [path for path in ESCAPES if "\0" not in path])
@pytest.mark.parametrize("spelling", ["plain", "percent"])
async def test_what_is_not_served(documents: str, path: str, spelling: str) -> None:
    written = path if spelling == "plain" else "".join(f"%{byte:02X}" for byte in path.encode())
    url = URL(documents + written.replace(" ", "%20"), encoded=True)
    async with ClientSession() as session, session.get(url) as response:
        assert response.status in {400, 404}
        assert "not yours" not in await response.text()


@pytest.mark.parametrize(("path", "media_type"), SERVED)
async def test_what_is_served(documents: str, folder: Path, path: str, media_type: str) -> None:
    url = URL(documents).joinpath(*path.split("/"))
    async with ClientSession() as session, session.get(url) as response:
        assert response.status == 200
        assert await response.text(encoding="utf-8") == f"this is {path}"
        assert response.headers["Content-Type"] == media_type
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        sandboxed = "sandbox" in response.headers.get("Content-Security-Policy", "")
        assert ("Content-Disposition" in response.headers) is media_type.startswith(
            ("message", "application/vnd")
        )
        assert sandboxed is media_type.startswith("text/html")


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("old.txt", "Die Küche schließt.", "cp1252"),
        ("old.html", '<meta charset="iso-8859-1">Die Küche schließt.', "cp1252"),
        ("wide.csv", "Küche", "utf-16"),
    ],
)
async def test_what_is_no_utf_8_is_not_said_to_be(
    documents: str, folder: Path, name: str, text: str, encoding: str
) -> None:
    (folder / name).write_text(text, encoding)
    async with ClientSession() as session, session.get(documents + name) as response:
        assert await response.text(encoding) == text
        assert response.headers["Content-Type"] == ("text/html" if name.endswith("html") else "text/plain")


async def test_a_link_within_the_folder_is_followed(documents: str) -> None:
    async with ClientSession() as session, session.get(documents + "inside.md") as response:
        assert await response.text() == "this is notes.md"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_nothing_can_be_written(documents: str, method: str) -> None:
    async with ClientSession() as session, session.request(method, documents + "notes.md") as response:
        assert response.status == 405


async def test_every_answer_is_kept_from_other_origins(documents: str) -> None:
    kept = {"X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy", "Cache-Control"}
    async with ClientSession() as session:
        for path, headers, status in (
            ("notes.md", {}, 200),
            ("missing.md", {}, 404),
            ("photo.png", {}, 404),
            ("notes.md", {"Range": "bytes=900-"}, 416),
        ):
            async with session.get(documents + path, headers=headers) as response:
                assert response.status == status
                assert kept <= set(response.headers)
                assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


ASKERS = [
    ({}, 200),  # no browser
    ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document"}, 200),
    ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty"}, 200),
    ({"Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document"}, 200),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}, 200),  # a link in the Playground
    ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "empty"}, 404),  # another port of this machine
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}, 404),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "object"}, 404),
    ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"}, 404),
    ({"Sec-Fetch-Site": "cross-site"}, 404),
]


@pytest.mark.parametrize(("headers", "status"), ASKERS)
async def test_a_document_is_for_a_window_of_its_own(
    documents: str, headers: dict[str, str], status: int
) -> None:
    async with ClientSession() as session, session.get(documents + "notes.md", headers=headers) as response:
        assert response.status == status


async def test_head_and_ranges(documents: str) -> None:
    async with ClientSession() as session:
        async with session.head(documents + "notes.md") as response:
            assert (response.status, await response.read()) == (200, b"")
        async with session.get(documents + "paper.pdf", headers={"Range": "bytes=0-3"}) as response:
            assert (response.status, await response.read()) == (206, b"this")
