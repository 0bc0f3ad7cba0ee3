"""What the README and the pages in docs/ show is what the product does."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from bot.app.terminal.arguments import build_parser
from citations import read_answer
from citations.cli.arguments import parser as library_parser
from citations.cli.suggesting_parser import SuggestingParser
from examples.channels import texts

from .programs import find_program
from .settings_page import SUBJECTS

ROOT = Path(__file__).parent.parent
PAGES = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
}


def read_blocks(language: str, *pages: str) -> list[str]:
    """The fenced blocks of a language, of these pages or of all."""
    fence = re.compile(rf"^```{language}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    found = [block for page in pages or PAGES for block in fence.findall(PAGES[page])]
    assert found
    return found


# Examples


@pytest.mark.parametrize("page", [page for page, text in PAGES.items() if "```pycon" in text])
def test_python_sessions(page: str) -> None:
    # A page is one session.
    session = "\n".join(read_blocks("pycon", page))
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("example", read_blocks("console"))
def test_commands(example: str) -> None:
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("the pages' pipes are written for a POSIX shell")
    command, _, expected = example.partition("\n")
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(
        [shell, "-c", command.removeprefix("$ ")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.decode("utf-8") == expected


@pytest.mark.parametrize("example", read_blocks("js"))
def test_javascript(example: str) -> None:
    node = find_program("node")
    done = subprocess.run(
        [node, "--input-type=module"], input=example.encode(), cwd=ROOT, capture_output=True, check=False
    )
    assert done.stderr == b""
    shown = [line.removeprefix("//").removeprefix(" ") for line in example.splitlines() if line[:2] == "//"]
    assert done.stdout.decode("utf-8").splitlines() == shown


@pytest.mark.parametrize("example", read_blocks("json", "docs/library.md"))
def test_neutral_answers(example: str) -> None:
    assert read_answer(json.loads(example)).references


def test_the_email_is_the_channels() -> None:
    (sent,) = texts("email")
    assert "\n".join(f"> {line}".rstrip() for line in sent.split("\n")) in PAGES["docs/channels.md"]


# Commands and settings


@pytest.mark.parametrize(
    ("command", "parser"), [("app.py", build_parser()), ("python -m citations", library_parser())]
)
def test_each_option_that_a_page_writes_is_one(command: str, parser: SuggestingParser) -> None:
    commands = parser._commands()
    written = re.compile(rf"{re.escape(command)} ([^\n`|&>]*)")
    lines = [line for text in PAGES.values() for line in written.findall(re.sub(r"\\\n\s*", " ", text))]
    options = [
        (
            option,
            {
                *parser._own(),
                *(name for one in line.split() if one in commands for name in commands[one]._own()),
            },
        )
        for line in lines
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", line)
    ]
    assert len(options) > 30
    assert [option for option, known in options if option not in known] == []


OF_OTHERS = {
    "ENABLE_API_KEYS",  # Open WebUI
    "REDIS_PASSWORD",  # deploy/compose.yaml
    "VECTOR_STORE_LANGUAGE",  # examples/llamaindex_vector.py
    "VECTOR_STORE_URI",
    "WEBSITES_CONTAINER_STOP_TIME_LIMIT",  # Azure App Service
    "WEBSITES_PORT",
}


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_each_variable_that_a_page_sets_is_one(page: str) -> None:
    """The change log has names of the past."""
    code = "\n".join(re.findall(r"^```sh\n.*?^```|`[^`\n]+`", PAGES[page], re.DOTALL | re.MULTILINE))
    names = re.findall(r"(?<![\w-])(?:Microsoft\w+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?==)", code)
    known = {
        kind.variable_of(name).upper() for kind in chain(*SUBJECTS.values()) for name in kind.model_fields
    }
    assert {name for name in names if name.upper() not in known} <= OF_OTHERS


# Links and paths


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """The fragments that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", without_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    prose = re.sub(r"`[^`\n]*`", "", without_blocks(PAGES[page]))
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", prose):
        path, _, fragment = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), target
        if fragment:
            assert fragment in anchors(file.read_text(encoding="utf-8")), target


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/")])
def test_a_page_says_whom_it_is_for_and_the_readme_leads_to_it(page: str) -> None:
    assert re.match(r"# .+\n\nFor [^.]+\.\n\n", PAGES[page])
    assert f"({page}" in PAGES["README.md"]


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_named_paths_are_there(page: str) -> None:
    named = re.findall(r"`((?:bot|citations|tests|benchmarks|examples)/[\w./]*)`", PAGES[page])
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("package", ["citations", "bot"])
def test_the_pictures_of_the_packages_are_those_of_the_layers(package: str) -> None:
    contracts: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "tool"
    ]["importlinter"]["contracts"]
    [layers] = [one["layers"] for one in contracts if one.get("containers") == [package]]
    [picture] = [one for one in read_blocks("text", "docs/architecture.md") if one.startswith(f"{package}/")]
    packages = [one for one in layers if (ROOT / package / one).is_dir()]
    assert re.findall(r"^  (\w+)/", picture, re.MULTILINE) == packages


@pytest.mark.parametrize("name", ["the bot", "the tests"])
def test_a_command_of_the_readme_is_marked(name: str) -> None:
    """``.ci/run`` takes the line of the tests from there."""
    readme = PAGES["README.md"]
    assert re.search(rf"<!-- {name} -->\n+```\w*\n(python3 -m venv .+ && .+ && .+)\n```", readme)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_a_page_installs_the_uv_that_the_tests_require(page: str) -> None:
    """Another one would replace itself while it runs."""
    [named] = re.findall(r"pip install (?:-q )?(uv==\S+)", (ROOT / page).read_text(encoding="utf-8"))
    assert named in (ROOT / "requirements-test.txt").read_text(encoding="utf-8").split()
