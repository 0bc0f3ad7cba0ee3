"""Web Chat's bundle: got once by package name through npm, or left to Microsoft's CDN."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import platformdirs

from ..telemetry.log import logger

VERSION: Final = "4.18.1"
PACKAGE_INTEGRITY: Final = (
    "sha512-7jpEUJ7olT62Xm+8eh7BhhIcXVfU2xD4pZDaeBt8K4XcNy6K/83UGIxE9BFkXmHMZ4hDEVOzs5cre07GWuaXzg=="
)
"""Of the npm package ``botframework-webchat``."""
SCRIPT_INTEGRITY: Final = "sha384-AHFvk4Hi30kPlGug5u1RCA9gNO18GRKqhYcFtulI9sUUUp3HBpyjyTUf2/GVUHHb"
"""Of ``dist/webchat.js`` in it, which the CDN has too (Subresource Integrity § 3)."""
CDN: Final = f"https://cdn.botframework.com/botframework-webchat/{VERSION}/webchat.js"

_SCRIPT: Final = "package/dist/webchat.js"
_LARGEST_SCRIPT: Final = 16 * 1024 * 1024
_PATIENCE: Final = 180

log = logger(__name__)


class BundleError(Exception):
    """The bundle could not be got on this machine; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Where the page finds Web Chat: a ``file`` that we serve, or None where it is the CDN's."""

    file: Path | None


def user_cache() -> Path:
    """Where this user's caches are."""
    return platformdirs.user_cache_path("botframework-citations", appauthor=False)


def find_bundle(cache: Path | None = None) -> Bundle:
    """Web Chat from ``cache``, else through npm into it, else from the CDN, which the log then says.

    Blocks for the time of a 7 MB download when it is not cached yet. A file that isn't the one
    pinned is never used.
    """
    file = (cache or user_cache()) / f"webchat-{VERSION}.js"
    try:
        if not _is_pinned(file):
            log.info("getting Web Chat through npm", version=VERSION)
            _fetch(file)
    except (BundleError, OSError) as error:
        log.warning(
            "Web Chat comes from Microsoft's CDN: the page needs the internet", reason=str(error), url=CDN
        )
        return Bundle(None)
    return Bundle(file)


def _fetch(file: Path) -> None:
    npm = shutil.which("npm")  # npm.cmd on Windows
    if npm is None:
        raise BundleError("npm is not installed")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        script = extract(_pack(npm, Path(folder)))
        if integrity(script, "sha384") != SCRIPT_INTEGRITY:
            raise BundleError("the bundle inside the npm package is not the one that was pinned")
        # The compressed one first: whoever finds the script finds both.
        _write(file.with_name(f"{file.name}.gz"), gzip.compress(script, 9, mtime=0), Path(folder))
        _write(file, script, Path(folder))


def _pack(npm: str, folder: Path) -> Path:
    """The package's archive, downloaded into ``folder``."""
    command = [npm, "pack", "--silent", "--ignore-scripts", f"botframework-webchat@{VERSION}"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_PATIENCE)  # noqa: S603
    except subprocess.SubprocessError as error:
        raise BundleError("npm could not download botframework-webchat") from error
    archive = next(folder.glob("*.tgz"), None)
    if archive is None:
        raise BundleError("npm downloaded nothing")
    return archive


def extract(archive: Path, expected: str = PACKAGE_INTEGRITY) -> bytes:
    """The script inside the package's archive; nothing else of it touches the disk.

    Raises :class:`BundleError` if the archive isn't the one pinned, or has no such file.
    """
    if integrity(archive.read_bytes(), "sha512") != expected:
        raise BundleError("the npm package is not the one that was pinned")
    try:
        with tarfile.open(archive, "r:gz") as tar:
            member = tar.getmember(_SCRIPT)
            content: IO[bytes] | None = tar.extractfile(member) if member.isreg() else None
            if content is None or member.size > _LARGEST_SCRIPT:
                raise BundleError(f"{_SCRIPT} is not a file of a likely size")
            return content.read()
    except (KeyError, tarfile.TarError) as error:
        raise BundleError(f"the npm package has no {_SCRIPT}") from error


def integrity(content: bytes, algorithm: str) -> str:
    """``sha512-…``, as npm and Subresource Integrity write it."""
    return f"{algorithm}-{b64encode(hashlib.new(algorithm, content).digest()).decode('ascii')}"


def _is_pinned(file: Path) -> bool:
    return file.is_file() and integrity(file.read_bytes(), "sha384") == SCRIPT_INTEGRITY


def _write(file: Path, content: bytes, folder: Path) -> None:
    """All of it or nothing: another process may read or write the same file now."""
    unfinished = folder / file.name
    unfinished.write_bytes(content)
    unfinished.replace(file)
