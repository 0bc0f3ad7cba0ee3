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

CACHE = platformdirs.user_cache_path("botframework-citations-tests", appauthor=False)


def npm_package(name: str, version: str, integrity: str) -> Path:
    """The unpacked ``package/`` directory of an npm package, checked against its sha512."""
    target = CACHE / f"{name.replace('/', '+')}-{version}"
    if target.is_dir():
        return target / "package"
    npm = shutil.which("npm")
    assert npm, "npm is needed for these tests"
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        command = [npm, "pack", "--silent", "--ignore-scripts", f"{name}@{version}"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
        archive = next(Path(folder).glob("*.tgz"))
        digest = b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
        assert f"sha512-{digest}" == integrity, f"{name}@{version} is not what was pinned"
        unpacked = Path(folder) / "unpacked"
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        if not target.is_dir():
            unpacked.rename(target)
    return target / "package"
