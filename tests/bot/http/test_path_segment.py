"""Ids that may stand in a path: every channel's own, and none that leads elsewhere."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.http.path_segment import is_path_segment

IDS = [
    ("19:meeting_MjAy@thread.v2;messageid=1699", True),
    ("a:1pJ9-xq_Zs", True),
    ("8Xb2|0000001", True),
    ("+4915112345678", True),
    ("BADF1B8:T0XYZ:C0XYZ", True),
    ("100%", True),
    ("50%20off", True),
    ("Fougère \N{HERB}", True),
    ("...", True),
    ("a/../b", True),  # its slashes are written as %2F
    (".", False),
    ("..", False),
    ("%2e", False),
    ("%2E%2e", False),
    (".%2e", False),
    ("%252e%252E", False),
    ("%25252e.", False),
    ("a\nb", False),
    ("a\x00", False),
    ("a\x7f", False),
    ("a\x85b", False),
    ("a%0d%0ab", False),
    ("a%250Ab", False),
    ("a%C2%85b", False),
]


@pytest.mark.parametrize(("written", "expected"), IDS)
def test_ids(written: str, expected: bool) -> None:
    assert is_path_segment(written) is expected


@given(st.text())
def test_what_is_written_into_a_path_is_as_safe_as_before(written: str) -> None:
    if is_path_segment(written):
        assert is_path_segment(quote(written.encode("utf-8", "replace"), safe=""))
