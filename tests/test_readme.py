"""Every example of the README does what it says."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from examples.channels import texts

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert found
    return found


def test_python() -> None:
    # A reader goes on in the same session.
    session = "\n".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("example", blocks("console"))
def test_command_line(example: str) -> None:
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("the README's pipes are written for a POSIX shell")
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


def test_links_lead_somewhere() -> None:
    prose = re.sub(r"`[^`\n]*`", "", README)
    targets = re.findall(r"\]\((?!https?:|#)([^)]+)\)", prose)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_email_is_what_is_sent() -> None:
    (sent,) = texts("email")
    assert "\n".join(f"> {line}".rstrip() for line in sent.split("\n")) in README
