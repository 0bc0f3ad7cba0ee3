"""The engines, kept running: most in Node, those of Python's packages in this process."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.programs import CACHE, alone, find_program

from .python_engines import other_readings, python_readings
from .reading import Reading, ReadLink

HERE: Final = Path(__file__).parent
SCRIPTS: Final = ("engines.mjs", "web_chat.mjs")
PACKAGES: Final = ("package.json", "package-lock.json", ".npmrc")


@dataclass(frozen=True, slots=True)
class Readings:
    """The distinct readings of a text, each with its engines, and Web Chat's list of definitions."""

    by_engines: tuple[tuple[tuple[str, ...], Reading], ...]
    definitions: tuple[tuple[str, str, str], ...]


class Engines:
    """The engines, kept running until they are closed.

    With ``others``, there are those, too, that no client of ours has.
    """

    def __init__(self, *, others: bool = False) -> None:
        self._others = others
        node = find_program("node")
        self._process = subprocess.Popen(
            [node, "--max-old-space-size=512", "engines.mjs", *(["others"] if others else [])],
            cwd=installed(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.names: tuple[str, ...] = tuple(json.loads(self._answer()))

    def close(self) -> None:
        """End them."""
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
        ours = [python_readings(text, shown=shown) for text in texts]
        for readings, text in zip(ours, texts, strict=True) if self._others else ():
            readings.update(other_readings(text, shown=shown))
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
    npm = find_program("npm")
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
