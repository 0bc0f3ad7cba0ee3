"""A link that takes the place of what was listed is not followed: it may lead anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.retrieval.passages import UNREADABLE
from bot.retrieval.reading.child import read_file, read_labels
from bot.retrieval.reading.folder_scan import LINK, scan


def replace_file(folder: Path, elsewhere: Path) -> None:
    (folder / "below" / "gate.eml").unlink()
    (folder / "below" / "gate.eml").symlink_to(elsewhere / "gate.eml")


def replace_folder(folder: Path, elsewhere: Path) -> None:
    (folder / "below").rename(folder / "before")
    (folder / "below").symlink_to(elsewhere)


@pytest.mark.parametrize("place_link", [replace_file, replace_folder])
@pytest.mark.parametrize("where", ["elsewhere", "docs/closed"])
def test_a_link_in_the_place_of_what_was_listed_is_not_followed(
    place_link: Callable[[Path, Path], None], where: str, tmp_path: Path
) -> None:
    folder, elsewhere = tmp_path / "docs", tmp_path / where
    for place, text in ((folder / "below", "open"), (elsewhere, "secret")):
        place.mkdir(parents=True)
        (place / "gate.eml").write_text(f"From: a@example.com\nSubject: gate\n\n{text}\n", encoding="utf-8")
    (file,) = (one for one in scan(folder).files if one.path == "below/gate.eml")
    assert "open" in str(read_file(folder, file, "").passages)
    place_link(folder, elsewhere)
    reading = read_file(folder, file, "")
    assert (reading.passages, reading.record.reason) == ((), LINK)
    assert read_labels(folder, file) == (UNREADABLE,)


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "gate.md").write_text("The gate is open.", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    (file,) = scan(tmp_path / "link").files
    assert "open" in str(read_file(tmp_path / "link", file, "").passages)
