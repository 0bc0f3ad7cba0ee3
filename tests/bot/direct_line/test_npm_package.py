"""The packages of the page come from a registry on a socket: right, altered, cut, slow or absent; npm is not asked."""

from __future__ import annotations

import gzip
import os
import ssl
from pathlib import Path

import pytest
import trustme

from bot.config.npm_registry import NPM_REGISTRY, npm_registry
from bot.direct_line import bundle
from bot.direct_line.bundle import SCRIPT_INTEGRITY, Bundle, find_bundle
from bot.direct_line.npm_package import NpmPackage, PackageError, integrity
from bot.document_view import pdf_library
from bot.document_view.pdf_library import PdfLibrary
from tests.bot.npm_registry import CUT, DRIPPING, SILENT, registry_server
from tests.npm_package import npm_archive

CONTENT = b"an archive" * 100_000
PACKAGE = NpmPackage("some-package", "1.2.3", integrity(CONTENT, "sha512"))
PATH = "/some-package/-/some-package-1.2.3.tgz"


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower() in ("npm_config_registry", "http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            monkeypatch.delenv(name)


def path_of(package: NpmPackage) -> str:
    return f"/{package.name}/-/{package.name}-{package.version}.tgz"


def real(package: NpmPackage) -> dict[str, bytes]:
    return {path_of(package): npm_archive(package.name, package.version, package.integrity)}


def test_web_chat_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archives = real(bundle.PACKAGE)
    monkeypatch.setenv("PATH", str(tmp_path))
    with registry_server(archives) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        found = find_bundle(tmp_path)
        assert found.file
        assert integrity(found.file.read_bytes(), "sha384") == SCRIPT_INTEGRITY
        compressed = Path(f"{found.file}.gz")
        assert gzip.decompress(compressed.read_bytes()) == found.file.read_bytes()
        assert len(list(tmp_path.iterdir())) == 2
        # Once is enough, and a damaged file is got again.
        assert find_bundle(tmp_path) == found
        assert len(registry.asked) == 1
        found.file.write_bytes(b"alert(1)")
        assert find_bundle(tmp_path) == found
        assert integrity(found.file.read_bytes(), "sha384") == SCRIPT_INTEGRITY
        assert registry.asked == [f"GET {path_of(bundle.PACKAGE)} HTTP/1.1"] * 2


def test_pdf_js_is_fetched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archives = real(pdf_library.PACKAGE)
    monkeypatch.setenv("PATH", str(tmp_path))
    with registry_server(archives) as registry:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", f"{registry.url}/")
        for _ in range(2):
            library = PdfLibrary(tmp_path)
            library.load()
            assert "legacy/build/pdf.min.mjs" in library.files
        assert len(registry.asked) == 1


BROKEN = [
    (
        "altered",
        {PATH: CONTENT[:-1] + b"!"},
        "",
        r"what 127\.0\.0\.1:\d+ sent is not the package some-package",
    ),
    ("empty", {PATH: b""}, "", "is not the package some-package that was pinned"),
    ("cut", {PATH: CONTENT}, CUT, "connection was cut"),
    ("slow", {PATH: CONTENT}, DRIPPING, "the registry is too slow"),
    ("silent", {PATH: CONTENT}, SILENT, "did not answer: "),
    ("missing", {}, "", "answered 404"),
]


@pytest.mark.parametrize(
    ("archives", "way", "reason"), [case[1:] for case in BROKEN], ids=[c[0] for c in BROKEN]
)
def test_what_is_wrong_with_it_is_said(
    archives: dict[str, bytes], way: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with registry_server(archives, way) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        with pytest.raises(PackageError, match=reason):
            PACKAGE.fetch(longest=0.3, silence=0.6 if way == SILENT else 60.0)
        registry.way, registry.archives = "", {PATH: CONTENT}
        registry.ended.set()
        assert PACKAGE.fetch() == CONTENT


def test_an_absent_registry_leaves_it_to_the_cdn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with registry_server({}) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
    with pytest.raises(PackageError, match="did not answer: "):
        PACKAGE.fetch()
    assert find_bundle(tmp_path / "cache") == Bundle(None)
    library = PdfLibrary(tmp_path / "cache")
    library.load()
    assert library.files == {}
    assert not (tmp_path / "cache").exists()


def test_an_altered_package_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with registry_server(
        {path_of(one): CONTENT for one in (bundle.PACKAGE, pdf_library.PACKAGE)}
    ) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        assert find_bundle(tmp_path / "cache") == Bundle(None)
        PdfLibrary(tmp_path / "cache").load()
        assert len(registry.asked) == 2
    assert not (tmp_path / "cache").exists()


def test_over_https_through_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("registry.test").configure_cert(tls)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("npm_config_registry", "https://registry.test/npm")
    with registry_server({f"/npm{PATH}": CONTENT}, tls=tls) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with pytest.raises(PackageError, match=r"registry\.test did not answer: .*certificate"):
            PACKAGE.fetch()
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert PACKAGE.fetch() == CONTENT
        # Python 3.13 connects by HTTP/1.1.
        asked = [line.rpartition(" HTTP/1.")[0] for line in proxy.asked[-2:]]
        assert asked == ["CONNECT registry.test:443", f"GET /npm{PATH}"]


def test_no_proxy_leads_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with registry_server({PATH: CONTENT}) as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        assert PACKAGE.fetch() == CONTENT
        monkeypatch.setenv("http_proxy", registry.url)
        monkeypatch.setenv("npm_config_registry", "http://registry.test")
        assert PACKAGE.fetch() == CONTENT
        assert registry.asked[-1] == f"GET http://registry.test{PATH} HTTP/1.1"


@pytest.mark.parametrize(
    "address", ["ftp://registry.test/", "file:///etc", "registry.test", "https://me:secret@registry.test"]
)
def test_an_address_of_another_form_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", address)
    with pytest.raises(PackageError, match=r"^npm_config_registry ") as caught:
        PACKAGE.fetch()
    assert "secret" not in str(caught.value)


def test_npms_own_registry_is_the_default() -> None:
    assert npm_registry({}) == npm_registry({"npm_config_registry": " "}) == NPM_REGISTRY
