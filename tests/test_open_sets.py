"""What joins an open set has its page and its test: a document format, a channel, a provider, an answer source.

A failure names all that is missing. For a rule of ``check`` that asks
``tests/citations/inspection/checks/test_check.py``, for a setting ``tests/bot/app/test_settings.py``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from bot.app.terminal import arguments
from bot.config.answer_sources import SOURCES
from bot.retrieval.files import FORMATS
from citations.model.channel_id import CHANNEL_IDS, Client, channel_ids
from citations.readers import FORMATS as PROVIDERS
from citations.readers.recognition import likely_formats
from tests.written_provider_answers import CITING, EMPTY_ITEMS

ROOT: Final = Path(__file__).parents[1]


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def sources_of(folder: str) -> str:
    """All test modules below a folder, as one text."""
    return "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / folder).rglob("*.py"))
    )


def expect(found: Mapping[str, object]) -> None:
    """Each of these is there; a failure has the names of all that are not."""
    missing = [name for name, is_there in found.items() if not is_there]
    assert not missing, f"missing: {'; '.join(missing)}"


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_document_format_has_its_row_and_its_test(suffix: str) -> None:
    rows = "\n".join(line for line in page("folder").splitlines() if line.startswith("| "))
    tests = sources_of("retrieval/files") + sources_of("retrieval/reading")
    found = {
        "a row in docs/folder.md": f"`{suffix}`" in rows or re.search(rf"\b{suffix[1:].upper()}\b", rows),
        "a test in tests/retrieval/files/": re.search(rf'["\w]{re.escape(suffix)}"', tests),
    }
    expect(found)


@pytest.mark.parametrize("channel_id", channel_ids())
def test_a_channel_is_on_the_pages(channel_id: str) -> None:
    row, named = CHANNEL_IDS[channel_id], f"`{channel_id}`"
    plain = row.client is Client.PLAIN and not row.longest
    found = {
        "its id in docs/labels.md, among those that a ceiling is for": named in page("labels"),
        "a row in docs/channels.md": plain or named in page("channels"),
        "the length of its messages in SPEC.md, X2": longest_messages().get(channel_id) == row.longest,
    }
    expect(found)


def longest_messages() -> Mapping[str, int]:
    """The length of a message on each channel, by rule X2."""
    rule = (ROOT / "SPEC.md").read_text(encoding="utf-8").partition("**X2**")[2].partition("**X3**")[0]
    groups = re.findall(r"([\d,]+)\s+\(([^()]+)\)", rule)
    return {name: int(most.replace(",", "")) for most, ids in groups for name in re.findall("`(.+?)`", ids)}


def test_the_specification_names_channels() -> None:
    assert longest_messages().keys() <= CHANNEL_IDS.keys()


OF_THEIR_OWN: Final = ("answer", "writer", "llamaindex", "open-webui")
"""Formats that docs/suppliers.md doesn't show: they have other pages."""


@pytest.mark.parametrize("form", PROVIDERS)
def test_a_providers_format_has_its_pages_and_its_tests(form: str) -> None:
    suppliers, elsewhere = page("suppliers"), form in OF_THEIR_OWN
    command = rf"^python -m citations render --from {form} \S+\.json$"
    recorded = form == "answer" or f"\n| `{form}` | " in suppliers.partition("## What a recorded")[2]
    found = {
        "its name in docs/library.md": f"`{form}`" in page("library"),
        "a command in docs/suppliers.md": elsewhere or re.search(command, suppliers, re.MULTILINE),
        "a picture in docs/suppliers.md": elsewhere or f"(supplier-{form}.png)" in suppliers,
        "what stands behind it in docs/suppliers.md": recorded,
        "CITING in tests/written_provider_answers.py": form in CITING,
        "EMPTY_ITEMS in tests/written_provider_answers.py": form in EMPTY_ITEMS,
        "a feature in citations/readers/recognition.py": form not in CITING
        or form in likely_formats(CITING[form]("https://e.com/a")),
    }
    expect(found)


@pytest.mark.parametrize("client", Client, ids=lambda client: client.name)
def test_a_kind_of_client_has_its_tests(client: Client) -> None:
    ids = [one for one, row in CHANNEL_IDS.items() if row.client is client]
    tests = sources_of("citations/channels") + sources_of("citations/renderer")
    channels = " or ".join(ids) or "a row in citations/model/channel_id.py"
    expect({f"a test of {channels} in tests/citations/channels/": any(f'"{one}"' in tests for one in ids)})


def test_the_command_offers_each_answer_source() -> None:
    assert tuple(SOURCES) == arguments.SOURCES


@pytest.mark.parametrize("name", SOURCES)
def test_an_answer_source_has_its_page_and_its_tests(name: str) -> None:
    tests = ROOT / "tests" / "sources"
    stems = [path.stem.replace("_", "") for path in tests.glob("test_*.py")]
    begins = f"test{name.replace('-', '')}"
    found = {
        f"docs/{name}.md in README.md": f"docs/{name}.md" in (ROOT / "README.md").read_text(encoding="utf-8"),
        "a test in tests/sources/": (tests / name).is_dir() or any(one.startswith(begins) for one in stems),
    }
    expect(found)
