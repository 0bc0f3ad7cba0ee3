"""The engines: most run in Node, cmark-gfm and pulldown-cmark in this process."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

import pyromark
from cmarkgfm import cmark

from tests.npm_package import CACHE, alone

HERE: Final = Path(__file__).parent
SCRIPTS: Final = ("engines.mjs", "web_chat.mjs")
PACKAGES: Final = ("package.json", "package-lock.json", ".npmrc")
CMARK: Final = "cmark-gfm"
PULLDOWN: Final = "pulldown-cmark"


class ReadLink(NamedTuple):
    """A link as an engine reads it. ``bare``: its text is the address that it leads to."""

    text: str
    href: str
    title: str = ""
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What an engine finds live in a text, and the ``[1]`` and ``(1)`` that it shows outside code."""

    links: tuple[ReadLink, ...] = ()
    images: tuple[str, ...] = ()
    html: tuple[str, ...] = ()
    aria_labels: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Readings:
    """The distinct readings of a text, each with its engines, and Web Chat's list of definitions."""

    by_engines: tuple[tuple[tuple[str, ...], Reading], ...]
    definitions: tuple[tuple[str, str, str], ...]

    def __getitem__(self, engine: str) -> Reading:
        return next(reading for engines, reading in self.by_engines if engine in engines)


class Engines:
    """The engines, kept running.

    >>> with Engines() as engines:  # doctest: +SKIP
    ...     [readings] = engines.read(["[x](https://example.com)"])
    """

    def __init__(self) -> None:
        node = shutil.which("node")
        assert node, "Node is needed for these tests"
        self._process = subprocess.Popen(
            [node, "--max-old-space-size=512", "engines.mjs"],
            cwd=installed(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.names: tuple[str, ...] = tuple(json.loads(self._answer()))

    def __enter__(self) -> Engines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)

    def read(self, texts: Sequence[str], *, shown: bool = True) -> list[Readings]:
        """What each engine finds in each of ``texts``; with ``shown``, the badges in the text too."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"texts": texts, "badges": shown}) + "\n")
        self._process.stdin.flush()
        # Python's engines work while Node does.
        ours = [_python_readings(text, shown=shown) for text in texts]
        return [
            _readings(self.names, answer, own)
            for answer, own in zip(json.loads(self._answer()), ours, strict=True)
        ]

    def _answer(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the engines have ended"
        return line


def installed() -> Path:
    """The folder with the engines, installed once into the user's cache."""
    npm = shutil.which("npm")
    assert npm, "npm is needed for these tests"
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in (*PACKAGES, *SCRIPTS)))
    folder = CACHE / f"clients-{digest.hexdigest()[:16]}"
    with alone():
        if not (folder / SCRIPTS[0]).is_file():
            folder.mkdir(exist_ok=True)
            for name in PACKAGES:
                shutil.copy(HERE / name, folder / name)
            subprocess.run(
                [npm, "ci", "--ignore-scripts"], cwd=folder, check=True, capture_output=True, timeout=300
            )
            # The first of them is copied last: where it is, the folder is complete.
            for name in reversed(SCRIPTS):
                shutil.copy(HERE / name, folder / name)
    return folder


def _readings(names: Sequence[str], answer: dict[str, Any], own: dict[str, Reading]) -> Readings:
    engines: dict[Reading, list[str]] = {}
    readings = [_reading(*one) for one in answer["readings"]]
    for name, index in zip(names, answer["engines"], strict=True):
        engines.setdefault(readings[index], []).append(name)
    for name, reading in own.items():
        engines.setdefault(reading, []).append(name)
    return Readings(
        tuple((tuple(named), reading) for reading, named in engines.items()),
        tuple(tuple(one) for one in answer["definitions"]),
    )


def _reading(
    links: Iterable[Sequence[Any]], images: list[str], html: list[str], labels: list[str], shown: list[str]
) -> Reading:
    return Reading(
        tuple(ReadLink(*link) for link in links), tuple(images), tuple(html), tuple(labels), tuple(shown)
    )


