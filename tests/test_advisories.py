"""No version that an advisory is about can be installed, by our requirements or as a part of theirs."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent

# The last version that has it, for what the bot installs and feeds with what others sent.
ADVISORIES = [
    ("aiohttp", "3.13.2", "CVE-2025-69223: a compressed body fills the memory"),
    ("aiohttp", "3.14.0", "CVE-2026-54278: a compressed body passes client_max_size"),
    ("botframework-connector", "4.10.0", "CVE-2021-1725: a crafted claim is believed"),
    ("cryptography", "46.0.6", "CVE-2026-39892: a buffer overflow for buffers that are not contiguous"),
    ("filelock", "3.20.2", "CVE-2026-22701: a symbolic link is followed"),
    ("h11", "0.15.0", "CVE-2025-43859: malformed chunks are accepted"),
    ("idna", "3.6", "CVE-2024-3651: quadratic time for a crafted name"),
    ("lxml", "4.9.0", "CVE-2022-2309: a null pointer for crafted input"),
    ("mammoth", "1.10.0", "CVE-2025-11849: a picture of a Word file is any file of the machine"),
    ("protobuf", "6.33.4", "CVE-2026-0994: recursion without end"),
    ("PyJWT", "2.10.0", "CVE-2024-53861: a part of the issuer is enough"),
    ("PyJWT", "2.11.0", "CVE-2026-32597: unknown critical headers are accepted"),
    ("redis", "4.5.3", "CVE-2023-28859: a cancelled command's answer goes to the next"),
    ("requests", "2.32.3", "CVE-2024-47081: a crafted URL is sent the credentials of another host"),
    ("urllib3", "2.6.3", "CVE-2026-44432: a compressed body fills the memory"),
]


def required(file: str) -> list[Requirement]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return [
        Requirement(line.partition("#")[0])
        for line in lines
        if line.partition("#")[0].strip() and not line.startswith("-r")
    ]


REQUIRED = required("requirements.txt") + required("requirements-telemetry.txt")
PYPROJECT = [
    Requirement(line)
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
]


@pytest.mark.parametrize(("package", "affected", "what"), ADVISORIES, ids=[row[2][:14] for row in ADVISORIES])
def test_no_affected_version_can_be_installed(package: str, affected: str, what: str) -> None:
    by_name = {one.name.lower(): one for one in REQUIRED}
    # The SDK's parts are pinned by each other.
    pinned = by_name.get(package.lower()) or by_name["botbuilder-core"]
    assert not pinned.specifier.contains(affected), what
    assert Version(importlib.metadata.version(package)) > Version(affected), what
    for one in PYPROJECT:
        if one.name.lower() == package.lower():
            assert not one.specifier.contains(affected), what


def test_the_sdks_parts_come_in_one_version() -> None:
    by_name = {one.name: str(one.specifier) for one in REQUIRED}
    assert by_name["botbuilder-core"] == by_name["botbuilder-integration-aiohttp"]
    assert f"=={importlib.metadata.version('botframework-connector')}" == by_name["botbuilder-core"]


@pytest.mark.parametrize("one", REQUIRED, ids=str)
def test_what_is_imported_is_pinned_and_what_it_brings_has_a_floor(one: Requirement) -> None:
    [specifier] = one.specifier
    assert specifier.operator == "==" or one.name in {row[0] for row in ADVISORIES}
