"""Graph's list of sensitivity labels into a labels file that the library reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from citations import LabelRanking
from examples.labels_from_graph import labels_file

PUBLIC = "11111111-0000-4000-8000-000000000001"
SECRET = "22222222-0000-4000-8000-000000000002"
BOARD = "33333333-0000-4000-8000-000000000003"
WANTED = [
    (PUBLIC, "Public", 0, "For “everybody”.\nEven \\us.", "#317100", False),
    (SECRET, "Secret", 5, None, None, False),
    (BOARD, "Secret\\Board", 6, "The board.", "#d13438", True),
]

OLDER: dict[str, Any] = {
    "@odata.context": "https://graph.microsoft.com/beta/$metadata#sensitivityLabels",
    "value": [
        {"id": BOARD, "name": "Board", "sensitivity": 6, "tooltip": "The board.", "color": "#d13438",
         "hasProtection": True, "isActive": True, "parent": {"id": SECRET, "name": "Secret"}},
        {"id": SECRET, "name": "Secret", "sensitivity": 5, "tooltip": "", "color": "", "hasProtection": False, "parent": None},
        {"id": PUBLIC, "name": "Public", "sensitivity": 0, "tooltip": "For “everybody”.\nEven \\us.", "color": "#317100",
         "hasProtection": False, "parent": None},
    ],
}  # fmt: skip
NEWER: dict[str, Any] = {
    "value": [
        {"id": PUBLIC, "name": "a1", "displayName": "Public", "priority": 0, "toolTip": "For “everybody”.\nEven \\us.",
         "color": "#317100", "hasProtection": False, "sublabels": []},
        {"id": SECRET, "name": "a2", "displayName": "Secret", "priority": 5, "hasProtection": False, "color": "url(x)",
         "sublabels": [{"id": BOARD, "name": "a3", "displayName": "Board", "priority": 6, "toolTip": "The board.",
                        "color": "#d13438", "hasProtection": True}]},
    ],
}  # fmt: skip
POWERSHELL = [
    {"id": PUBLIC, "name": "Public", "priority": 0, "tooltip": "For “everybody”.\nEven \\us.", "color": "#317100", "hasProtection": False, "parentId": None},
    {"id": SECRET, "name": "Secret", "priority": 5, "tooltip": None, "hasProtection": False, "parentId": ""},
    {"id": BOARD, "name": "Board", "priority": 6, "tooltip": "The board.", "color": "#d13438", "hasProtection": True, "parentId": SECRET},
]  # fmt: skip


BOTH = {"value": [*NEWER["value"], NEWER["value"][1]["sublabels"][0]]}


@pytest.mark.parametrize(
    "document", [OLDER, NEWER, BOTH, POWERSHELL], ids=["older", "newer", "listed twice", "Get-Label"]
)
def test_the_catalogue_is_that_of_the_tenant(document: Any) -> None:
    labels = LabelRanking.from_toml(labels_file(document)).labels
    assert [
        (one.id, one.name, one.priority, one.description, one.color, one.encrypted) for one in labels
    ] == WANTED


@pytest.mark.parametrize(
    ("document", "word"),
    [({}, "expected"), ([], "expected"), ("x", "expected"), ({"value": [{}]}, "no id"), ({"value": [{"id": "a", "name": "b"}]}, "priority"), (OLDER | {"@odata.nextLink": "https://x"}, "nextLink")],
)  # fmt: skip
def test_what_is_no_list_of_labels_is_said(document: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        labels_file(document)


def test_the_command(tmp_path: Path) -> None:
    file, written = tmp_path / "labels.json", tmp_path / "labels.toml"
    file.write_text(json.dumps(OLDER), encoding="utf-8-sig")
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "examples.labels_from_graph"]
    subprocess.run([*command, str(file), str(written)], cwd=root, check=True)
    assert len(LabelRanking.from_toml(written.read_text("utf-8")).labels) == 3
    file.write_bytes(json.dumps(OLDER, indent=0).replace("\n", "\r\n").encode("utf-16"))
    subprocess.run([*command, str(file), str(written)], cwd=root, check=True)
    assert len(LabelRanking.from_toml(written.read_text("utf-8")).labels) == 3
    written.unlink()
    for arguments in ([], [str(file)], [f"{file}x", str(written)]):
        failed = subprocess.run([*command, *arguments], capture_output=True, cwd=root, check=False)
        assert (failed.returncode, failed.stdout, written.exists()) == (2, b"", False)
        assert failed.stderr.count(b"\n") == 1
