"""Web Chat's bundle, downloaded once with npm, with Microsoft's CDN as the fallback."""

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
from ..telemetry.wait_line import show_wait

VERSION: Final = "4.18.1"
PACKAGE_INTEGRITY: Final = (
    "sha512-7jpEUJ7olT62Xm+8eh7BhhIcXVfU2xD4pZDaeBt8K4XcNy6K/83UGIxE9BFkXmHMZ4hDEVOzs5cre07GWuaXzg=="
)
"""The integrity of the npm package ``botframework-webchat``."""
SCRIPT_INTEGRITY: Final = "sha384-AHFvk4Hi30kPlGug5u1RCA9gNO18GRKqhYcFtulI9sUUUp3HBpyjyTUf2/GVUHHb"
"""The integrity of its ``dist/webchat.js``, which is also the CDN's (Subresource Integrity § 3)."""
CDN: Final = f"https://cdn.botframework.com/botframework-webchat/{VERSION}/webchat.js"

_PACKAGE: Final = "botframework-webchat"
_SCRIPT: Final = "package/dist/webchat.js"
_LARGEST_SCRIPT: Final = 16 * 1024 * 1024
_DOWNLOAD_TIMEOUT: Final = 180

log = logger(__name__)


class BundleError(Exception):
    """The download failed. The message is one sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The source of the page's Web Chat: a ``file`` that the bot serves, or None for the CDN."""

    file: Path | None


def user_cache() -> Path:
    """The folder of this user's caches."""
    return platformdirs.user_cache_path("botframework-citations", appauthor=False)


def find_bundle(cache: Path | None = None) -> Bundle:
    """Find Web Chat in ``cache``, or download it with npm, or fall back to the CDN with a warning.

    Blocks during a download of 7 MB if it isn't cached. A file with another integrity is never used.
    """
    file = (cache or user_cache()) / f"webchat-{VERSION}.js"
    try:
        if not _is_pinned(file):
            log.info("getting Web Chat through npm", version=VERSION)
            with show_wait(lambda: f"npm downloads Web Chat {VERSION} (7 MB)"):
                _download(file)
    except (BundleError, OSError) as error:
        log.warning(
            "Web Chat comes from Microsoft's CDN: the page needs the internet", reason=str(error), url=CDN
        )
        return Bundle(None)
    return Bundle(file)


def _download(file: Path) -> None:
    npm = find_npm()
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        script = extract(pack(npm, f"{_PACKAGE}@{VERSION}", Path(folder)))
        if integrity(script, "sha384") != SCRIPT_INTEGRITY:
            raise BundleError("the bundle inside the npm package is not the one that was pinned")
        # The compressed file first: the check for the cached script then covers both.
        _write(file.with_name(f"{file.name}.gz"), gzip.compress(script, 9, mtime=0), Path(folder))
        _write(file, script, Path(folder))


def find_npm() -> str:
    """Find the command npm. Raises :class:`BundleError` if it is not installed."""
    npm = shutil.which("npm")  # npm.cmd on Windows
    if npm is None:
        raise BundleError("npm is not installed")
    return npm


def pack(npm: str, package: str, folder: Path) -> Path:
    """Download the archive of a package, such as ``name@1.2.3``, into ``folder``."""
    command = [npm, "pack", "--silent", "--ignore-scripts", package]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_DOWNLOAD_TIMEOUT)  # noqa: S603
    except subprocess.SubprocessError as error:
        raise BundleError(f"npm could not download {package.partition('@')[0]}") from error
    archive = next(folder.glob("*.tgz"), None)
    if archive is None:
        raise BundleError("npm downloaded nothing")
    return archive


def extract(archive: Path, expected: str = PACKAGE_INTEGRITY) -> bytes:
    """Read the script from the package's archive, without writing anything to the disk.

    Raises :class:`BundleError` if the archive's integrity is wrong, or it has no such file.
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
    """The hash of ``content`` in the form of npm and Subresource Integrity: ``sha512-…``."""
    return f"{algorithm}-{b64encode(hashlib.new(algorithm, content).digest()).decode('ascii')}"


def _is_pinned(file: Path) -> bool:
    return file.is_file() and integrity(file.read_bytes(), "sha384") == SCRIPT_INTEGRITY


def _write(file: Path, content: bytes, folder: Path) -> None:
    """Write the file atomically, since another process may read or write it at the same time."""
    temporary = folder / file.name
    temporary.write_bytes(content)
    temporary.replace(file)
