"""Packages of npm that the tests read or drive, got once and kept in the user's cache directory."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from pathlib import Path

import platformdirs
from filelock import FileLock

CACHE = platformdirs.user_cache_path("botframework-citations-tests", appauthor=False)


def npm_package(name: str, version: str, integrity: str) -> Path:
    """The unpacked ``package/`` directory of an npm package, checked against its sha512."""
    target = CACHE / f"{name.replace('/', '+')}-{version}"
    with alone():
        if not target.is_dir():
            _unpack(f"{name}@{version}", integrity, target)
    return target / "package"


def alone() -> FileLock:
    """Held by the one process that changes the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    return FileLock(CACHE / "lock")


def _unpack(package: str, integrity: str, target: Path) -> None:
    npm = shutil.which("npm")
    assert npm, "npm is needed for these tests"
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = [npm, "pack", "--silent", "--ignore-scripts", package]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
        archive = next(Path(folder).glob("*.tgz"))
        digest = b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
        assert f"sha512-{digest}" == integrity, f"{package} is not what was pinned"
        unpacked = Path(folder) / "unpacked"
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        unpacked.rename(target)
