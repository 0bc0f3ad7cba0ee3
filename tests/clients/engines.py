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
from urllib.parse import unquote

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
    """The folder with the scripts, below that of their packages, installed once into the user's cache."""
    npm = shutil.which("npm")
    assert npm, "npm is needed for these tests"
    packages = CACHE / f"clients-{_digest(PACKAGES)}"
    scripts = packages / _digest(SCRIPTS)
    with alone():
        if not (packages / "installed").is_file():
            _copy(PACKAGES, packages)
            command = [npm, "ci", "--ignore-scripts"]
            subprocess.run(command, cwd=packages, check=True, capture_output=True, timeout=300)
            (packages / "installed").touch()
        if not scripts.is_dir():
            # A folder that has its name is complete.
            unfinished = packages / "unfinished"
            _copy(SCRIPTS, unfinished)
            unfinished.rename(scripts)
    return scripts


def _digest(names: Iterable[str]) -> str:
    """A name for what is in these files of ours, whatever their line ends are."""
    content = "".join((HERE / name).read_text(encoding="utf-8") for name in names)
    return hashlib.sha256(content.encode("utf-8")).hexdigest()[:16]


def _copy(names: Iterable[str], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(HERE / name, folder / name)


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
    if text == href:
        return True
    said, goal = address(text), address(href)
    return goal in {f"{scheme}{said}" for scheme in ("", "http://", "https://", "mailto:", "xmpp:")}


def address(text: str) -> str:
    """An address as a reader may compare it: decoded, in small letters."""
    return _PUNYCODE.sub(_decoded, unquote(text)).lower()


_PUNYCODE: Final = re.compile(r"xn--([a-z0-9-]+)", re.IGNORECASE)


def _decoded(label: re.Match[str]) -> str:
    try:
        return label[1].encode("ascii").decode("punycode")
    except UnicodeError:
        return label[0]