def _python_readings(text: str, *, shown: bool) -> dict[str, Reading]:
    return {CMARK: read_cmark(text, shown=shown), PULLDOWN: read_pulldown(text, shown=shown)}


_EXTENSIONS: Final = ["table", "autolink", "strikethrough", "tasklist"]
_OMITTED: Final = "<!-- raw HTML omitted -->"
_TAG: Final = re.compile(r'<(/?)(\w+)(?: href="([^"]*)"| src="([^"]*)")?(?:[^>]*? title="([^"]*)")?[^>]*>')
_SHOWN: Final = re.compile(r"\[[0-9]+\]|\([0-9]+\)")


def read_cmark(text: str, *, shown: bool = True) -> Reading:
    """What cmark-gfm reads, from the HTML that it writes: a tag of the text it leaves out."""
    html = cmark.markdown_to_html_with_extensions(
        text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd"), 0, _EXTENSIONS
    )
    if "<a " not in html and "<img " not in html and _OMITTED not in html and not shown:
        return Reading()
    found: list[ReadLink] = []
    images: list[str] = []
    visible: list[str] = []
    href = title = ""
    code = 0
    inside: list[str] = []
    behind = 0
    for tag in _TAG.finditer(html):
        piece = unescape(html[behind : tag.start()])
        behind = tag.end()
        inside.append(piece)
        visible.append("\0" if code else piece)
        match tag[2], tag[1]:
            case "a", "":
                href, title = unescape(tag[3] or ""), unescape(tag[5] or "")
                inside = []
            case "a", _:
                said = "".join(inside).replace("\n", " ")
                found.append(ReadLink(said, href, title, is_bare(said, href)))
            case "img", _:
                images.append(unescape(tag[4] or ""))
            case "code", close:
                code += -1 if close else 1
            case "br", _:
                inside.append(" ")
                visible.append("\n")
            case "p" | "td" | "th" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6", _:
                visible.append("\n")
    visible.append(unescape(html[behind:]))
    return Reading(
        tuple(found),
        tuple(images),
        ("(raw HTML)",) if _OMITTED in html else (),
        (),
        tuple(_SHOWN.findall("".join(visible))) if shown else (),
    )


_TABLES: Final = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
)


def read_pulldown(text: str, *, shown: bool = True) -> Reading:
    """What pulldown-cmark reads."""
    links: list[ReadLink] = []
    images: list[str] = []
    html: list[str] = []
    visible: list[str] = []
    inside: list[str] = []
    href = title = ""
    block = False
    for kind, value in _events(text):
        match kind, value:
            case "Text", _:
                inside.append(value)
                visible.append("\0" if block else value)
            case "Code", _:
                inside.append(value)
                visible.append("\0")
            case ("SoftBreak" | "HardBreak"), _:
                inside.append(" ")
                visible.append("\n")
            case ("Html" | "InlineHtml"), _:
                html.append(value[:100])
            case "Start", {"Link": link}:
                href, title = link["dest_url"], link["title"]
                if link["link_type"] == "Email":
                    href = f"mailto:{href}"
                inside = []
            case "Start", {"Image": image}:
                images.append(image["dest_url"])
            case "Start", {"CodeBlock": _}:
                block = True
            case "End", "Link":
                said = "".join(inside)
                links.append(ReadLink(said, href, title, is_bare(said, href)))
            case "End", _:
                block = False
                if value not in ("Emphasis", "Strong", "Strikethrough"):
                    visible.append("\n")
    badges = tuple(_SHOWN.findall("".join(visible))) if shown else ()
    return Reading(tuple(links), tuple(images), tuple(html), (), badges)


def _events(text: str) -> Iterator[tuple[str, Any]]:
    readable = text.encode("utf-8", "replace").decode("utf-8")
    for event in pyromark.events(readable, options=_TABLES):
        if isinstance(event, str):
            yield event, None
        else:
            yield from event.items()


def is_bare(text: str, href: str) -> bool:
    """Whether a link's text is the address that it leads to."""
    return href in {f"{scheme}{text}" for scheme in ("", "http://", "https://", "mailto:")}
