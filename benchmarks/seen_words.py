"""Lists the words that other programs show of documents, for ``test_seen_words.py``.

    python -m benchmarks.seen_words FOLDER OUT.json

LibreOffice shows Word, OpenDocument, Rich Text, slides and sheets; Poppler shows PDF; Chromium shows HTML,
books and mail, and what markdown-it and docutils make of Markdown and reStructuredText. Text is decoded.
``soffice``, ``pdftotext`` with ``poppler-data`` and Playwright are needed; a format without its program is
left out. The list has the file's digest, and hashes of words alone.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import os
import posixpath
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from docutils.core import publish_string
from lxml import etree
from markdown_it import MarkdownIt

from tests.browser.executable import browser_command
from tests.retrieval.seen_words import hash_word, list_words

_BY_PAGES: Final = (".docx", ".odt", ".rtf", ".pptx")
_BY_SHEETS: Final = (".xlsx",)
_PLAIN: Final = (".txt", ".csv")
_BY_BROWSER: Final = (".html", ".htm", ".eml", ".epub", ".md", ".rst")
_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
"""What generators of sites read above a page, and do not show."""
_SETTINGS: Final = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": False, "raw_enabled": False}
_AT_ONCE: Final = 20
_PATIENCE: Final = 200
_CSV: Final = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
"""All sheets, in UTF-8, with cells as they are shown."""


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--plain", action="store_true", help="words instead of hashes, to look at")
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*") if path.is_file())
    write: Callable[[str], str] = str if options.plain else hash_word
    listed = {
        hashlib.sha256(path.read_bytes()).hexdigest(): {
            "name": path.relative_to(options.folder).as_posix(),
            "words": sorted(map(write, list_words(text))),
        }
        for path, text in show(files)
        if text.strip()
    }
    options.out.write_text(json.dumps(listed, indent=0, sort_keys=True), encoding="utf-8")


def show(files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield what a person sees in each file, if a program for it is installed."""

    def of(*suffixes: str) -> list[Path]:
        return [path for path in files if path.suffix.lower() in suffixes]

    if shutil.which("soffice"):
        yield from _show_by_office(of(*_BY_PAGES), "pdf", _read_pdf)
        yield from _show_by_office(of(*_BY_SHEETS), _CSV, _read_csv)
    if shutil.which("pdftotext"):
        yield from ((path, _read_pdf([path])) for path in of(".pdf"))
    for path in of(*_PLAIN):
        yield path, path.read_bytes().decode("utf-8-sig", "replace")
    yield from _show_by_browser(of(*_BY_BROWSER))


def _show_by_office(
    files: Sequence[Path], target: str, read: Callable[[list[Path]], str]
) -> Iterator[tuple[Path, str]]:
    """Convert files with LibreOffice, some at a start; one that ends it is converted alone."""
    for first in range(0, len(files), _AT_ONCE):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            named = {f"n{number}": path for number, path in enumerate(files[first : first + _AT_ONCE])}
            for name, path in named.items():
                shutil.copy(path, folder / f"{name}{path.suffix.lower()}")
            _convert(sorted(folder.iterdir()), folder, target)
            ending = target.partition(":")[0]
            for name, path in named.items():
                found = sorted([*folder.glob(f"{name}.{ending}"), *folder.glob(f"{name}-*.{ending}")])
                if found:
                    yield path, read(_drop_hidden_sheets(path, found) if ending == "csv" else found)


def _convert(files: Sequence[Path], folder: Path, target: str) -> None:
    command = ["soffice", "--headless", f"-env:UserInstallation={(folder / 'user').as_uri()}"]
    command += ["--convert-to", target, "--outdir", str(folder), *map(str, files)]
    try:
        subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        if len(files) > 1:
            for file in files:
                if not list(folder.glob(f"{file.stem}*.{target[:3]}")):
                    _convert([file], folder, target)


def _drop_hidden_sheets(path: Path, made: list[Path]) -> list[Path]:
    """LibreOffice writes hidden sheets, too."""
    try:
        with zipfile.ZipFile(path) as packed:
            book = etree.fromstring(packed.read("xl/workbook.xml"))
    except (KeyError, zipfile.BadZipFile, etree.XMLSyntaxError):
        return made
    hidden = [one.get("name") for one in book.iter("{*}sheet") if one.get("state", "visible") != "visible"]
    return [one for one in made if not any(one.stem.endswith(f"-{name}") for name in hidden)]


