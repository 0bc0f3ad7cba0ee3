"""Web Chat's bundle: only the file that is pinned, from wherever it comes."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import tarfile
from pathlib import Path

import pytest

from bot.direct_line import bundle
from bot.direct_line.bundle import SCRIPT_INTEGRITY, Bundle, BundleError, extract, find_bundle, integrity


def archive(path: Path, *members: tuple[str, bytes | None]) -> Path:
    """An npm package; a member without content is a symbolic link out of it."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content or b"")
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(info, io.BytesIO(content or b""))
    return path


SCRIPT = "package/dist/webchat.js"


def test_the_script_is_taken_and_nothing_else(tmp_path: Path) -> None:
    package = archive(tmp_path / "p.tgz", ("../../evil", b"x"), (SCRIPT, b"script"), ("package/x", b"y"))
    assert extract(package, integrity(package.read_bytes(), "sha512")) == b"script"
    assert [file.name for file in tmp_path.iterdir()] == ["p.tgz"]


BROKEN = [("no script", (("package/x", b"y"),)), ("a link", ((SCRIPT, None),))]


@pytest.mark.parametrize(("what", "members"), BROKEN)
def test_a_package_without_the_script(
    tmp_path: Path, what: str, members: tuple[tuple[str, bytes | None], ...]
) -> None:
    package = archive(tmp_path / "p.tgz", *members)
    with pytest.raises(BundleError):
        extract(package, integrity(package.read_bytes(), "sha512"))


def test_another_package_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="not the one that was pinned"):
        extract(archive(tmp_path / "p.tgz", (SCRIPT, b"script")))


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "p.tgz").write_bytes(b"<html>")
    with pytest.raises(BundleError):
        extract(tmp_path / "p.tgz", integrity(b"<html>", "sha512"))


def test_the_real_package_through_npm(tmp_path: Path) -> None:
    found = find_bundle(tmp_path)
    assert found.file
    assert integrity(found.file.read_bytes(), "sha384") == SCRIPT_INTEGRITY
    compressed = Path(f"{found.file}.gz")
    assert gzip.decompress(compressed.read_bytes()) == found.file.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2
    # Once is enough, and a damaged file is got again.
    before = found.file.stat().st_mtime_ns
    assert find_bundle(tmp_path) == found
    assert found.file.stat().st_mtime_ns == before
    found.file.write_bytes(b"alert(1)")
    assert find_bundle(tmp_path) == found
    assert integrity(found.file.read_bytes(), "sha384") == SCRIPT_INTEGRITY


def test_without_npm_it_is_the_cdns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("npm") is None
    assert find_bundle(tmp_path / "cache") == Bundle(None)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for npm is a shell script")
@pytest.mark.parametrize("script", ["exit 1", "exit 0", "echo nothing > botframework-webchat.tgz"])
def test_an_npm_that_fails_leaves_it_to_the_cdn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    npm.chmod(npm.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(npm.parent))
    assert find_bundle(tmp_path / "cache") == Bundle(None)
    assert list((tmp_path / "cache").iterdir()) == []


def test_the_cdn_has_the_same_version() -> None:
    assert bundle.VERSION in bundle.CDN
