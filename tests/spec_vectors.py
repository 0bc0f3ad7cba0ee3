"""Write ``vectors/`` from the corpora: ``python -m tests.spec_vectors``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from markdown_it.utils import read_fixture_file

from citations import Answer, Dialect, LabelRanking, RenderingStream, channel, check, cite, render
from citations.activities import read_activity
from citations.readers import FORMATS, read_answer, write_answer

from .check_corpus import CORPUS as CHECKS
from .check_corpus import claim, message
from .hop_corpus import hop_cases
from .marker_corpus import CORPUS as MARKERS
from .marker_corpus import NAMED, NUMBERED
from .span_corpus import span_answers

ROOT: Final = Path(__file__).parents[1]
VECTORS: Final = ROOT / "vectors"
SPEC: Final = ROOT / "SPEC.md"
VERSION: Final = "1.0.0"
_CORPUS: Final = Path(__file__).parent / "corpus"
LABELS: Final = """\
[[label]]
id = "general"
name = "General"
priority = 0

[[label]]
id = "secret"
name = "Secret"
priority = 1
color = "orange"
description = "For the board."

[[label]]
id = "locked"
name = "Locked"
priority = 2
encrypted = true

[ceiling]
sms = "general"
"""
# The rule that the title of a case shows, by the beginning of the title; the first rule is that of all others.
_NUMBERED: Final = {
    "M1": ("",), "M2": ("a list of numbers",), "M3": ("groups", "double"), "M4": ("a range",), "M5": ("wide",),
    "M6": ("words", "an id that"), "M7": ("a page is kept",), "M8": ("a suffix", "every suffix", "a page in a suffix", "no suffix"),
    "M10": ("in everything", "in prose"), "N1": ("never",), "N2": ("not escaped",), "N3": ("a number that no", "a list of which"),
    "N4": ("a link that", "a number that links"), "N5": ("a list of sources",), "P1": ("positions",), "D4": ("neighbours", "a bare"),
    "D5": ("a fence", "an escaped pipe"),
}  # fmt: skip
_NAMED: Final = {
    "M9": ("",),
    "N1": ("in code",),
    "N3": ("an id that no",),
    "N4": ("a link that",),
    "N6": ("a number is",),
}
_SPANS: Final = {
    "S1": ("",), "S2": ("spans", "neighbours"), "S3": ("an end in code", "an end in the text", "an end in an", "an end in emphasis", "asterisks", "an end in a tag", "an end in a formula"),
    "S4": ("an end in a word", "an end between"), "S5": ("a blank at", "a line", "an end behind", "an end in a cell", "an end in a block", "an end in code in", "the marks behind"),
    "S6": ("a link that", "the same with", "marks of", "a blank that", "a blank between", "words"), "N6": ("brackets in",),
}  # fmt: skip
_TEAMS: Final = {
    "headings": {"T2": ("",)},
    "tables": {"T3": ("",)},
    "others": {"T4": ("",), "T1": ("a badge is",)},
}
_HOPS: Final = {
    "H1": ("",), "H2": ("No graph", "Links", "Definitions", "All"), "H3": ("Where", "Positions"), "H4": ("What no", "An interval", "A plain"),
    "H5": ("A label", "The line"), "H6": ("A context", "An entity", "Addresses"),
}  # fmt: skip
_CODES: Final = {
    "C2": ("badge", "joined", "missing", "foreign", "worded", "unused", "text-", "same"),
    "C4": ("loads", "live", "html", "active", "image"),
}


def files() -> dict[str, dict[str, Any]]:
    """Each file of ``vectors/`` by its name, with the vectors that the corpora make."""
    answers = list(_answers())
    groups: dict[str, tuple[list[str], Iterable[dict[str, Any]]]] = {
        "markers": (["render", "--lines"], _markers()),
        "spans": (["render", "--lines"], _spans()),
        "teams": (["render", "--lines", "--channel", "msteams"], _teams()),
        **{
            f"answers-{name}": (
                ["render", "--lines", "--channel", name, "--labels", "labels.toml"],
                [vector for shown, vector in answers if shown == name],
            )
            for name in dict.fromkeys(shown for shown, _ in answers)
        },
        "streams": (["render", "--stream", "--channel", "CHANNEL"], _streams()),
        "activities": (["read", "--lines"], _activities()),
        "checks": (["check", "--lines", "--channel", "webchat"], _checks()),
    }
    return {
        f"{name}.json": {
            "$schema": "schema.json",
            "version": VERSION,
            "arguments": arguments,
            "vectors": [{"id": f"{name}-{number}", **vector} for number, vector in enumerate(vectors, 1)],
        }
        for name, (arguments, vectors) in groups.items()
    }


def rules() -> dict[str, str]:
    """The rules of SPEC.md by their numbers."""
    return dict(re.findall(r"^- \*\*([A-Z]\d+)\*\* (.+)", SPEC.read_text(encoding="utf-8"), re.MULTILINE))


def _rule_of(title: str, table: Mapping[str, Sequence[str]]) -> str:
    """The rule with the longest beginning of ``title``."""
    return max(
        (start, rule) for rule, starts in table.items() for start in starts if title.startswith(start)
    )[1]


def _rendered(
    answer: Mapping[str, Any], channel_id: str, ranking: LabelRanking | None = None
) -> dict[str, Any]:
    """What a port has to answer."""
    shown = render(cite(read_answer(answer)), channel(channel_id), ranking=ranking)
    texts = [activity["text"] for activity in shown.to_activities()]
    expected: dict[str, Any] = {"text": shown.text} if len(texts) == 1 else {"texts": texts}
    if shown.entities:
        expected["entities"] = list(shown.entities)
    if shown.problems:
        expected["problems"] = [{"code": one.code, "path": one.path} for one in shown.problems]
    return expected


def _vector(rule: str, why: str, given: Any, expected: Mapping[str, Any]) -> dict[str, Any]:
    return {"rule": rule, "why": why, "input": given, **expected}


def _quoted(answer: Answer) -> dict[str, Any]:
    """The neutral answer. That no model worded it keeps the entities short."""
    return write_answer(answer) | {"origin": {"generated": False}}


def _markers() -> Iterator[dict[str, Any]]:
    for name, references, dialect, table in (
        ("numbered.md", NUMBERED, Dialect.NUMBERED, _NUMBERED),
        ("named.md", NAMED, Dialect.NAMED_LINK, _NAMED),
    ):
        for _, title, text, _ in read_fixture_file(MARKERS / name):
            answer = Answer(text=text.removesuffix("\n"), references=references, dialect=dialect)
            given = _only_needed(_quoted(answer))
            yield _vector(_rule_of(title, table), title, given, _rendered(given, "webchat"))


def _only_needed(answer: dict[str, Any]) -> dict[str, Any]:
    """``answer`` without the references that don't change what is shown."""
    whole = _rendered(answer, "webchat")
    for reference in tuple(answer["references"]):
        kept = [one for one in answer["references"] if one is not reference]
        if kept and _rendered(answer | {"references": kept}, "webchat") == whole:
            answer = answer | {"references": kept}
    return answer