def _read_pdf(files: list[Path]) -> str:
    command = ["pdftotext", "-enc", "UTF-8", str(files[0]), "-"]
    done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
    return done.stdout.decode("utf-8", "replace")


def _read_csv(files: list[Path]) -> str:
    rows = (csv.reader(io.StringIO(one.read_text("utf-8", "replace"))) for one in files)
    return "\n".join(" ".join(row) for sheet in rows for row in sheet)


def _show_by_browser(files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Show pages in Chromium, offline and without scripts."""
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - it may be missing
    except ImportError:
        return
    if not files:
        return
    found, environment = browser_command()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"], env={**os.environ, **environment}
        )
        context = browser.new_context(java_script_enabled=False, offline=True)
        page = context.new_page()
        for path in files:
            texts = []
            for suffix, data in _list_pages(path):
                with tempfile.NamedTemporaryFile(suffix=suffix) as copy:
                    copy.write(data)
                    copy.flush()
                    try:
                        page.goto(Path(copy.name).as_uri(), timeout=10_000)
                        texts.append(page.locator("body").inner_text(timeout=5_000))
                    except Error:
                        continue
            yield path, "\n".join(texts)
        browser.close()


def _list_pages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a file: itself, a book's chapters, or the parts of a message."""
    data = path.read_bytes()
    match path.suffix.lower():
        case ".epub":
            yield from _list_chapters(data)
        case ".md":
            text = _FRONT_MATTER.sub("", data.decode("utf-8", "replace"))
            yield ".html", b"\xef\xbb\xbf" + MarkdownIt("commonmark").enable("table").render(text).encode()
        case ".rst":
            made = publish_string(data, writer="html5", settings_overrides=_SETTINGS)
            yield ".html", made if isinstance(made, bytes) else made.encode()
        case ".eml":
            message = message_from_bytes(data, policy=policy.default)
            for part in _list_shown(message):
                if _is_shown(part):
                    payload = part.get_payload(decode=True)
                    charset = part.get_content_charset("utf-8")
                    try:
                        text = payload.decode(charset, "replace") if isinstance(payload, bytes) else ""
                    except LookupError:
                        text = ""
                    is_page = part.get_content_subtype() == "html"
                    yield (
                        (".html", b"\xef\xbb\xbf" + re.sub(r"<meta[^>]*>", "", text).encode())
                        if is_page
                        else (
                            ".txt",
                            b"\xef\xbb\xbf" + text.encode("utf-8", "replace"),
                        )
                    )
        case _:
            yield ".html", data


def _list_shown(part: EmailMessage) -> Iterator[EmailMessage]:
    """Yield a message's parts; of alternatives the last, which is what programs show (RFC 2046 § 5.1.4)."""
    inner = [one for one in part.iter_parts() if isinstance(one, EmailMessage)] if part.is_multipart() else []
    if not inner:
        yield part
    elif part.get_content_type() == "multipart/alternative":
        pages = [one for one in inner if one.get_content_maintype() in ("text", "multipart")]
        yield from _list_shown((pages or inner)[-1])
    else:
        for one in inner:
            yield from _list_shown(one)


def _is_shown(part: EmailMessage) -> bool:
    is_text = part.get_content_type() in ("text/plain", "text/html")
    return is_text and part.get_content_disposition() != "attachment"


def _list_chapters(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        root = etree.fromstring(packed.read("META-INF/container.xml")).find(".//{*}rootfile")
        name = root.get("full-path", "") if root is not None else ""
        package = etree.fromstring(packed.read(name))
        items = {one.get("id"): one for one in package.iterfind(".//{*}item")}
        for reference in package.iterfind(".//{*}itemref"):
            item = items.get(reference.get("idref"))
            inner = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), item.get("href", "")))
                if item is not None
                else ""
            )
            if inner in packed.namelist():
                yield ".xhtml", packed.read(inner)


if __name__ == "__main__":
    main()
