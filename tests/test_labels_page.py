"""What docs/labels.md shows is what the library and the bot read."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from bot.access import Asker
from bot.access.policy import TIMEOUT, permission_for
from bot.retrieval.index import folder_index
from bot.sources.permission import AccessRefused
from citations import LabelRanking, Reference

PAGE = (Path(__file__).parents[1] / "docs" / "labels.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def test_the_labels_file_is_one() -> None:
    ranking = LabelRanking.from_toml(block("toml"))
    pay = ranking.label_of(Reference(id="board/2024/pay.md"))
    assert pay
    assert (pay.name, pay.encrypted) == ("Confidential\\Board", True)
    assert ranking.exceeds_ceiling(pay, "sms")
    assert not ranking.exceeds_ceiling(pay, "webchat")


async def test_the_policy_is_one() -> None:
    names: dict[str, Any] = {}
    exec(block("python"), names)
    policy = names["policy"]
    assert inspect.iscoroutinefunction(policy)
    anne = await permission_for(Asker(channel_id="msteams", aad_object_id="aad-id-of-anne"), policy)
    assert anne.may_see(Reference(id="1", document_url="http://127.0.0.1:3978/documents/board/pay.md"))
    assert not anne.may_see(Reference(id="1", document_url="hr/pay.md"))
    assert not anne.may_extract(Reference(id="1", document_url="board/pay.md"))
    with pytest.raises(AccessRefused):
        await permission_for(Asker(channel_id="msteams"), policy)


def test_the_limits_are_those_of_the_code() -> None:
    assert TIMEOUT == 10.0
    assert "longer than ten seconds" in PAGE
    assert folder_index._PARTS == 8
    assert "the last eight are kept" in PAGE
