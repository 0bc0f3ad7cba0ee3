"""The package as users get it: its two files, alone in an empty environment, and what its extras bring."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from .ports import free_port

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
UV = shutil.which("uv") or Path(sys.executable).with_name("uv")
OF_A_RELEASE = 1_800_000_000
"""Seconds since 1970, in the place of the time of the commit that is released."""


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> str:
    """What a program prints; it must end well."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=dict(os.environ, **(environ or {})),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source: Path, *targets: str) -> list[Path]:
    """The files that hatchling makes of a source tree."""
    target = [option for one in targets for option in ("--target", one)]
    built = source.parent / f"{source.name}-built"
    run(
        *(sys.executable, "-m", "hatchling", "build", "--directory", str(built), *target),
        cwd=source,
        environ={"SOURCE_DATE_EPOCH": str(OF_A_RELEASE)},
    )
    return sorted(built.iterdir())


def copy_source(target: Path) -> Path:
    """What the package is made of, as a checkout has it elsewhere and at another time."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "citations", target / "citations", ignore=ignored, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore"):
        shutil.copyfile(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sdist and the wheel: in the order of their names, the wheel first."""
    return build(copy_source(tmp_path_factory.mktemp("source") / "checkout"), "sdist", "wheel")


def install(python: Path, wheel: Path) -> None:
    """With what it needs, into the environment of ``python``."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install"]
    done = subprocess.run(
        [*pip, "--quiet", str(wheel)], capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    if "connection broken by" in done.stderr:
        pytest.skip("pip reaches no package index, and the wheel needs other packages")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def python(files: Sequence[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel, what it needs, and nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install(python, files[0])
    return python


# Its two files


def test_two_builds_are_the_same_bytes(files: list[Path], tmp_path: Path) -> None:
    again = build(copy_source(tmp_path / "another checkout"), "sdist", "wheel")
    assert [file.suffix for file in again] == [".whl", ".gz"]
    assert [file.read_bytes() for file in again] == [file.read_bytes() for file in files]


def test_the_wheel_can_be_made_from_the_sdist(files: list[Path], tmp_path: Path) -> None:
    wheel, sdist = files
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    [again] = build(source, "wheel")
    assert again.read_bytes() == wheel.read_bytes()


def test_they_hold_the_library_and_nothing_else(files: list[Path]) -> None:
    library = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "citations").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "citations/py.typed" in library
    wheel, sdist = files
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in packed if ".dist-info/" not in name} == library
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    about = {"CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO", ".gitignore"}
    assert sources == library | about


# In an empty environment


def test_the_readmes_lines_run_with_the_wheel_alone(python: Path, tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count(">>> ") >= 5
    shutil.copy(ROOT / "README.md", tmp_path)
    run(python, "-I", "-m", "doctest", "README.md", cwd=tmp_path)


def test_its_command_is_there(python: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text('{"text": "A [1].", "references": [{"id": "1", "url": "https://e.com/"}]}', "utf-8")
    [command] = python.parent.glob("citations*")
    sent = json.loads(run(command, "render", "--channel", "sms", answer, cwd=tmp_path))
    assert sent["text"].startswith("A (1).")


SDKS = {
    "agents": "microsoft_agents",
    "botbuilder": "botbuilder",
    "botbuilder_entity": "botbuilder",
    "teams": "microsoft_teams",
}


def test_each_module_can_be_imported_and_an_integration_names_the_sdk_that_is_missing(
    python: Path, tmp_path: Path
) -> None:
    code = """
import citations, importlib, pkgutil
for one in pkgutil.walk_packages(citations.__path__, "citations."):
    if not one.name.endswith("__main__"):
        try:
            print(importlib.import_module(one.name).__name__)
        except ModuleNotFoundError as error:
            print(one.name, error.name.partition(".")[0], sep=":")
