"""Packages of npm that the tests read or drive, got once and kept in the user's cache directory."""

from __future__ import annotations

import hashlib
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from pathlib import Path

from .programs import CACHE, alone, find_program


def npm_package(name: str, version: str, integrity: str) -> Path:
    """The unpacked ``package/`` directory of an npm package, checked against its sha512."""
    target = CACHE / f"{name.replace('/', '+')}-{version}"
    with alone():
        if not target.is_dir():
            _unpack(f"{name}@{version}", integrity, target)
    return target / "package"


def npm_archive(name: str, version: str, integrity: str) -> bytes:
    """The archive of an npm package, as the registry sends it."""
    target = CACHE / f"{name.replace('/', '+')}-{version}.tgz"
    with alone():
        if not target.is_file():
            with tempfile.TemporaryDirectory(dir=CACHE) as folder:
                _pack(f"{name}@{version}", integrity, Path(folder)).replace(target)
    return target.read_bytes()


def _unpack(package: str, integrity: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        archive = _pack(package, integrity, Path(folder))
        unpacked = Path(folder) / "unpacked"
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")
        unpacked.rename(target)


def _pack(package: str, integrity: str, folder: Path) -> Path:
    command = [find_program("npm"), "pack", "--silent", "--ignore-scripts", package]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    archive = next(folder.glob("*.tgz"))
    digest = b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
    assert f"sha512-{digest}" == integrity, f"{package} is not what was pinned"
    return archive
