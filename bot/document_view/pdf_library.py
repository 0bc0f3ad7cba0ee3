"""Mozilla's renderer of PDFs, pdf.js (Apache-2.0), downloaded once from npm's registry.

Its package stays packed in the user's cache. The files that the browser needs are read from it into memory,
and only if the package's hash is the pinned one.
"""

from __future__ import annotations

import re
import tarfile
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..direct_line.bundle import user_cache
from ..direct_line.npm_package import NpmPackage, PackageError
from ..telemetry.log import logger

VERSION: Final = "6.5.438"
PACKAGE: Final = NpmPackage(
    "pdfjs-dist",
    VERSION,
    "sha512-vg8Pw1x+AFKy4AMDvhuWl5cOYV8d698UoEANoFFhc79hqXDnZQqnOXoxw3HG907WHOg1JYOvLhP756boddFxpA==",
)
_NEEDED: Final = re.compile(
    # The legacy build also runs in browsers of the last years. The rest is for fonts and pictures in PDFs;
    # no WebAssembly, which a Content-Security-Policy without eval refuses.
    r"package/(legacy/build/pdf(?:\.worker)?\.min\.mjs|cmaps/[\w-]+\.bcmap|standard_fonts/[\w-]+\.(?:pfb|ttf)"
    r"|wasm/\w+_nowasm_fallback\.js|iccs/[\w-]+\.icc)"
)
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes of all files that are read from the package."""

log = logger(__name__)


class PdfLibrary:
    """The files of pdf.js by their path in the package; none until :meth:`load` has found them."""

    def __init__(self, cache: Path | None = None) -> None:
        self._package = (cache or user_cache()) / f"pdfjs-dist-{VERSION}.tgz"
        self.files: Mapping[str, bytes] = {}

    def load_in_background(self) -> None:
        """Load the files in a thread, which does not keep the program from ending."""
        threading.Thread(target=self.load, name="pdf.js", daemon=True).start()

    def load(self) -> None:
        """Read the files from the cached package, or download it. Blocks during the download.

        Without them, and with a warning, a PDF is opened by the browser itself.
        """
        try:
            if not self._is_pinned():
                log.info("getting pdf.js from npm's registry", version=VERSION)
                self._download()
            self.files = _extract(self._package)
        except (PackageError, OSError, tarfile.TarError) as error:
            log.warning("PDFs are opened without a mark: pdf.js is missing", reason=str(error))

    def _is_pinned(self) -> bool:
        package = self._package
        return package.is_file() and PACKAGE.is_archive(package.read_bytes())

    def _download(self) -> None:
        content = PACKAGE.fetch()
        self._package.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._package.parent) as folder:
            archive = Path(folder) / self._package.name
            archive.write_bytes(content)
            archive.replace(self._package)


def _extract(package: Path) -> Mapping[str, bytes]:
    """Read the needed files from the package, without writing anything to the disk."""
    files: dict[str, bytes] = {}
    remaining = _LARGEST
    with tarfile.open(package, "r:gz") as tar:
        for member in tar:
            name = _NEEDED.fullmatch(member.name)
            content = (
                tar.extractfile(member) if name and member.isreg() and member.size <= remaining else None
            )
            if name and content:
                files[name[1]] = content.read()
                remaining -= member.size
    return files
