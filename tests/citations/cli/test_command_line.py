"""``python -m citations``: what is printed where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from citations.__main__ import main
from citations.inspection.checks import RULES

ROOT = Path(__file__).parents[3]
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


class Pipe(io.RawIOBase):
    """Bytes that come one piece at a time, as through a pipe."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = [piece for piece in pieces if piece]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._pieces:
            return 0
        piece = self._pieces.pop(0)
        taken = min(len(piece), len(buffer))
        buffer[:taken] = piece[:taken]
        if piece[taken:]:
            self._pieces.insert(0, piece[taken:])
        return taken


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    def run(*arguments: str, given: bytes | str | Sequence[bytes] = b"") -> Run:
        pieces = (
            [given.encode()] if isinstance(given, str) else [given] if isinstance(given, bytes) else given
        )
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(pieces))))
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
        "Sensitivity label: secret\n\nOverride the proxy (1), please.\n\n(1) Proxy “ü”: https://example.com/1"
    )


def test_an_answer_in_several_messages_is_a_list(run: Any) -> None:
    long = json.dumps(ANSWER | {"text": "A sentence for a small screen. " * 30})
    texts = [activity["text"] for activity in run("render", "--channel", "sms", given=long).json]
    assert len(texts) > 2
    assert (
        " ".join(texts).split() == run("render", "--channel", "nobody-knows", given=long).json["text"].split()
    )
    [line] = run("render", "--channel", "sms", "--lines", given=long).lines
    assert [activity["text"] for activity in line["activity"]] == texts


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


@pytest.mark.parametrize("command", ["labels", "render"])
def test_a_ceiling_for_no_channel(run: Any, tmp_path: Path, command: str) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(LABELS + "[ceiling]\nteams = 'secret'", encoding="utf-8")
    arguments = ["labels", str(labels)] if command == "labels" else ["render", "--labels", str(labels)]
    done = run(*arguments, given=json.dumps(ANSWER))
    assert (done.code, done.out) == (2, "")
    line = LABELS.count("\n") + 2
    assert done.err == (
        f"{labels}: line {line}: ceiling is for 'teams', which is no channel's id; did you mean 'msteams'?\n"
    )


def test_labels_that_are_faulty(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(LABELS + "colour = 'red'\n[ceiling]\nsms = 'x'", encoding="utf-8")
    first = LABELS.count("\n") + 1
    done = run("render", "--labels", str(labels), given=json.dumps(ANSWER))
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        f"{labels}: line {first}: label 2: unknown key 'colour' (did you mean color?)",
        f"{labels}: line {first + 2}: ceiling.sms is 'x', which is no label's id",
    ]


CATALOGUE = r"""
default = "public"

[[label]]
id = "secret"
name = 'Confidential\HR'
priority = 1
color = "orange"
encrypted = true

[[label]]
id = "public"
name = "Public"
priority = 0

[ceiling]
sms = "public"

[[rule]]
label = "secret"
file = "*-salaries.xlsx"

[[rule]]
label = "public"
id = "24-salaries.xlsx"
"""
SALARIES = {
    "text": "So [1].",
    "references": [
        {"id": 1},
        {"id": "24-salaries.xlsx", "label": "public", "extract": True},
        {"id": "\u202ex", "label": "forgotten"},
    ],
}


