"""The commands of a terminal: one question and its answer, and the list of what a folder's index holds."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import app
from citations import AnswerKind, SensitivityLabel
from citations.readers import read_answer
from tests.bot.running import logged
from tests.model_server import chunk

LAPTOP = "When must I report a lost laptop to the security desk?"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run_command(*arguments: str) -> tuple[int, str, str]:
        with patch.dict(os.environ), logged(io.StringIO()):
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
    assert text.startswith("Sensitivity label: Confidential\n\nInformation security in ten minutes")


def test_an_engine_of_one_s_own_reads_the_folder_that_is_named(
    run: Any, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed")
    monkeypatch.setenv("LLAMAINDEX_ENGINE", "examples.llamaindex_bm25:retriever")
    code, out, _ = run("ask", "--source", "llamaindex", "--docs", str(docs), "How often is a fern watered?")
    assert code == 0
    assert "Water a fern twice a week" in out


def test_json_is_what_the_library_renders(run: Any) -> None:
    code, out, _ = run("ask", "--json", LAPTOP)
    answer = read_answer(json.loads(out))
    assert (code, answer.kind) == (0, AnswerKind.ANSWERED)
    assert "[1]" in answer.text
    assert answer.references[0].label == "confidential"


def test_no_character_of_a_document_turns_the_writing(run: Any, docs: Path) -> None:
    said = "Water a palm at \u202eno\u202c on\u2067ce, \u009b2Jor never."
    (docs / "plants" / "palm.md").write_text(f"# Palms\u202e\n\n{said}\n", "utf-8")
    _, out, _ = run("ask", "--docs", str(docs), "When must I water a palm?")
    assert "Water a palm at no once, " in out
    assert all(one.isprintable() for one in out.replace("\n", ""))
    _, out, _ = run("ask", "--docs", str(docs), "--json", "When must I water a palm?")
    assert all(one.isprintable() for one in out.replace("\n", ""))
    assert "at no once" in json.loads(out)["text"]


LABELS = """
default = "general"
[[label]]
id = "general"
name = "General"
priority = 0
[[label]]
id = "board"
name = "Board"
priority = 1
[ceiling]
"*" = "general"
[[rule]]
label = "board"
file = "plants/*"
"""


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_above_the_ceiling_is_not_printed(
    run: Any,
    docs: Path,
    form: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labels = docs / ".labels.toml"
    labels.write_text(LABELS, "utf-8")
    asked = ("ask", "--docs", str(docs), *form, "How often do I water a fern?")
    assert "twice a week" in run(*asked)[1]
    monkeypatch.setenv("LABELS_FILE", str(labels))
    code, out, _ = run(*asked)
    assert code == 0
    assert "twice" not in out
    assert "fern.md" in out
    assert "not shown here" in out
    if form:
        answer = read_answer(json.loads(out))
        assert "[1]" in answer.text
        (label,) = {one.label for one in answer.references}
        assert isinstance(label, SensitivityLabel)
        assert (label.id, label.name) == ("board", "Board")
    labels.write_text(LABELS.replace("plants", "plänts"), "utf-8")
    assert "twice" in run(*asked)[1]


def test_the_exit_code_tells_that_nothing_was_found(run: Any, docs: Path) -> None:
    code, out, _ = run("ask", "--docs", str(docs), "Who invented the telephone?")
    assert code == 1
    assert out.startswith(
        "Your documents seem not to say this. Not in any document: “invented”, “telephone”."
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wer hat das Telefon erfunden?", "Ihre Dokumente sagen das anscheinend nicht. In keinem Dokument: "),
        ("¿Quién inventó el teléfono?", "Parece que"),
    ],
)
def test_the_sentences_are_in_the_language_of_the_question(
    run: Any, docs: Path, question: str, said: str
) -> None:
    _, out, _ = run("ask", "--docs", str(docs), question)
    assert out.startswith(said)


FAULTS = [
    (("ask", "--source", "perplexity", "Hello?"), "--source perplexity needs PERPLEXITY_API_KEY"),
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


@pytest.fixture
def broken_model() -> Iterator[str]:
    """The address of a model that ends in the middle of its answer."""

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(chunk("Water it twice [1]. And"))

    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_what_a_model_wrote_before_it_broke_off_is_printed(
    run: Any, docs: Path, broken_model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", broken_model)
    monkeypatch.setenv("OPENAI_MODEL", "m")
    code, out, errors = run("ask", "--docs", str(docs), "How often must I water a fern?")
    assert code == 2
    assert out.startswith("Water it twice (1). And\n\nThe nearest passages in your documents:\n\nFerns (1)")
    assert "\n\n(1) plants/fern.md" in out
    assert " did not finish its answer: the answer broke off " in errors
    code, out, _ = run("ask", "--json", "--docs", str(docs), "How often must I water a fern?")
    assert (code, out) == (2, "")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_any_sign_is_printed_whatever_the_encoding_of_the_system_is(docs: Path, encoding: str) -> None:
    (docs / "fern.md").write_text("# Папоротники\n\nПоливайте папоротники дважды.\n", "utf-8")
    command = [sys.executable, app.__file__, "ask", "--docs", str(docs), "Папоротники?"]
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Поливайте папоротники дважды." in done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes a standard stream")
def test_without_stdout_there_is_no_traceback(docs: Path) -> None:
    command = f'"{sys.executable}" "{app.__file__}" index --docs "{docs}" >&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
@pytest.mark.parametrize("arguments", [("ask", LAPTOP), ("index",), ("doctor",)])
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


def test_one_long_name_does_not_widen_the_list(run: Any, docs: Path) -> None:
    (docs / f"{'x' * 200}.md").write_text("# Moss\n\nMoss grows.\n", "utf-8")
    _, out, _ = run("index", "--docs", str(docs))
    assert [len(line) < 100 for line in out.splitlines() if "passage  " in line] == [True, False]


def test_the_index_is_listed_without_a_vector(run: Any, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("EMBEDDINGS", "true")
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        monkeypatch.setenv("OPENAI_EMBEDDING_MODEL", "test-model")
        assert run("index", "--docs", str(docs))[0] == 0
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_folder_without_documents_is_told_by_the_exit_code(run: Any, tmp_path: Path) -> None:
    code, out, _ = run("index", "--docs", str(tmp_path))
    assert (code, out.splitlines()[-1]) == (1, "0 documents, 0 passages, 0 files not read")


def test_names_that_are_no_setting_are_said_with_the_nearest_one(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCS_DRI", "x")
    lines = (
        "EMBEDINGS=false",
        "OPENAI_MODEL",
        "HTTPS_PROXY=",
        "SSL_CERT_FILE=",
        "OPENAI_ORG_ID=o",
        "PLAN=1",
        "sk-123",
    )
    Path(".env").write_text("\n".join(lines), "utf-8")
    said = [
        "EMBEDINGS in .env is no setting (did you mean EMBEDDINGS?)",
        "OPENAI_MODEL in .env has no value: write OPENAI_MODEL=VALUE",
        "PLAN in .env is no setting",
        ".env, line 7: this is not NAME=value",
        "DOCS_DRI is no setting (did you mean DOCS_DIR?)",
    ]
    assert run("ask", LAPTOP)[2].splitlines() == said
    assert f"note   {said[0]}." in run("doctor")[1].splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("aks", "q"), "(did you mean ask?)"),
        (("ask", "q", "--dcos", "x"), "unrecognized arguments: --dcos x (did you mean --docs?)"),
        (("--dcos", "x"), "unrecognized arguments: --dcos (did you mean --docs?)"),
        (("ask", "q", "--channel", "sms"), "unrecognized arguments: --channel sms"),
        (("ask", "q", "--source", "foldr"), "(did you mean folder?)"),
        (("ask", "  "), "the question is empty"),
    ],
)
def test_a_slip_is_the_usage_and_what_was_meant(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        app.main(arguments)
    usage, *_, last = capsys.readouterr().err.splitlines()
    assert usage.startswith("usage: ")
    assert said in last


def test_a_fault_names_what_a_person_typed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--port", "abc")[2].startswith("--port abc is not a port: ")
    assert "--color blue is not a colour" in run("teams-package", "--color", "blue")[2]
    monkeypatch.setenv("PORT", "abc")
    assert run()[2].startswith("PORT=abc is not a port: ")


def test_an_empty_folder_says_what_could_be_in_it(run: Any, tmp_path: Path) -> None:
    for command in ("doctor", "index"):
        code, out, _ = run(command, "--docs", str(tmp_path))
        assert code == 1
        assert "folder is empty" in out
        assert "What is read: .md, " in out


def test_a_file_that_is_not_read_is_said_once(run: Any, docs: Path) -> None:
    _, out, errors = run("index", "--docs", str(docs))
    assert (out.count("old.doc"), errors) == (1, "")
