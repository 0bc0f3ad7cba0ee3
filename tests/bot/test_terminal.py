"""The commands of a terminal: one question and its answer, and the list of what a folder's index holds."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import app
from citations import AnswerKind
from citations.readers import read_answer

from .running import logged

LAPTOP = "When must I report a lost laptop?"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run_command(*arguments: str) -> tuple[int, str, str]:
        with logged(io.StringIO()):
            code = app.main(arguments)
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "plants").mkdir()
    (tmp_path / "plants" / "fern.md").write_text("# Ferns\n\nWater a fern twice a week.\n", "utf-8")
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    return tmp_path


def test_a_question_is_answered_with_numbered_sources_and_their_files(run: Any) -> None:
    code, out, errors = run("ask", LAPTOP)
    assert (code, errors) == (0, "")
    text, sources = out.rstrip().split("\n\n(1) ")
    assert "within two hours, at night too." in text
    assert "(1)" in text
    assert sources.startswith("information-security.html: Information security in ten minutes")


def test_json_is_what_the_library_renders(run: Any) -> None:
    code, out, _ = run("ask", "--json", LAPTOP)
    answer = read_answer(json.loads(out))
    assert (code, answer.kind) == (0, AnswerKind.ANSWERED)
    assert answer.text.endswith("[1]")
    assert answer.references[0].label == "confidential"


def test_the_exit_code_tells_that_nothing_was_found(run: Any, docs: Path) -> None:
    code, out, _ = run("ask", "--docs", str(docs), "Who invented the telephone?")
    assert (code, out.splitlines()[0]) == (1, "I found nothing about this in your documents.")


FAULTS = [
    (("ask", "--source", "perplexity", "Hello?"), "ANSWER_SOURCE=perplexity needs PERPLEXITY_API_KEY"),
    (("ask", "--docs", "not-there", "Hello?"), "the folder not-there does not exist (DOCS_DIR, --docs)"),
    (("index", "--docs", "not-there"), "the folder not-there does not exist (DOCS_DIR, --docs)"),
]


@pytest.mark.parametrize(("arguments", "fault"), FAULTS)
def test_settings_that_do_not_hold_are_named(run: Any, arguments: tuple[str, ...], fault: str) -> None:
    assert run(*arguments) == (2, "", f"{fault}\n")


def test_a_source_that_cannot_be_reached_is_named(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPEN_WEBUI_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPEN_WEBUI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPEN_WEBUI_MODEL", "llama")
    code, out, errors = run("ask", "--source", "open-webui", "Hello?")
    assert (code, out) == (2, "")
    assert " did not answer: " in errors
    assert "sk-secret" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
@pytest.mark.parametrize("arguments", [("ask", LAPTOP), ("index",)])
def test_a_reader_who_goes_away_is_no_error(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, app.__file__, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""


def test_the_index_is_listed_with_what_is_not_read_and_why(run: Any, docs: Path) -> None:
    code, out, _ = run("index", "--docs", str(docs))
    assert code == 0
    first, *_, skipped, _, sums = out.splitlines()
    assert re.fullmatch(r"plants/fern\.md +\d+ B +1 passage +Ferns", first)
    assert skipped.startswith("old.doc: the format .doc is not read")
    assert sums == "1 document, 1 passage, 1 file not read"


def test_a_folder_without_documents_is_told_by_the_exit_code(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("index", "--docs", str(tmp_path))
    assert (code, out.splitlines()[-1]) == (1, "0 documents, 0 passages, 0 files not read")
