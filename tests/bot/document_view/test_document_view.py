"""The view of a document: its page, what it may load, and where it can't be shown."""

from __future__ import annotations

import os
import tarfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientResponse, ClientSession

from bot.document_view.pdf_library import VERSION, PdfLibrary
from bot.document_view.rendered_document import render_in_child
from bot.retrieval.passages.anchor import Anchor, CitedWords
from bot.retrieval.reading.folder_scan import LARGEST
from bot.retrieval.reading.limits import ReadingLimits
from bot.retrieval.reading.pool import ReaderPool
from tests.bot.running import running
from tests.bot.table_source import TableSource

TEXT = "# Trips\n\nTake the train. It is **cheap**.\n"
ANCHOR = Anchor((CitedWords.of(25, "It is **cheap**."),)).write()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("docs")
    (root / "sub").mkdir()
    (root / "sub" / "trips & <b>.md").write_text(TEXT, encoding="utf-8")
    (root / "broken.docx").write_bytes(b"no word file")
    (root / "guide.pdf").write_bytes(b"%PDF-1.4 broken")
    (root / "large.md").touch()
    os.truncate(root / "large.md", LARGEST + 1 if os.name == "nt" else 20_000_000_000)
    (root / ".secret.md").write_text(TEXT, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
async def documents(folder: Path) -> AsyncIterator[str]:
    async with running(TableSource(), docs=folder) as authority:
        yield f"http://{authority}/documents/"


async def get(url: str, **headers: str) -> tuple[ClientResponse, str]:
    async with (
        ClientSession() as session,
        session.get(url, headers=headers, allow_redirects=False) as response,
    ):
        return response, await response.text()


async def test_the_page_of_a_document(documents: str) -> None:
    url = f"{documents}sub/trips%20%26%20%3Cb%3E.md"
    response, html = await get(f"{url}?view={ANCHOR}", **{"Accept-Language": "de"})
    assert response.status == 200
    assert '<html lang="de">' in html
    assert "<title>Trips</title>" in html
    assert '<span class="name">trips &amp; &lt;b&gt;.md</span>' in html
    assert 'href="/documents/sub/trips%20&amp;%20%3Cb%3E.md" title="Original öffnen"' in html
    assert '<p>Take the train. <mark class="cited" id="cited" tabindex="-1"' in html
    assert (
        'aria-label="Zitierter Satz">It is </mark><strong><mark class="cited">cheap</mark></strong>' in html
    )
    _, plain = await get(f"{url}?view=")
    assert "<mark" not in plain
    _, raw = await get(url)
    assert raw == TEXT


async def test_the_page_runs_and_loads_its_own_files_only(documents: str) -> None:
    response, _ = await get(f"{documents}sub/trips%20%26%20%3Cb%3E.md?view=")
    policy = dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
    own = documents.removesuffix("/documents/")
    assert policy["default-src"] == policy["connect-src"] == "'none'"
    assert policy["frame-ancestors"] == own
    assert policy["script-src"] == f"{own}/view/ {own}/page/"
    for header, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")):
        assert response.headers[header] == value
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    "anchor",
    ["1-2-3", "<script>alert(1)</script>", "%22%3E%3Cb%3E", "25-41-00000000", "p25-41-zz", "9" * 5000],
)
async def test_nothing_of_the_address_gets_into_the_page(documents: str, anchor: str) -> None:
    url = f"{documents}sub/trips%20%26%20%3Cb%3E.md?view="
    assert (await get(url + anchor))[1] == (await get(url))[1]


@pytest.mark.parametrize("path", [".secret.md", "missing.md", "../x.md", "sub"])
async def test_what_is_not_served_has_no_view(documents: str, path: str) -> None:
    shown, text = await get(f"{documents}{path}?view=")
    raw, missing = await get(f"{documents}{path}")
    assert (shown.status, text) == (raw.status, missing)
    assert shown.status == 404


async def test_a_view_is_for_a_window_of_its_own(documents: str) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"}
    response, _ = await get(f"{documents}sub/trips%20%26%20%3Cb%3E.md?view=", **foreign)
    assert response.status == 404


@pytest.mark.parametrize("name", ["broken.docx", "guide.pdf", "large.md"])
async def test_what_can_not_be_shown_is_opened_by_the_browser(documents: str, name: str) -> None:
    response, _ = await get(f"{documents}{name}?view={ANCHOR}")
    assert (response.status, response.headers["Location"]) == (302, f"/documents/{name}")


async def test_the_words_of_an_anchor_alone(documents: str) -> None:
    url = f"{documents}sub/trips%20%26%20%3Cb%3E.md?view="
    assert (await get(f"{url}{ANCHOR}&words="))[1] == '{"words": ["It is **cheap**."]}'
    assert (await get(f"{url}25-41-00000000&words="))[1] == '{"words": []}'


@pytest.mark.parametrize("path", ["view.css", "view.js", "pdf.js", "text.js"])
async def test_the_files_of_the_page(documents: str, path: str) -> None:
    response, _ = await get(f"{documents.removesuffix('documents/')}view/{path}")
    assert response.status == 200
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["view.html", "../__init__.py", "pdfjs-x/a.js", "%2e%2e/page.py"])
async def test_no_other_file_is_served(documents: str, path: str) -> None:
    assert (await get(f"{documents.removesuffix('documents/')}view/{path}"))[0].status == 404


def test_a_file_that_takes_too_long_is_not_rendered(tmp_path: Path) -> None:
    long = tmp_path / "long.md"
    long.write_text("Take the *train*. " * 200_000, encoding="utf-8")
    pool = ReaderPool(ReadingLimits(seconds=0.0), size=1)
    assert render_in_child(long, pool) is None


def test_pdf_js_is_what_was_pinned_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    cached = tmp_path / f"pdfjs-dist-{VERSION}.tgz"
    with tarfile.open(cached, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("package/legacy/build/pdf.min.mjs"))
    library = PdfLibrary(tmp_path)
    library.load()
    assert library.files == {}
