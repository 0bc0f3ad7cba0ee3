"""``python -m citations``: what is printed where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from citations.__main__ import main

ROOT = Path(__file__).parents[1]
ANSWER = {
    "text": "Override the proxy[1], please.",
    "references": [{"id": "1", "name": "Proxy “ü”", "url": "https://example.com/1", "label": "secret"}],
}
CLEAN = '{"type": "message", "text": "a"}'
FAULTY = '{"type": "message", "text": "a[1]\\n\\n[1]: cite:1 \\"One\\""}'
LABELS = """
[[label]]
id = "public"
name = "Public"
priority = 0

[[label]]
id = "secret"
name = "Confidential"
priority = 1
"""


class Run:
    """One run of the command line, in this process."""

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code, self.err = code, err
        self.out = out.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    def run(*arguments: str, given: bytes | str = b"") -> Run:
        given = given.encode() if isinstance(given, str) else given
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfdbinary.readouterr()
        return Run(code, out, err.decode())

    return run


def test_render_prints_an_activity(run: Any) -> None:
    done = run("render", given=json.dumps(ANSWER))
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    assert list(done.json) == ["type", "text", "textFormat", "entities"]
    assert done.json["text"] == 'Override the proxy[1], please.\n\n[1]: https://example.com/1 "Proxy “ü”"'
    assert "“ü”" in done.out


def test_what_is_rendered_is_clean(run: Any) -> None:
    rendered = run("render", given=json.dumps(ANSWER)).out
    done = run("check", given=rendered)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_file_and_the_dash(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(ANSWER), encoding="utf-8")
    assert run("render", str(file)).json == run("render", "-", given=json.dumps(ANSWER)).json


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_file_as_windows_writes_it(run: Any, encoding: str) -> None:
    text = json.dumps(ANSWER, ensure_ascii=False)
    assert run("render", given=text.encode(encoding)).json == run("render", given=text).json


def test_another_channel(run: Any) -> None:
    done = run("render", "--channel", "nobody-knows", given=json.dumps(ANSWER))
    assert done.json["textFormat"] == "plain"
    assert done.json["text"] == (
        "Sensitivity label: secret\n\nOverride the proxy(1), please.\n\n(1) Proxy “ü”: https://example.com/1"
    )


def test_writers_response(run: Any) -> None:
    response = {
        "answer": "Tools [A.pdf](c1).",
        "references": {"files": [{"text": "A passage.", "fileId": "f1", "cite": "c1", "page": 2}]},
    }
    done = run("render", "--from", "writer", given=json.dumps(response))
    assert done.json["text"] == 'Tools [1].\n\n[1]: cite:1 "A.pdf, p. 2"'


def test_labels(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_bytes(b"\xef\xbb\xbf" + LABELS.encode())
    done = run("render", "--labels", str(labels), given=json.dumps(ANSWER))
    message = done.json["entities"][0]
    assert message["usageInfo"] == {"@id": "_:s1"}
    assert message["citation"][0]["appearance"]["usageInfo"]["name"] == "Confidential"


def test_problems_of_an_answer_are_told_beside_it(run: Any) -> None:
    done = run("render", given=json.dumps(ANSWER | {"text": "a[1] b[7]"}))
    assert done.code == 0
    assert done.json["text"].startswith("a[1]")
    assert done.err.startswith("unknown-reference $.text marker [7] names no reference")


def test_labels_that_are_faulty(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(LABELS + "colour = 'red'\n[ceiling]\nsms = 'x'", encoding="utf-8")
    done = run("render", "--labels", str(labels), given=json.dumps(ANSWER))
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        f"{labels}: label 2: unknown key 'colour'; did you mean 'color'?",
        f"{labels}: ceiling.sms is 'x', which is no label's id",
    ]


def test_labels_that_are_not_there(run: Any, tmp_path: Path) -> None:
    done = run("render", "--labels", str(tmp_path / "none.toml"), given=json.dumps(ANSWER))
    assert (done.code, done.out) == (2, "")
    assert "none.toml: No such file" in done.err


UNREADABLE: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "$: expected JSON, got nothing"),
    ("only spaces", b" \n", "$: expected JSON, got nothing"),
    ("an HTML page", b"<!DOCTYPE html>", "$: not JSON (an HTML page?): Expecting value, line 1 column 1"),
    ("cut off", b'{"text": "a"', "$: not JSON: Expecting ',' delimiter, line 1 column 13"),
    ("more behind it", b'{"text": "a"} x', "$: not JSON: Extra data, line 1 column 15"),
    ("a wrong type", b'{"text": 1}', "$.text: expected str, got int"),
    ("a fault inside", b'{"text": "", "references": [{"id": []}]}', "$.references[0].id: expected int | str, got array"),
    ("a key twice", b'{"text": "a", "text": "b"}', '$: the key "text" stands twice in one object'),
    ("NaN", b'{"text": "a", "x": NaN}', "$: NaN is no JSON value"),
    ("infinity", b"-Infinity", "$: -Infinity is no JSON value"),
    ("a number beyond all", b"[1e999]", "$: the number 1e999 is too large"),
    ("a very long number", b"1" * 5000, "$: a number has too many digits"),
    ("no UTF-8", b'{"text": "\xff"}', "$: not UTF-8 text: byte 10"),
    ("half of UTF-16", "a".encode("utf-16") + b"b", "$: not UTF-16 text: byte"),
    ("very deep", b"[" * 100_000, "$: nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "expected"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
def test_what_cannot_be_read(run: Any, given: bytes, expected: str) -> None:
    done = run("render", given=given)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith(expected)


def test_a_file_that_is_not_there(run: Any, tmp_path: Path) -> None:
    for verb in ("render", "check"):
        for lines in ((), ("--lines",)):
            done = run(verb, *lines, str(tmp_path / "none.json"))
            assert (done.code, done.out) == (2, "")
            assert "none.json: No such file" in done.err
            assert done.err.count("\n") == 1


def test_check_prints_a_line_for_each_problem(run: Any) -> None:
    done = run("check", given='{"type": "message", "text": "a[1]\\n\\n[1]: cite:1 \\"One\\""}')
    assert done.code == 1
    assert done.err == ""
    (line,) = done.out.splitlines()
    code, path, message = line.split(" ", 2)
    assert (code, path) == ("definition-opens-nothing", "$.text")
    assert message.startswith("[1] leads to 'cite:1'")


def test_check_for_another_channel(run: Any) -> None:
    activity = '{"type": "message", "text": "a[1]\\n\\n[1]: cite:1"}'
    assert run("check", "--channel", "directline", given=activity).code == 1
    assert run("check", "--channel", "sms", given=activity).code == 0


def test_check_of_what_cannot_be_read(run: Any) -> None:
    done = run("check", given="[")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("$: not JSON")


def test_lines_of_answers(run: Any) -> None:
    unknown = json.dumps({"text": "b[7]", "references": [{"id": "1"}]})
    done = run("render", "--lines", given="\n".join([json.dumps(ANSWER), "", '{"text": 1}', "[", unknown]))
    assert done.code == 2
    assert [list(line) for line in done.lines] == [["activity"], ["error"], ["error"], ["activity"]]
    assert done.lines[0]["activity"] == run("render", given=json.dumps(ANSWER)).json
    assert done.lines[1] == {"error": "$.text: expected str, got int"}
    assert done.err.startswith("line 5: unknown-reference $.text marker [7]")
    assert run("render", "--lines", given=json.dumps(ANSWER)).code == 0
    assert run("render", "--lines").code == 0


def test_lines_of_activities(run: Any) -> None:
    done = run("check", "--lines", given=f"{CLEAN}\r\n{FAULTY}\r\n")
    assert done.code == 1
    first, second = done.lines
    assert first == {"problems": []}
    (problem,) = second["problems"]
    assert (list(problem), problem["code"]) == (["code", "path", "message"], "definition-opens-nothing")
    assert run("check", "--lines", given=CLEAN).code == 0
    assert run("check", "--lines", given=f"{FAULTY}\nx").code == 2


DELTAS = """\
{"dialect": "numbered", "origin": {"slogan": "Quoted", "generated": false}}
{"delta": "Override the "}