def _spans() -> Iterator[dict[str, Any]]:
    for title, (answer, _) in span_answers().items():
        given = _only_needed(_quoted(answer))
        yield _vector(_rule_of(title, _SPANS), title, given, _rendered(given, "webchat"))


def _teams() -> Iterator[dict[str, Any]]:
    references = [{"id": str(number), "url": f"https://example.com/{number}"} for number in (1, 2, 3)]
    for name, table in _TEAMS.items():
        for _, title, text, _ in read_fixture_file(_CORPUS / "teams" / f"{name}.md"):
            given = {
                "text": text.removesuffix("\n"),
                "references": references,
                "origin": {"generated": False},
            }
            given = _only_needed(given)
            yield _vector(_rule_of(title, table), title, given, _rendered(given, "msteams"))


def _answers() -> Iterator[tuple[str, dict[str, Any]]]:
    ranking = LabelRanking.from_toml(LABELS)
    for _, title, written, _ in read_fixture_file(_CORPUS / "spec" / "answers.md"):
        rule, channel_id, why = re.fullmatch(r"(\S+) (\S+): (.*)", title).groups()  # type: ignore[union-attr]
        given = {"origin": {"generated": False}} | {
            name: _many(name, value) for name, value in json.loads(written).items()
        }
        yield channel_id, _vector(rule, why, given, _rendered(given, channel_id, ranking))


