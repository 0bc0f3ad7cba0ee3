"""The files of languages: what is read of them, and what is said of one that can't be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.languages import LANGUAGES as SPOKEN
from citations.text.languages import LANGUAGES, LanguageFiles, either


def test_what_the_languages_have_is_put_together(tmp_path: Path) -> None:
    (tmp_path / "aa.toml").write_text('[words]\nmore = ["go on", "more"]\n[units]\nd = "day days"\n', "utf-8")
    (tmp_path / "bb.toml").write_text('[words]\nmore = "more mehr"\n[units]\nd = "tag"\n', "utf-8")
    (tmp_path / "read.me").write_text("no language", "utf-8")
    files = LanguageFiles(tmp_path)
    assert [*files.tables] == ["aa", "bb"]
    assert files.words_of("words", "more") == ("go on", "more", "mehr")
    assert files.words_of("words", "less") == ()
    assert [*files.entries_of("units")] == [("d", ("day", "days")), ("d", ("tag",))]


@pytest.mark.parametrize("written", [b"[words", b'more = "\xff"', b"a = 1\na = 2"])
def test_a_file_that_cannot_be_read_is_named(written: bytes, tmp_path: Path) -> None:
    (tmp_path / "aa.toml").write_bytes(written)
    with pytest.raises(ValueError, match=r"aa\.toml: "):
        _ = LanguageFiles(tmp_path).tables


PHRASES = [
    (("up to", "ca."), "up to", True),
    (("up to", "ca."), "up\tto", True),
    (("ca.",), "ca", True),
    (("jusqu'à",), "jusqu’à", True),
    (("a.b",), "axb", False),
    ((), "", False),
]


@pytest.mark.parametrize(("phrases", "text", "found"), PHRASES)
def test_one_of_several_phrases(phrases: tuple[str, ...], text: str, *, found: bool) -> None:
    assert bool(re.fullmatch(either(phrases), text)) is found


def test_both_packages_have_the_languages_that_are_spoken() -> None:
    assert {tag for tag, file in SPOKEN.tables.items() if "sentences" in file} == LANGUAGES.tables.keys()
