"""docs/security.md names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]*)`", PAGE)))


@pytest.mark.parametrize("named", NAMED)
def test_a_named_test_is_there(named: str) -> None:
    file, _, function = named.partition("::")
    source = (ROOT / file).read_text(encoding="utf-8")
    assert re.search(rf"^(async )?def {function or 'test_'}", source, re.MULTILINE)


def test_each_row_names_a_test() -> None:
    tables = re.findall(r"^\| attack .*\n\|[-| ]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert len(tables) == 7
    for row in "".join(tables).splitlines():
        assert "`tests/" in row.split("|")[3], row
