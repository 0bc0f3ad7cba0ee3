"""What joins an open set has its page and its test: a document format, a channel, an answer source.

For a provider's format ``tests/citations/readers/test_cited_by_place.py`` asks that, for a rule of ``check``
``tests/citations/inspection/checks/test_check.py``, for a setting ``tests/bot/app/test_settings.py``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from bot.app.terminal import arguments
from bot.config.answer_sources import SOURCES
from bot.retrieval.files import FORMATS
from citations.model.channel_id import CHANNEL_IDS, Client, channel_ids

ROOT: Final = Path(__file__).parents[1]


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def sources_of(folder: str) -> str:
    """All test modules below a folder, as one text."""
    return "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / folder).rglob("*.py"))
    )


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_document_format_has_its_row_and_its_test(suffix: str) -> None:
    rows = "\n".join(line for line in page("folder").splitlines() if line.startswith("| "))
    assert f"`{suffix}`" in rows or re.search(rf"\b{suffix[1:].upper()}\b", rows)
    assert re.search(
        rf'["\w]{re.escape(suffix)}"', sources_of("retrieval/files") + sources_of("retrieval/reading")
    )


@pytest.mark.parametrize("channel_id", channel_ids())
def test_a_channel_is_on_the_pages(channel_id: str) -> None:
    assert f"`{channel_id}`" in page("labels")
    row = CHANNEL_IDS[channel_id]
    if row.client is not Client.PLAIN or row.longest:
        assert f"`{channel_id}`" in page("channels")


@pytest.mark.parametrize("client", Client, ids=lambda client: client.name)
def test_a_kind_of_client_has_its_tests(client: Client) -> None:
    ids = [one for one, row in CHANNEL_IDS.items() if row.client is client]
    tests = sources_of("citations/channels") + sources_of("citations/renderer")
    assert any(f'"{one}"' in tests for one in ids)


def test_the_command_offers_each_answer_source() -> None:
    assert tuple(SOURCES) == arguments.SOURCES


@pytest.mark.parametrize("name", SOURCES)
def test_an_answer_source_has_its_page_and_its_tests(name: str) -> None:
    assert f"docs/{name}.md" in (ROOT / "README.md").read_text(encoding="utf-8")
    tests = ROOT / "tests" / "sources"
    stems = [path.stem.replace("_", "") for path in tests.glob("test_*.py")]
    assert (tests / name).is_dir() or any(one.startswith(f"test{name.replace('-', '')}") for one in stems)