"""
    imported = set(run(python, "-I", "-c", code, cwd=tmp_path).split())
    assert {
        "citations.inspection.checks",
        "citations.inspection.json_ld",
        "citations.readers.writer",
    } <= imported
    missing = {f"citations.integrations.{module}:{sdk}" for module, sdk in SDKS.items()}
    assert {one for one in imported if ":" in one} == missing


def test_a_strict_type_checker_accepts_what_users_write_and_finds_their_mistakes(
    python: Path, tmp_path: Path
) -> None:
    snippets = [
        shutil.copy(ROOT / "tests" / "typing" / name, tmp_path) for name in ("accepted.py", "rejected.py")
    ]
    mypy = ("-m", "mypy", "--strict", "--config-file=", "--cache-dir", "cache", "--python-executable")
    run(sys.executable, *mypy, python, *snippets, cwd=tmp_path)


# With its extras


def assert_its_bot_is_sound(example: str, python: Path, cwd: Path) -> None:
    """docs/integrations.md: install, start, ask and check, each with what the first line installed."""
    port, channel = free_port(), "msteams" if example.startswith("teams") else "webchat"
    program = (ROOT / "examples" / f"{example}.py").read_text("utf-8").replace("3978", str(port))
    with subprocess.Popen([python, "-I", "-c", program], cwd=cwd) as bot:
        try:
            while not listens(port):
                assert bot.poll() is None
                time.sleep(0.1)
            endpoint = f"http://127.0.0.1:{port}/api/messages"
            sent = run(python, "-I", ROOT / "examples" / "ask_bot.py", channel, endpoint, cwd=cwd)
        finally:
            bot.kill()
    assert '"citation": [{' in sent
    (cwd / "sent.json").write_text(sent, "utf-8")
    run(python, "-I", "-m", "citations", "check", "--channel", channel, cwd / "sent.json", cwd=cwd)


def listens(port: int) -> bool:
    """Whether a program takes connections there."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The Python of a new environment, which ``install_alone`` fills."""
    if "EXTRAS" not in os.environ:
        pytest.skip("uv takes seconds to install an extra: EXTRAS=1, as in .ci/run")
    run(UV, "venv", "--quiet", "--python", sys.executable, tmp_path / "env", cwd=tmp_path)
    return tmp_path / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install_alone(python: Path, *what: str) -> None:
    done = subprocess.run(
        [UV, "pip", "install", "--quiet", "--system-certs", "--python", python, *what],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if "error sending request" in done.stderr or "Failed to fetch" in done.stderr:
        pytest.skip("uv reaches no package index")
    assert done.returncode == 0, done.stderr


ENGINE = "ANSWER_SOURCE=llamaindex LLAMAINDEX_ENGINE=examples.llamaindex_{}:engine"


@pytest.mark.parametrize(
    ("page", "installed", "settings"),
    [
        ("README.md", ["-r requirements.txt"], ""),
        ("docs/llamaindex.md", ["-r requirements-llamaindex.txt"], ENGINE.format("bm25")),
        (
            "docs/llamaindex.md",
            ["-r requirements-llamaindex.txt", "llama-index-vector-stores-milvus==1.2.0 milvus-lite==3.2.2"],
            ENGINE.format("vector"),
        ),
    ],
)
def test_the_bot_answers_with_what_a_page_installs_as_with_an_extra(
    page: str, installed: list[str], settings: str, alone: Path, tmp_path: Path
) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert settings in text
    for line in installed:
        assert f"pip install {line}" in text
        install_alone(alone, *line.split())
    environ = {"VECTOR_STORE_URI": str(tmp_path / "milvus.db"), "PYTHONPATH": str(ROOT)}
    environ |= dict(one.split("=") for one in settings.split())
    question = "Who approves a trip within Europe?"
    said = run(alone, ROOT / "app.py", "ask", question, cwd=tmp_path, environ=environ)
    assert "Your team lead approves trips within Europe." in said


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_installs_all_that_its_example_imports(
    extra: str, files: list[Path], alone: Path, tmp_path: Path
) -> None:
    install_alone(alone, f"{files[0]}[{extra}]")
    for example in ("bot", "stream"):
        if (ROOT / "examples" / f"{extra}_{example}.py").exists():
            assert_its_bot_is_sound(f"{extra}_{example}", alone, tmp_path)
    installed = json.loads(
        run(UV, "pip", "list", "--quiet", "--format", "json", "--python", alone, cwd=tmp_path)
    )
    found = {one["name"].lower(): one["version"] for one in installed}
    for one in map(Requirement, [*PROJECT["dependencies"], *EXTRAS[extra]]):
        assert one.specifier.contains(found[one.name.lower()]), one
