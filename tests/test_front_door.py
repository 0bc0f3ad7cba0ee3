"""What ``import citations`` has, and what it loads: each package with the first of its names that is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import citations


def loaded(code: str) -> set[str]:
    """The modules that a process has after ``code``, but for those that Python starts with."""
    script = f"import sys; before = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    command = [sys.executable, "-c", script]
    return set(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split())


def packages(modules: set[str]) -> set[str]:
    return {module.split(".")[1] for module in modules if module.startswith("citations.")}


@pytest.mark.parametrize("name", citations.__all__)
def test_every_name_is_there(name: str) -> None:
    assert name in dir(citations)
    value = getattr(citations, name)
    assert vars(citations)[name] is value


def test_names_that_are_not_there_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'cited'"):
        citations.cited  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'cited'"):
        from citations import cited  # type: ignore[attr-defined]  # noqa: F401


def test_importing_it_loads_nothing_else_of_ours_and_no_other_library() -> None:
    modules = loaded("import citations")
    assert packages(modules) == {"stub"}
    assert {module.partition(".")[0] for module in modules} - sys.stdlib_module_names == {"citations"}


def test_its_packages_are_there_without_an_import_of_each() -> None:
    assert "citations.readers" in loaded("import citations; citations.readers.FORMATS")
    assert "readers" in dir(citations)


def test_a_rendering_loads_no_reader_no_checks_and_no_json_ld() -> None:
    modules = loaded(
        "from citations import Answer, channel, cite, render; render(cite(Answer(text='x')), channel('webchat'))"
    )
    assert packages(modules) == {
        "channels",
        "graph",
        "labels",
        "stub",
        "markdown",
        "markers",
        "model",
        "renderer",
        "text",
    }
    assert not modules & {"msgspec", "pyld"}


_SILENTLY = """
import contextlib, io
from citations.__main__ import main
with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.suppress(SystemExit): main({})
"""


def test_the_help_of_the_command_line_loads_no_command_and_no_other_library() -> None:
    modules = loaded(_SILENTLY.format(["--help"]))
    assert packages(modules) == {"__main__", "cli", "stub", "readers"}
    assert {module.partition(".")[0] for module in modules} - sys.stdlib_module_names == {"citations"}


def test_a_command_loads_what_it_needs(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text('{"text": "It is."}', encoding="utf-8")
    modules = loaded(_SILENTLY.format(["render", str(file)]))
    assert "checks" not in packages(modules)
    assert "citations.readers.neutral" in modules
    assert not {"citations.readers.anthropic", "citations.readers.writer", "pyld"} & modules
