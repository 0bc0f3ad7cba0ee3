"""A language that nobody speaks is added as docs/languages.md says: by two files. It is spoken, understood and doubted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPOKEN = """
[sentences]
no_question = "Flib zu, nek."
nothing_found = "Wanto mep gorp."
that_was_all = "Zub flib."
greeting_number = "Grin mep."
smalltalk = "Flib vu grinfo."
[wording]
source_number = "Nubbo {number}:"
[words]
stop = "vu mep zub nek flib wanto kolu"
more = ["blip"]
source = "nubbo"
smalltalk = ["halvu"]
"""
UNDERSTOOD = """
[markers]
sources = "nubbo"
[numbers]
ones = "zaddo dorri"
tens = "fadder"
[units]
d = "flint"
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    home = tmp_path_factory.mktemp("toy")
    for package, folder, file in (("bot", "", SPOKEN), ("citations", "text", UNDERSTOOD)):
        shutil.copytree(ROOT / package, home / package)
        (home / package / folder / "languages" / "xx.toml").write_text(file, "utf-8")
    (home / "docs").mkdir()
    (home / "docs" / "vu.md").write_text("# Grinfo\n\nVu grinfo mep dorri flint zub.\n", "utf-8")
    path = os.pathsep.join((str(home), str(ROOT)))
    program = [sys.executable, "-m", "tests.bot.toy_conversation", str(home)]
    ended = subprocess.run(
        program, cwd=home, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, object] = json.loads(ended.stdout.partition("=" * 8)[2])
    return found


def test_it_is_spoken(said: dict[str, object]) -> None:
    assert said[""] == "Flib zu, nek."
    assert str(said["nothing"]).startswith("Wanto mep gorp.")


def test_it_is_understood(said: dict[str, object]) -> None:
    assert "dorri flint" in str(said["Kolu mep grinfo vu zub?"])
    assert (said["Blip!"], said["Halvu!"]) == ("Zub flib. Grin mep.", "Flib vu grinfo.")
    assert str(said["Nubbo 1"]).startswith("Nubbo (1):")
    assert str(said["badge"]).startswith("Vu grinfo mep dorri flint [1].")


def test_it_is_doubted(said: dict[str, object]) -> None:
    assert said["right"] == []
    assert said["wrong"] == ["fadder zaddo flint"]