def _many(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [{key: _many(key, one) for key, one in item.items()} for item in value]
    if not isinstance(value, dict) or "many" not in value:
        return value
    times = value["many"]
    if name == "references":
        return [{"id": str(number), "url": f"https://example.com/{number}"} for number in range(1, times + 1)]
    return (
        "https://example.com/" + "a" * times if name == "url" else "Words of an answer [1]. " * (times // 5)
    )


def _streams() -> Iterator[dict[str, Any]]:
    for _, title, written, _ in read_fixture_file(_CORPUS / "spec" / "streams.md"):
        rule, channel_id, why = re.fullmatch(r"(\S+) (\S+): (.*)", title).groups()  # type: ignore[union-attr]
        lines = [json.loads(line) for line in written.splitlines()]
        pieces = [{"delta": line} if isinstance(line, str) else line for line in lines]
        yield {**_vector(rule, why, pieces, _streamed(pieces, channel_id)), "channel": channel_id}


def _streamed(pieces: Iterable[Mapping[str, Any]], channel_id: str) -> dict[str, Any]:
    reader = FORMATS["answer"].stream()
    stream: RenderingStream | None = None
    interims: list[str] = []
    for piece in pieces:
        for events in reader.feed(json.dumps(piece).encode() + b"\n"):
            stream = stream or RenderingStream(channel(channel_id), dialect=reader.dialect)
            for event in events:
                stream.feed(event)
            if shown := stream.interim():
                interims.append(shown.text)
    assert stream is not None
    final = stream.close()
    return {"interims": interims, "text": final.text, "entities": list(final.entities)}


def _activities() -> Iterator[dict[str, Any]]:
    for title, (activity, _) in hop_cases().items():
        answer = read_activity(activity)
        problems = [{"code": one.code, "path": one.path} for one in answer.problems]
        expected = {"answer": write_answer(answer)} | ({"problems": problems} if problems else {})
        yield _vector(_rule_of(title, _HOPS), title, activity, expected)


def _checks() -> Iterator[dict[str, Any]]:
    for _, title, text, _ in read_fixture_file(CHECKS / "text.md"):
        given = {
            "type": "message",
            "text": text.removesuffix("\n"),
            "entities": [message(claim("1", "One"), claim("2", "Two"))],
        }
        found = [{"code": one.code, "path": one.path} for one in check(given)]
        codes = [one["code"] for one in found]
        rule = _rule_of(codes[0], {"C3": ("",), **_CODES}) if codes else "C1"
        yield _vector(rule, title, given, {"problems": found})


def written(file: Mapping[str, Any]) -> str:
    """A file of vectors, with a line for each."""
    head = {name: value for name, value in file.items() if name != "vectors"}
    dump = partial(json.dumps, ensure_ascii=True)
    lines = ",\n".join(f"    {dump(vector)}" for vector in file["vectors"])
    return dump(head, indent=2).removesuffix("\n}") + ',\n  "vectors": [\n' + lines + "\n  ]\n}\n"


def main() -> None:
    """Write all files."""
    VECTORS.mkdir(exist_ok=True)
    (VECTORS / "labels.toml").write_text(LABELS, encoding="utf-8", newline="\n")
    for name, file in files().items():
        (VECTORS / name).write_text(written(file), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