def test_the_catalogue_and_what_an_answer_gets_of_it(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(CATALOGUE, encoding="utf-8")
    catalogue = [
        "0 public: Public",
        "1 secret: Confidential\\HR, orange, encrypted",
        "default: public",
        "unknown: secret",
        "ceiling of sms: public",
        "rule 1: file '*-salaries.xlsx' gets secret",
        "rule 2: id '24-salaries.xlsx' gets public",
    ]
    done = run("labels", str(labels))
    assert (done.code, done.out.splitlines(), done.err) == (0, catalogue, "")
    done = run("labels", str(labels), "-", given=json.dumps(SALARIES))
    assert done.code == 0
    assert done.out.splitlines() == [
        *catalogue,
        "$.references[0] '1': public, from the default",
        (
            "$.references[1] '24-salaries.xlsx': secret, from rule 1 (file '*-salaries.xlsx'); "
            "not public from rule 2 (id '24-salaries.xlsx'), public from its source; above the ceiling of sms"
        ),
        (
            "$.references[2] 'x': secret, from its source, which says 'forgotten'; above the ceiling of sms; "
            "encrypted without a right to extract: no more than a link"
        ),
        "message: secret; the answer's text is kept from every channel",
    ]
    assert done.err.startswith("unknown-label $.references[2].label ")
    assert "matches no reference" not in done.err


@pytest.mark.parametrize("verb", ["render", "check"])
def test_teams_is_msteams(run: Any, verb: str) -> None:
    given = json.dumps(SALARIES) if verb == "render" else '{"type": "message", "text": "<b>"}'
    done = [run(verb, "--channel", name, given=given) for name in ("Teams", "msteams")]
    assert done[0].out == done[1].out
    assert done[0].err == done[1].err


@pytest.mark.parametrize("form", [(), ("--lines",), ("--stream",)])
def test_fields_that_nothing_reads_are_named_once(run: Any, form: tuple[str, ...]) -> None:
    given: dict[str, Any] = {
        "refs": [],
        "references": [
            {"id": "1", "link": "https://example.com/", "place": {"kind": "row", "first": 1, "x y": 1}},
            {"id": "2", "link": "https://example.com/2", "score": 0.5},
        ],
        "spans": [{"start": 0, "end": 1, "ids": ["1"], "stop": 2}],
    }
    text = {"delta": "So [1]."} if "--stream" in form else {"text": "So [1]."}
    done = run("render", *form, given=json.dumps(text | given) + "\n")
    before = "line 1: " if "--lines" in form else ""
    unread = [line for line in done.err.splitlines() if "unknown-field" in line]
    assert done.code == 0
    assert sorted(unread) == sorted(
        f"{before}unknown-field {fault}"
        for fault in (
            "$.refs nothing reads this field: did you mean references?",
            "$.references[0].link nothing reads this field: did you mean url?",
            '$.references[0].place["x y"] nothing reads this field',
            "$.references[1].score nothing reads this field",
            "$.spans[0].stop nothing reads this field",
        )
    )


def test_a_rule_that_matches_no_reference_is_named(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(CATALOGUE, encoding="utf-8")
    done = run("labels", str(labels), "-", given='{"text": "", "references": [{"id": "24-salaries.XLSX"}]}')
    assert done.err == ""
    done = run("labels", str(labels), "-", given='{"text": "", "references": [{"id": "1"}]}')
    assert done.err.splitlines() == [
        "rule 1 (line 19: file '*-salaries.xlsx') matches no reference of the answer",
        "rule 2 (line 23: id '24-salaries.xlsx') matches no reference of the answer",
    ]


def test_no_labels_and_no_references(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(LABELS, encoding="utf-8")
    done = run("labels", str(labels), "-", given='{"text": "", "references": [{"id": "1"}]}')
    assert done.out.splitlines()[-2:] == [
        "$.references[0] '1': no label, from no rule, its source or a default",
        "message: no label",
    ]
    done = run("labels", "--from", "writer", str(labels), "-", given='{"answer": "x", "sources": []}')
    assert (done.code, done.out.splitlines()[-1]) == (0, "message: no label")


def test_labels_or_answers_that_are_faulty(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text("[[label]]\nid = 'a'\n\ncolor = 'blu'\n", encoding="utf-8")
    done = run("labels", str(labels))
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        f"{labels}: line 1: label 1: name is missing",
        f"{labels}: line 1: label 1: priority is missing",
        f"{labels}: line 4: label 1: color 'blu' is neither #rrggbb nor a CSS colour's name",
    ]
    labels.write_text(LABELS, encoding="utf-8")
    done = run("labels", str(labels), "-", given='{"text": 3}')
    assert (done.code, done.out, done.err) == (2, "", "$.text: expected str, got int\n")
    for encoding in ("utf-8-sig", "utf-16"):
        labels.write_bytes(LABELS.replace("\n", "\r\n").encode(encoding))
        assert run("labels", str(labels), "-", given='{"text": "a"}').code == 0
    labels.write_bytes(b"# \xff")
    done = run("labels", str(labels))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"{labels}: not UTF-8 text: byte 2\n"


def test_labels_that_are_not_there(run: Any, tmp_path: Path) -> None:
    done = run("render", "--labels", str(tmp_path / "none.toml"), given=json.dumps(ANSWER))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"{tmp_path / 'none.toml'}: No such file or directory\n"


UNREADABLE: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "$: expected JSON, got nothing"),
    ("only spaces", b" \n", "$: expected JSON, got nothing"),
    ("an HTML page", b"<!DOCTYPE html>", "$: not JSON (an HTML page?): Expecting value, line 1 column 1"),
    ("cut off", b'{"text": "a"', "$: not JSON: Expecting ',' delimiter, line 1 column 13"),
    ("more behind it", b'{"text": "a"} x', "$: not JSON: Extra data, line 1 column 15"),
    ("a stream", b'event: a\ndata: {"text": "a"}\n\n', "$: not JSON (server-sent events?): Expecting value, line 1 column 1: read them with --stream"),
    ("JSON lines", b'{"text": "a"}\r\n{"text": "b"}', "$: not JSON (JSON lines?): Extra data, line 2 column 1: read them with --lines or --stream"),
    ("a wrong type", b'{"text": 1}', "$.text: expected str, got int"),
    ("no list", b'{"text": "a", "references": {"id": "1"}}', "$.references: expected array | null, got object"),
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


@pytest.mark.parametrize("form", ["--lines", "--stream"])
def test_lines_as_windows_powershell_writes_them(run: Any, tmp_path: Path, form: str) -> None:
    texts = [json.dumps({"text" if form == "--lines" else "delta": one}) for one in ("Größe", "ok")]
    file = tmp_path / "lines.jsonl"
    file.write_bytes("".join(f"{one}\r\n" for one in texts).encode("utf-16"))
    from_powershell = run("render", form, str(file))
    assert from_powershell.code == 0
    assert from_powershell.out == run("render", form, given="\n".join(texts)).out
    assert run("render", form, given=file.read_bytes()).out == from_powershell.out


def test_a_file_that_is_not_there(run: Any, tmp_path: Path) -> None:
    for verb in ("render", "read", "check"):
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
    assert run("check", "--channel", "sms", given='{"text": "x"}').out.startswith("activity-type $.type ")


def test_check_for_teams(run: Any) -> None:
    message = {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "@context": "https://schema.org",
        "citation": [
            {"@type": "Claim", "position": 0, "appearance": {"@type": "DigitalDocument", "url": None}}
        ],
    }
    done = run(
        "check",
        "--channel",
        "msteams",
        given=json.dumps({"type": "message", "text": "A", "entities": [message]}),
    )
    assert (done.code, done.err) == (1, "")
    assert [line.split(" ")[0] for line in done.out.splitlines()] == [
        "position", "citation-name", "citation-abstract", "citation-url", "claim-without-badge",
    ]  # fmt: skip


JUDGED = "only the activity's type, size, depth and characters are judged\n"
SAID_OF_CHANNELS = [
    ("check", "webchat", ""),
    ("check", "MsTeams", ""),
    ("check", "sms", f"the client of sms isn't known: {JUDGED}"),
    ("check", "msteam", f"the channel 'msteam' isn't known (did you mean msteams?): {JUDGED}"),
    ("check", "q", f"the channel 'q' isn't known: {JUDGED}"),
    ("render", "Sms", ""),
    ("render", "msteam", "the channel 'msteam' isn't known (did you mean msteams?): plain text\n"),
    ("render", "q", "the channel 'q' isn't known: plain text\n"),
]


@pytest.mark.parametrize(("verb", "channel", "expected"), SAID_OF_CHANNELS)
@pytest.mark.parametrize("forms", [(), ("--lines",)])
def test_what_is_said_of_a_channel(run: Any, verb: str, channel: str, expected: str, forms: Any) -> None:
    given = '{"type": "message", "text": "A"}' if verb == "check" else '{"text": "A"}'
    done = run(verb, "--channel", channel, *forms, given=given)
    assert (done.code, done.err) == (0, expected)
    assert run(verb, "--channel", channel, given="[").err.count("\n") == 1


def test_an_unknown_channel_of_a_stream(run: Any) -> None:
    done = run("render", "--stream", "--channel", "msteam", given='{"delta": "A"}')
    assert (done.code, done.err) == (
        0,
        "the channel 'msteam' isn't known (did you mean msteams?): plain text\n",
    )


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


def test_problems_as_json(run: Any) -> None:
    done = run("check", "--json", given=FAULTY)
    assert done.code == 1
    (problem,) = done.json["problems"]
    assert (problem["code"], problem["path"]) == ("definition-opens-nothing", "$.text")
    (rule,) = problem["rules"]
    assert list(rule) == ["code", "clients", "wrong", "shown", "mend", "source"]
    assert run("check", "--json", given=CLEAN).json == {"problems": []}
    (line,) = run("check", "--json", "--lines", given=FAULTY).lines
    assert line == done.json
    broken = run("check", "--json", given="[")
    assert (broken.code, broken.out, broken.err.count("\n")) == (2, "", 1)


def test_a_code_is_explained(run: Any) -> None:
    done = run("check", "--explain", "duplicate-position")
    assert (done.code, done.err) == (0, "")
    of_web_chat, of_teams = done.out.split("\n\n")
    assert of_web_chat.startswith("duplicate-position in Web Chat 4.18.1, ")
    assert of_teams.startswith("duplicate-position in Microsoft Teams (")
    assert [line.split()[0] for line in of_teams.splitlines()[1:]] == ["wrong", "shown", "mend", "source"]
    as_json = run("check", "--json", "--explain", "duplicate-position").json
    assert [rule["code"] for rule in as_json["rules"]] == ["duplicate-position"] * 2


def test_all_codes_are_listed(run: Any) -> None:
    done = run("check", "--explain")
    assert done.code == 0
    assert [line.split(" ")[0] for line in done.out.splitlines()] == [rule.code for rule in RULES]


def test_a_code_that_is_not_there(run: Any) -> None:
    done = run("check", "--explain", "duplicate-positions")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "no rule has the code 'duplicate-positions' (did you mean duplicate-position?): "
        "check --explain lists all\n"
    )
    assert "did you mean" not in run("check", "--explain", "x").err


def test_a_transcript(run: Any) -> None:
    teams = '{"type": "message", "channelId": "msteams", "text": "a[1]\\n\\n[1]: https://example.com"}'
    done = run("check", given=f"[{CLEAN}, {FAULTY}, {teams}]")
    assert (done.code, done.err) == (1, "")
    assert [line.split(" ")[:2] for line in done.out.splitlines()] == [
        ["definition-opens-nothing", "$[1].text"],
        ["badge-defined", "$[2].text"],
    ]
    # What is asked for comes before what an activity says of itself.
    assert run("check", "--channel", "sms", given=f"[{CLEAN}, {FAULTY}, {teams}]").code == 0


@pytest.mark.parametrize("channel", ["webchat", "msteams"])
def test_a_printed_stream_is_a_transcript(run: Any, channel: str) -> None:
    sent = run("render", "--stream", "--channel", channel, given=DELTAS).lines
    assert len(sent) > 2
    for number, activity in enumerate(sent):
        activity["id"] = f"a-{number}"
        for metadata in (activity["channelData"], activity["entities"][-1]) if number else ():
            metadata["streamId"] = "a-0"
    assert run("check", "--channel", channel, given=json.dumps(sent)).out == ""
    sent[1]["text"] = f"Un{sent[1]['text']}"
    rewritten = run("check", "--channel", channel, given=json.dumps(sent)).out
    assert ("stream-not-growing" in rewritten) is (channel == "msteams")
    late = run("check", "--channel", channel, given=json.dumps([sent[0], sent[-1], sent[1]])).out
    assert "stream-after-final $[2] " in late


def test_what_render_prints_is_a_transcript(run: Any) -> None:
    long = json.dumps({"text": "It is so [1]. " * 200, "references": [{"id": "1", "name": "One"}]})
    parts = run("render", "--channel", "sms", given=long).out
    assert len(json.loads(parts)) > 1
    assert run("check", "--channel", "sms", given=parts).code == 0
    lines = run("render", "--lines", given=json.dumps(ANSWER)).out
    assert run("check", "--lines", given=lines).lines == [{"problems": []}]


DELTAS = """\
{"dialect": "numbered", "origin": {"slogan": "Quoted", "generated": false}}
{"delta": "Override the "}

{"references": [{"id": "1", "name": "Proxy “ü”", "url": "https://example.com/1"}]}
{"delta": "proxy", "kind": "answered"}
{"delta": "[1].\\n\\n"}
{"delta": "Then rest."}
"""
STREAMED = {
    "text": "Override the proxy[1].\n\nThen rest.",
    "references": [{"id": "1", "name": "Proxy “ü”", "url": "https://example.com/1"}],
    "dialect": "numbered",
    "origin": {"slogan": "Quoted", "generated": False},
    "kind": "answered",
}


WRITERS = """\
data: {"question": "How?", "answer": "Override the ", "sources": [], "references": null}

data: {"question": "How?", "answer": "Größe [A", "sources": [], "references": null}

data: {"question": "How?", "answer": ".pdf](c1).\\n\\nThen rest.", "sources": [], "references": null}

data: {"answer": "", "references": {"files": [{"text": "日本", "fileId": "f1", "cite": "c1", "page": 2}]}}

"""
WRITTEN = {
    "answer": "Override the Größe [A.pdf](c1).\n\nThen rest.",
    "references": {"files": [{"text": "日本", "fileId": "f1", "cite": "c1", "page": 2}]},
}
FINAL = {"streamType": "final"}
SUPPLIERS = pytest.mark.parametrize(
    ("supplier", "stream", "answer"), [("answer", DELTAS, STREAMED), ("writer", WRITERS, WRITTEN)]
)


@SUPPLIERS
@pytest.mark.parametrize("channel", ["webchat", "directline", "emulator", "msteams"])
def test_a_stream_grows_and_ends_as_the_whole_answer(
    run: Any, supplier: str, stream: str, answer: object, channel: str
) -> None:
    arguments = ("render", "--from", supplier, "--channel", channel)
    done = run(*arguments, "--stream", given=stream)
    assert (done.code, done.err) == (0, "")
    *interims, final = done.lines
    whole = run(*arguments, given=json.dumps(answer)).json
    entities = [*whole["entities"], {"type": "streaminfo", **FINAL}]
    data = {"answerKind": "answered"} if supplier == "answer" else {}
    assert whole.get("channelData", {}) == data
    assert final == whole | {"entities": entities, "channelData": {**data, **FINAL}}
    assert interims
    for sequence, interim in enumerate(interims, 1):
        metadata = {"streamType": "streaming", "streamSequence": sequence}
        assert list(interim) == ["type", "text", "textFormat", "entities", "channelData"]
        assert (interim["type"], interim["channelData"]) == ("typing", metadata)
        assert interim["entities"][-1] == {"type": "streaminfo", **metadata}
        assert interim["text"].startswith("Override")


@SUPPLIERS
def test_the_cuts_of_a_stream_change_nothing(run: Any, supplier: str, stream: str, answer: object) -> None:
    arguments = ("render", "--stream", "--from", supplier)
    whole = run(*arguments, given=stream).out
    given = stream.replace("\n", "\r\n").encode()
    for size in range(1, 8):
        assert (
            run(*arguments, given=[given[at : at + size] for at in range(0, len(given), size)]).out == whole
        )
    for cut in range(len(given)):
        assert run(*arguments, given=[given[:cut], given[cut:]]).out == whole


def chats(reason: str) -> list[dict[str, Any]]:
    """A chat's completion, as its pieces come."""
    deltas = [{"content": "Override the "}, {"content": "settings and"}]
    return [
        *({"choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas),
        {"choices": [{"delta": {}, "finish_reason": reason}]},
    ]


CUT = [("length", "the model reached its limit of tokens"), ("content_filter", "a content filter stopped")]


@pytest.mark.parametrize("supplier", ["writer", "open-webui"])
@pytest.mark.parametrize(("reason", "why"), CUT)
def test_an_answer_that_its_model_did_not_end_is_told(run: Any, supplier: str, reason: str, why: str) -> None:
    arguments, pieces = ("render", "--from", supplier), chats(reason)
    stream = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    body = [{"choices": [{"message": {"content": "Override the settings and"}, "finish_reason": reason}]}]
    whole, given = run(*arguments, given=json.dumps(body)), run(*arguments, "--stream", given=stream)
    lines = run(*arguments, "--lines", given=json.dumps(body))
    problem = f"answer-cut $.text {why}"
    assert whole.err.startswith(problem)
    assert given.err == whole.err
    assert lines.err == f"line 1: {whole.err}"
    assert (whole.code, given.code, lines.code) == (0, 0, 0)
    assert whole.json["text"] == given.lines[-1]["text"] == "Override the settings and"
    complete = run(*arguments, given=json.dumps(body).replace(reason, "stop"))
    assert (complete.err, complete.json) == ("", whole.json)


def test_a_stream_is_clean_once_it_has_its_id(run: Any) -> None:
    first, *others = run("render", "--stream", given=DELTAS).lines
    for activity in others:
        activity["channelData"]["streamId"] = activity["entities"][-1]["streamId"] = "a-1"
    sent = "\n".join(json.dumps(activity) for activity in (first, *others))
    done = run("check", "--lines", given=sent)
    assert (done.code, done.lines) == (0, [{"problems": []}] * (1 + len(others)))


def test_a_channel_that_does_not_stream_gets_the_answer_alone(run: Any) -> None:
    done = run("render", "--stream", "--channel", "sms", given=DELTAS)
    assert done.lines == [run("render", "--channel", "sms", given=json.dumps(STREAMED)).json]


def test_an_answer_of_which_nothing_was_shown_before_is_an_ordinary_message(run: Any) -> None:
    done = run("render", "--stream", given='{"references": [{"id": "1"}]}\n{"delta": ""}\n')
    assert (done.code, done.lines) == (0, [run("render", given='{"text": ""}').json])


@pytest.mark.parametrize("said", [True, False])
def test_a_stream_under_a_label_waits_for_its_references(run: Any, tmp_path: Path, said: bool) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(CATALOGUE, encoding="utf-8")
    lines = [{"references": [{"id": "1"}], "complete": said}, {"delta": "So "}, {"delta": "it is [1]. Yes."}]
    given = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = run("render", "--stream", "--labels", str(labels), given=given)
    assert [line["type"] for line in done.lines] == ["typing", "typing", "message"][0 if said else 2 :]
    whole = {"text": "So it is [1]. Yes.", "references": [{"id": "1"}]}
    expected = run("render", "--labels", str(labels), given=json.dumps(whole)).json
    assert done.lines[-1]["text"] == expected["text"]


def test_the_labels_and_the_problems_of_a_stream(run: Any, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text(LABELS, encoding="utf-8")
    given = json.dumps({"references": ANSWER["references"]}) + '\n{"delta": "a[1] "}\n{"delta": "b[7]"}\n'
    done = run("render", "--stream", "--labels", str(labels), given=given)
    assert done.code == 0
    assert done.err.startswith("unknown-reference $.text marker [7] names no reference")
    assert done.err.count("\n") == 1
    assert all(line["entities"][0]["usageInfo"] for line in done.lines)


NOTICE = "This answer was interrupted and may be incomplete."
BROKEN: list[tuple[str, str, bytes, str]] = [
    ("no JSON", "answer", b'{"delta": "Water it."}\noops\n{"delta": "b"}', "line 2: $: not JSON: Expecting value"),
    ("a wrong type", "answer", b'{"delta": "Water it."}\n\n{"delta": 1}', "line 3: $.delta: expected str | null, got int"),
    ("in a line", "answer", b'{"delta": "Water it."}\n{"del', "line 2: $: not JSON: Unterminated string"),
    ("in a letter", "answer", b'{"delta": "Water it."}\n{"delta": "\xe6', "line 2: $: not UTF-8 text: byte 11"),
    ("in an event", "writer", b'data: {"answer": "Water it."}\n\ndata: {"answer": "b"', "event 2: $: not JSON"),
    ("an error", "writer", b'data: {"answer": "Water it."}\n\nevent: error\ndata: {"message": "busy"}\n\n', "event 2: $: the provider reported an error: busy"),
    ("no answer", "writer", b'data: {"answer": "Water it."}\n\ndata: {"x": 1}\n\n', "event 2: $: expected one of answer, "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("supplier", "given", "fault"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN]
)
def test_a_stream_that_breaks_off_ends_with_what_came(
    run: Any, supplier: str, given: bytes, fault: str
) -> None:
    done = run("render", "--stream", "--from", supplier, given=given)
    assert done.code == 2
    assert done.err.startswith(fault)
    assert done.err.count("\n") == 1
    interim, final = done.lines
    assert (interim["type"], final["type"], final["channelData"]) == ("typing", "message", FINAL)
    assert final["text"] == f"Water it.\n\n{NOTICE}"
    alone = run("render", "--stream", "--from", supplier, "--channel", "sms", given=given)
    assert (alone.code, [line["text"] for line in alone.lines]) == (2, [f"Water it.\n\n{NOTICE}"])


NOT_BEGUN: list[tuple[str, str, bytes, str]] = [
    ("nothing", "answer", b"", "$: expected JSON lines, got nothing"),
    ("no text yet", "answer", b'{"references": [{"id": "1"}]}\n{', "line 2: $: not JSON"),
    ("a whole answer", "answer", b'{"text": "a"}', "line 1: $: expected one of delta, "),
    ("a whole answer with sources", "answer", b'{"text": "a", "references": []}', "line 1: $.text: a line has delta; "),
    ("no event", "writer", b"", "expected server-sent events, got none"),
    ("a page", "writer", b"<html>", "expected server-sent events, got an HTML page"),
    ("a whole response", "writer", b'{"answer": "a"}', "expected server-sent events, got JSON"),
    ("a line without end", "writer", b"data: " + b"x" * 1_100_000, "a line of the event stream is too long"),
    ("an error at once", "writer", b'data: {"error": "busy"}\n\n', "event 1: $.error: the provider reported an error: busy"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("supplier", "given", "fault"), [case[1:] for case in NOT_BEGUN], ids=[case[0] for case in NOT_BEGUN]
)
def test_a_stream_that_breaks_off_before_it_begins_prints_nothing(
    run: Any, supplier: str, given: bytes, fault: str
) -> None:
    done = run("render", "--stream", "--from", supplier, given=given)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(fault)
    assert done.err.count("\n") == 1


def test_half_of_a_surrogate_pair_is_printed_as_json_can(run: Any) -> None:
    done = run("check", "--lines", given='{"type": "message", "\\ud800": "\\udfff"}')
    assert done.lines[0]["problems"][0]["code"] == "not-unicode"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("render", "--from", "nobody"),
        ("sing",),
        ("render", "a", "b"),
        ("render", "--stream", "--lines"),
        ("check", "--stream"),
    ],
)
def test_wrong_arguments(run: Any, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments)
    assert caught.value.code == 2


def help_of(capture: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capture.readouterr()[0].decode()


@pytest.mark.parametrize("verb", ["render", "read", "check", "labels"])
def test_every_console_can_print_the_help(verb: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert help_of(capfdbinary, verb).isascii()


def test_the_example_of_the_help_is_true(run: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = help_of(capfdbinary)
    answer = json.loads(text[text.index('{"text"') : text.index("$ python")])
    shown = text[text.index('{"type"') :].splitlines()[0].removesuffix(" ...")
    assert run("render", given=json.dumps(answer)).out.startswith(shown)


def test_the_stream_of_the_help_is_one(run: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    text = help_of(capfdbinary, "render")
    stream = text[text.index('  {"delta"') : text.index("  $ python -m citations render --stream")]
    first, last = re.findall(r'^  (\{"type": .*?) \.\.\.$', text, re.MULTILINE)
    done = run("render", "--stream", given=stream)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith(first)
    assert done.out.splitlines()[-1].startswith(last)


def test_the_labels_file_of_the_help_is_one(
    run: Any, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    text = help_of(capfdbinary, "labels")
    labels = tmp_path / "labels.toml"
    labels.write_text(text[text.index("  default =") : text.index("A reference has")], encoding="utf-8")
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


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes a standard stream")
@pytest.mark.parametrize(
    ("closed", "said"), [("<&-", b"stdin is closed"), (">&-", b"stdout is closed"), ("<&- 2>&-", b"")]
)
def test_as_a_program_without_a_standard_stream(closed: str, said: bytes) -> None:
    command = f'"{sys.executable}" -m citations render {closed}'
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, input=json.dumps(ANSWER).encode(), capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count(b"\n") == bool(said)


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


@SUPPLIERS
def test_what_can_be_shown_is_printed_while_the_rest_is_being_written(
    supplier: str, stream: str, answer: object
) -> None:
    begun, rest = stream[: stream.index("}\n\n") + 3], stream[stream.index("}\n\n") + 3 :]
    with start("render", "--stream", "--from", supplier) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(begun.encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["text"].startswith("Override the")
        out, _ = process.communicate(rest.encode())
    assert process.returncode == 0
    assert json.loads(out.splitlines()[-1])["type"] == "message"


def test_the_end_of_a_stream_is_taken_at_its_word() -> None:
    with start("render", "--stream", "--from", "writer") as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(WRITERS.encode() + b"data: [DONE]\n\n")
        process.stdin.flush()
        assert process.wait() == 0  # although stdin is open
        assert json.loads(process.stdout.read().splitlines()[-1])["type"] == "message"


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


# The documents of a request


NAMED = str(ROOT / "examples/responses/anthropic.json")
NAMES = str(ROOT / "examples/responses/documents.json")


def test_documents_name_what_an_answer_numbers(run: Any, tmp_path: Path) -> None:
    text = run("render", "--from", "anthropic", "--documents", NAMES, NAMED).json["text"]
    assert '[1]: https://intranet.example.com/handbook.pdf#page=12 "Travel handbook' in text
    assert '[2]: https://intranet.example.com/travel/breakfast "Breakfast and meals"' in text
    assert "https:" not in run("render", "--from", "anthropic", NAMED).json["text"]
    for arguments in (("render", "--lines"), ("render", "--stream")):
        line = json.dumps(json.loads(Path(NAMED).read_text("utf-8")))
        done = run(*arguments, "--from", "anthropic", "--documents", NAMES, given=line)
        assert "handbook.pdf" in done.out.splitlines()[-1]
    labels = tmp_path / "labels.toml"
    labels.write_text(
        LABELS + '[[rule]]\nlabel = "secret"\nurl_prefix = "https://intranet.example.com/h"', "utf-8"
    )
    done = run("labels", "--from", "anthropic", "--documents", NAMES, str(labels), NAMED)
    assert "message: secret" in done.out


def test_documents_have_the_ids_of_reference_chunks(run: Any, tmp_path: Path) -> None:
    names = tmp_path / "names.json"
    names.write_text('[{"title": "A"}, {"id": "x", "name": "B"}, {"title": "C"}]', "utf-8")
    chunks = [{"type": "text", "text": "So"}, {"type": "reference", "reference_ids": [0, "x", 2]}]
    response = {"choices": [{"message": {"content": chunks}, "finish_reason": "stop"}]}
    done = run("render", "--from", "mistral", "--documents", str(names), given=json.dumps(response))
    assert re.findall('"(.)"$', done.json["text"], re.MULTILINE) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("documents", "supplier", "said"),
    [
        ('[{"title": "a"}, {"url": 3}]', "anthropic", r"names\.json: \$\[1\]\.url: expected str"),
        ('{"title": "a"}', "anthropic", r"names\.json: \$: expected array"),
        ("[", "anthropic", r"names\.json: \$: "),
        ("[]", "openai", "--documents is of no use with --from openai"),
        (None, "anthropic", "no such file|cannot find"),
    ],
)
def test_documents_that_cannot_be_used(
    documents: str | None, supplier: str, said: str, run: Any, tmp_path: Path
) -> None:
    names = tmp_path / "names.json"
    if documents is not None:
        names.write_text(documents, "utf-8")
    done = run("render", "--from", supplier, "--documents", str(names), NAMED)
    assert (done.code, done.out) == (2, "")
    assert re.search(said, done.err, re.IGNORECASE)
    assert done.err.count("\n") == 1


def test_another_bots_message_is_relayed(run: Any) -> None:
    message = run("render", given=json.dumps(ANSWER)).json
    read = run("read", given=json.dumps(message))
    assert (read.code, read.err) == (0, "")
    relayed = run("render", "--channel", "msteams", given=read.out)
    assert relayed.out == run("render", "--channel", "msteams", given=json.dumps(ANSWER)).out
    lost = run(
        "read", given=json.dumps(message | {"entities": [{"@context": "https://x.example", "@id": ""}]})
    )
    assert (lost.code, lost.err[:34]) == (0, "context-not-loaded $.entities[0] n")
    faulty = run("read", given=CLEAN.replace("text", "words"))
    assert (faulty.code, faulty.out) == (2, "")
    assert faulty.err == "$.text: expected the text of a message, a string\n"


def test_other_bots_messages_are_relayed_line_by_line(run: Any) -> None:
    message = run("render", given=json.dumps(ANSWER)).out
    read = run("read", "--lines", given=f"{message}\n[]\n{CLEAN}\n")
    assert read.code == 2
    assert read.lines[1] == {"error": "$: expected an activity, a JSON object"}
    relayed = run("render", "--lines", "--channel", "msteams", given=read.out)
    assert [list(line) for line in relayed.lines] == [["activity"], ["error"], ["activity"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chekc", "-"), "(did you mean check?)"),
        (("render", "--chanel", "sms"), "(did you mean --channel?)"),
        (("render", "--from", "antropic"), "(did you mean anthropic?)"),
        (("read", "--from", "openai", "-"), "(--from is an option of render and of labels)"),
        (("check", "--locale", "-"), "unrecognized arguments: --locale"),
    ],
)
def test_a_slip_is_told_what_was_meant(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert capsys.readouterr().err.rstrip().endswith(said)


def test_labels_and_answer_in_the_wrong_order_are_named(run: Any, tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text("{}", "utf-8")
    done = run("labels", str(answer))
    assert "the first file is the labels' TOML, and the answer comes second" in done.err