{"references": [{"id": "1", "name": "Proxy “ü”", "url": "https://example.com/1"}]}
{"delta": "proxy"}
{"delta": "[1].\\n\\n"}
{"delta": "Then rest."}
"""
STREAMED = {
    "text": "Override the proxy[1].\n\nThen rest.",
    "references": [{"id": "1", "name": "Proxy “ü”", "url": "https://example.com/1"}],
    "dialect": "numbered",
    "origin": {"slogan": "Quoted", "generated": False},
}


@pytest.mark.parametrize("channel", ["webchat", "msteams"])
def test_a_stream_grows_and_ends_as_the_whole_answer(run: Any, channel: str) -> None:
    done = run("render", "--stream", "--channel", channel, given=DELTAS)
    assert (done.code, done.err) == (0, "")
    *interims, final = done.lines
    whole = run("render", "--channel", channel, given=json.dumps(STREAMED)).json
    info = {"type": "streaminfo", "streamType": "final"}
    assert final == whole | {"entities": [*whole["entities"], info], "channelData": {"streamType": "final"}}
    assert interims
    for sequence, interim in enumerate(interims, 1):
        metadata = {"streamType": "streaming", "streamSequence": sequence}
        assert list(interim) == ["type", "text", "textFormat", "entities", "channelData"]
        assert (interim["type"], interim["channelData"]) == ("typing", metadata)
        assert interim["entities"][-1] == {"type": "streaminfo", **metadata}
        assert interim["text"].startswith("Override")


def test_half_of_a_surrogate_pair_is_printed_as_json_can(run: Any) -> None:
    done = run("check", "--lines", given='{"type": "message", "\\ud800": "\\udfff"}')
    assert done.lines[0]["problems"][0]["code"] == "not-unicode"


@pytest.mark.parametrize("arguments", [(), ("render", "--from", "nobody"), ("sing",), ("render", "a", "b")])
def test_wrong_arguments(run: Any, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2


def help_of(capture: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capture.readouterr()[0].decode()


def test_the_example_of_the_help_is_true(run: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = help_of(capfdbinary)
    answer = json.loads(text[text.index('{"text"') : text.index("$ python")])
    shown = text[text.index('{"type"') :].splitlines()[0].removesuffix(" ...")
    assert run("render", given=json.dumps(answer)).out.startswith(shown)


def test_the_labels_file_of_the_help_is_one(
    run: Any, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = help_of(capfdbinary, "render")
    labels = tmp_path / "labels.toml"
    labels.write_text(text[text.index("  default =") : text.index("exit codes")], encoding="utf-8")
    assert run("render", "--labels", str(labels), given=json.dumps(ANSWER)).code == 0


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "citations", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def test_as_a_program_whose_console_speaks_another_code_page() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    given = json.dumps(ANSWER | {"text": "日本語[1] [7]"}, ensure_ascii=False).encode()
    with start("render", env=environment) as process:
        out, err = process.communicate(given)
    assert process.returncode == 0, err
    assert json.loads(out.decode("utf-8"))["text"].startswith("日本語[1]")
    assert b"\r" not in out


def test_a_program_that_keeps_asking_gets_each_answer_at_once() -> None:
    with start("render", "--lines") as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(json.dumps(ANSWER).encode() + b"\n")
            process.stdin.flush()
            assert b'"activity"' in process.stdout.readline()
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
def test_a_reader_who_goes_away_is_no_error() -> None:
    with start("render", "--lines") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.write((json.dumps(ANSWER).encode() + b"\n") * 10)
            process.stdin.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""
