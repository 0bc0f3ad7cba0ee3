"""Web Chat's bundle, downloaded once from npm's registry, with Microsoft's CDN as the fallback."""

from __future__ import annotations

import gzip
import io
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import platformdirs

from ..telemetry.log import logger
from ..telemetry.wait_line import show_wait
from .npm_package import NpmPackage, PackageError, integrity

VERSION: Final = "4.18.1"
PACKAGE: Final = NpmPackage(
    "botframework-webchat",
    VERSION,
    "sha512-7jpEUJ7olT62Xm+8eh7BhhIcXVfU2xD4pZDaeBt8K4XcNy6K/83UGIxE9BFkXmHMZ4hDEVOzs5cre07GWuaXzg==",
)
SCRIPT_INTEGRITY: Final = "sha384-AHFvk4Hi30kPlGug5u1RCA9gNO18GRKqhYcFtulI9sUUUp3HBpyjyTUf2/GVUHHb"
"""The integrity of its ``dist/webchat.js``, which is also the CDN's (Subresource Integrity § 3)."""
CDN: Final = f"https://cdn.botframework.com/botframework-webchat/{VERSION}/webchat.js"

_SCRIPT: Final = "package/dist/webchat.js"
_LARGEST_SCRIPT: Final = 16 * 1024 * 1024

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The source of the page's Web Chat: a ``file`` that the bot serves, or None for the CDN."""

    file: Path | None


def user_cache() -> Path:
    """The folder of this user's caches."""
    return platformdirs.user_cache_path("botframework-citations", appauthor=False)


def find_bundle(cache: Path | None = None) -> Bundle:
    """Find Web Chat in ``cache``, or download it, or fall back to the CDN with a warning.

    Blocks during a download of 7 MB if it isn't cached. A file with another integrity is never used.
    """
    file = (cache or user_cache()) / f"webchat-{VERSION}.js"
    try:
        if not _is_pinned(file):
            log.info("getting Web Chat from npm's registry", version=VERSION)
            with show_wait(lambda: f"downloading Web Chat {VERSION} (7 MB)"):
                _download(file)
    except (PackageError, OSError) as error:
        log.warning(
            "Web Chat comes from Microsoft's CDN: the page needs the internet", reason=str(error), url=CDN
        )
        return Bundle(None)
    return Bundle(file)


def _download(file: Path) -> None:
    script = extract(PACKAGE.fetch())
    if integrity(script, "sha384") != SCRIPT_INTEGRITY:
        raise PackageError("the bundle inside the npm package is not the one that was pinned")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        # The compressed file first: the check for the cached script then covers both.
        _write(file.with_name(f"{file.name}.gz"), gzip.compress(script, 9, mtime=0), Path(folder))
        _write(file, script, Path(folder))


def extract(archive: bytes) -> bytes:
    """Read the script from the package's archive, without writing anything to the disk.

    Raises :class:`PackageError` if it has no such file.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
            member = tar.getmember(_SCRIPT)
            content: IO[bytes] | None = tar.extractfile(member) if member.isreg() else None
            if content is None or member.size > _LARGEST_SCRIPT:
                raise PackageError(f"{_SCRIPT} is not a file of a likely size")
            return content.read()
    except (KeyError, tarfile.TarError) as error:
        raise PackageError(f"the npm package has no {_SCRIPT}") from error


def _is_pinned(file: Path) -> bool:
    return file.is_file() and integrity(file.read_bytes(), "sha384") == SCRIPT_INTEGRITY


def _write(file: Path, content: bytes, folder: Path) -> None:
    """Write the file atomically, since another process may read or write it at the same time."""
    temporary = folder / file.name
    temporary.write_bytes(content)
    temporary.replace(file)
