"""Web Chat's bundle: only the file that is pinned, from wherever it comes."""

from __future__ import annotations

import io
import tarfile

import pytest

from bot.direct_line import bundle
from bot.direct_line.bundle import extract
from bot.direct_line.npm_package import PackageError


def archive(*members: tuple[str, bytes | None]) -> bytes:
    """An npm package; a member without content is a symbolic link out of it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content or b"")
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(info, io.BytesIO(content or b""))
    return packed.getvalue()


SCRIPT = "package/dist/webchat.js"


def test_the_script_is_taken() -> None:
    assert extract(archive(("../../evil", b"x"), (SCRIPT, b"script"), ("package/x", b"y"))) == b"script"


BROKEN = [("no script", (("package/x", b"y"),)), ("a link", ((SCRIPT, None),))]


@pytest.mark.parametrize(("what", "members"), BROKEN)
def test_a_package_without_the_script(what: str, members: tuple[tuple[str, bytes | None], ...]) -> None:
    with pytest.raises(PackageError):
        extract(archive(*members))


def test_what_is_no_archive() -> None:
    with pytest.raises(PackageError):
        extract(b"<html>")


def test_the_cdn_has_the_same_version() -> None:
    assert bundle.VERSION in bundle.CDN
