"""SPEC.md and its vectors, which the command line runs in another process, as a port in any language would."""

from __future__ import annotations

import copy
import json
import os
import re
import string
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from citations import Reference, channel, cite, render
from citations.graph.teams_message import icon_of
from citations.markdown import write_words
from citations.readers import read_answer

from .javascript_example import EXAMPLE, in_node
from .normal_html import normal_html, normalize, with_bare_badges, with_definitions

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "vectors"
SPEC = (ROOT / "SPEC.md").read_text(encoding="utf-8")
FILES = {
    path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(VECTORS.glob("*[!a].json"))
}
PROBLEM = re.compile(r"(?:line (?P<line>\d+): )?(?P<code>[a-z-]+) (?P<path>\$\S*) ")
DEFINITIONS = re.compile(r"(?:\A|\n\n)((?:\[[0-9]+\]: .*(?:\n|\Z))+)\Z")
GIVEN = ("id", "rule", "why", "channel", "input")
GFM = ["table", "strikethrough"]
"""Not its addresses: it finds those of e-mail behind entities, too."""
BARE = ("teams.json", "teams-extended.json")
RENDERED = ("graph.json", "markers.json", "names.json", "sources.json", "spans.json", *BARE)
"""Those whose messages are Markdown, on one channel and without labels."""
IN_JAVASCRIPT = ("markers.json", "sources.json")
"""The groups that the example passes."""


def run(arguments: list[str], given: str) -> tuple[list[Any], list[dict[str, str]]]:
    """What the command line prints, and its problems on stderr with the lines that they belong to."""
    done = subprocess.run(
        [sys.executable, "-m", "citations", *arguments],
        input=given.encode(),
        capture_output=True,
        timeout=300,
        check=False,
        cwd=VECTORS,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )
    found = [PROBLEM.match(line) for line in done.stderr.decode().splitlines()]
    return [json.loads(line) for line in done.stdout.splitlines()], [one.groupdict() for one in found if one]


@cache
def outcomes(name: str) -> dict[str, dict[str, Any]]:
    """What the command line answers to each vector of a file, by its id."""
    arguments, vectors = FILES[name]["arguments"], FILES[name]["vectors"]
    if "--stream" in arguments:
        return {one["id"]: streamed(arguments, one) for one in vectors}
    channels = dict.fromkeys(one.get("channel") for one in vectors)
    return {
        identifier: outcome
        for channel in channels
        for identifier, outcome in rendered(
            arguments, [one for one in vectors if one.get("channel") == channel]
        )
    }


def rendered(arguments: list[str], vectors: list[dict[str, Any]]) -> Iterable[tuple[str, dict[str, Any]]]:
    """What the command line answers to vectors for one channel."""
    here = on_channel(arguments, vectors[0])
    printed, problems = run(here, "".join(json.dumps(one["input"]) + "\n" for one in vectors))
    assert len(printed) == len(vectors)
    for number, (vector, line) in enumerate(zip(vectors, printed, strict=True), 1):
        told = [{"code": one["code"], "path": one["path"]} for one in problems if one["line"] == str(number)]
        yield vector["id"], outcome(line, "msteams" in here) | ({"problems": told} if told else {})


def on_channel(arguments: list[str], vector: dict[str, Any]) -> list[str]:
    return [vector["channel"] if one == "CHANNEL" else one for one in arguments]


def outcome(line: dict[str, Any], bare: bool) -> dict[str, Any]:
    if "problems" in line:
        return {"problems": [{"code": one["code"], "path": one["path"]} for one in line["problems"]]}
    if "activity" not in line:
        return {
            "answer": {"html": normal_html(line["text"])} | {k: v for k, v in line.items() if k != "text"}
        }
    sent = line["activity"]
    if isinstance(sent, list):
        return {"texts": [one["text"] for one in sent]}
    return message(sent, bare)


def message(sent: dict[str, Any], bare: bool) -> dict[str, Any]:
    """What a vector has of a message: normal HTML and definitions of its text, and its graph."""
    entities = [one for one in sent["entities"] if one["type"] != "streaminfo"]
    if sent["textFormat"] not in ("markdown", "extendedmarkdown"):
        return {"text": sent["text"], "entities": entities}
    found = DEFINITIONS.search(sent["text"])
    body = sent["text"][: found.start()] if found else sent["text"]
    shown = {"html": normal_html(body, bare=bare, addresses=True), "entities": passages_read(entities)}
    return shown | ({"definitions": found[1].split("\n")} if found else {})


def passages_read(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The graph with the normal HTML of each passage in place of its Markdown."""
    entities = copy.deepcopy(entities)
    for entity in entities:
        for claim in entity.get("citation", ()):
            appearance = claim["appearance"]
            if "text" in appearance:
                appearance["text"] = normal_html(appearance["text"], addresses=True)
    return entities


def streamed(arguments: list[str], vector: dict[str, Any]) -> dict[str, Any]:
    here = on_channel(arguments, vector)
    bare = "msteams" in here
    *interims, final = run(here, "".join(json.dumps(line) + "\n" for line in vector["input"]))[0]
    if bare:
        texts = [one["text"] for one in (*interims, final)]
        assert all(later.startswith(shown) for shown, later in pairwise(texts))
    shown = [message(one | {"textFormat": "markdown"}, bare) for one in interims]
    told = [{key: value for key, value in one.items() if key != "entities"} for one in shown]
    return {"interims": told} | message(final, bare)


def bodies(name: str) -> dict[str, str]:
    """The text of each vector's message without its definitions, as the library writes it."""
    extended = name == "teams-extended.json"
    there = channel("msteams" if name in BARE else "webchat", extended=extended)
    texts = {one["id"]: render(cite(read_answer(one["input"])), there).text for one in FILES[name]["vectors"]}
    return {identifier: DEFINITIONS.sub("", text) for identifier, text in texts.items()}


def as_cmark_reads(text: str, *, bare: bool) -> str:
    """The normal HTML by GitHub's own engine."""
    source = text if bare else with_definitions(text)
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
    shown = cmarkgfm.markdown_to_html_with_extensions(source, options=options, extensions=GFM)
    return normalize(with_bare_badges(shown) if bare else shown)


def wrong(name: str, vectors: list[dict[str, Any]]) -> list[str]:
    """The ids of those vectors for which the command line answers something else."""
    found = []
    for vector in vectors:
        answer = outcomes(name)[vector["id"]]
        # A vector without a graph says nothing about it.
        compared = {key: value for key, value in answer.items() if key != "entities" or key in vector}
        if compared != {key: value for key, value in vector.items() if key not in GIVEN}:
            found.append(vector["id"])
    return found


MUTATIONS: dict[str, Callable[[Any], Any]] = {
    "html": lambda value: value.replace(">1<", ">2<") if ">1<" in value else value + " ",
    "definitions": lambda value: [*value, '[9]: cite:9 "Nine"'],
    "text": lambda value: value + " ",
    "texts": lambda value: value[::-1],
    "entities": lambda value: [],
    "interims": lambda value: value[:-1],
    "answer": lambda value: value | {"references": []},
    "problems": lambda value: [*value, {"code": "other", "path": "$"}],
}


@pytest.mark.parametrize("name", FILES)
def test_the_command_line_passes_the_vectors_and_no_mutated_one(name: str) -> None:
    assert wrong(name, FILES[name]["vectors"]) == []
    mutated = set()
    for number, vector in enumerate(FILES[name]["vectors"]):
        for key, mutation in MUTATIONS.items():
            if vector.get(key):
                vectors = copy.deepcopy(FILES[name]["vectors"])
                vectors[number][key] = mutation(vector[key])
                assert wrong(name, vectors) == [vector["id"]], key
                mutated.add(key)
    assert mutated


@pytest.mark.parametrize("name", RENDERED)
def test_every_engine_reads_the_html_of_the_vectors(name: str) -> None:
    bare = name in BARE
    texts = bodies(name)
    read = in_node({"text": text, "bare": bare} for text in texts.values())
    wanted = {one["id"]: one["html"] for one in FILES[name]["vectors"]}
    for (identifier, text), found in zip(texts.items(), read, strict=True):
        html = wanted[identifier]
        if "<table>" in html or "<del>" in html:
            del found["commonmark.js"]
        assert found | {"cmark-gfm": as_cmark_reads(text, bare=bare)} == dict.fromkeys(
            (*found, "cmark-gfm"), html
        ), identifier


@pytest.mark.parametrize("name", IN_JAVASCRIPT)
def test_the_example_in_javascript_passes_its_vectors(name: str) -> None:
    vectors = FILES[name]["vectors"]
    for vector, answered in zip(vectors, in_node({"answer": one["input"]} for one in vectors), strict=True):
        found = message({"text": answered["text"], "textFormat": "markdown", "entities": []}, bare=False)
        told = {"problems": in_order(answered["problems"])} if answered["problems"] else {}
        wanted = {key: value for key, value in vector.items() if key not in (*GIVEN, "problems")}
        wanted |= {"problems": in_order(vector["problems"])} if "problems" in vector else {}
        assert {key: value for key, value in found.items() if key != "entities"} | told == wanted, vector[
            "id"
        ]


def in_order(problems: list[dict[str, str]]) -> list[dict[str, str]]:
    return sorted(problems, key=lambda one: (one["path"], one["code"]))


def test_the_example_in_javascript_has_130_lines_at_most() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 130
    for page in ("README.md", "SPEC.md", "docs/library.md"):
        assert f"{len(lines)} lines of JavaScript" in (ROOT / page).read_text(encoding="utf-8")
    assert not any(re.search(r"\bimport\b|\brequire\b", line) for line in lines)


@pytest.mark.parametrize("name", FILES)
def test_the_vectors_have_the_form_of_the_schema(name: str) -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads((VECTORS / "schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(FILES[name])] == []
    broken = copy.deepcopy(FILES[name])
    del broken["vectors"][0]["rule"]
    assert not Draft202012Validator(schema).is_valid(broken)


def test_each_rule_has_a_vector_and_each_vector_a_rule() -> None:
    rules = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", SPEC, re.MULTILINE)
    vectors = [one for file in FILES.values() for one in file["vectors"]]
    assert [rule for rule, count in Counter(rules).items() if count > 1] == []
    assert {one["rule"] for one in vectors} == set(rules)
    assert [one for one, count in Counter(vector["id"] for vector in vectors).items() if count > 1] == []
    assert 200 <= len(vectors) < 1000


def test_the_specification_has_the_signs_that_become_entities() -> None:
    rows = re.findall(r"^\| (`.+?) \| ", SPEC.partition("| sign |")[2].partition("\n\n")[0], re.MULTILINE)
    named = {
        found.replace("\\|", "|") for row in rows for found in re.findall(r"(?<=` )`(?= `)|(?<=`)[^` ]+", row)
    }
    changed = {
        sign
        for sign in string.punctuation
        if any(write_words(text) != text for text in (f"a{sign}a", f"{sign}a", f"{sign}{sign}", f"1{sign} a"))
    }
    assert named & {*string.punctuation} == changed


def test_the_specification_has_the_words_of_all_languages() -> None:
    for path in (ROOT / "citations/text/languages").glob("*.toml"):
        markers = tomllib.loads(path.read_text(encoding="utf-8"))["markers"]
        row = " | ".join((path.stem, markers["sources"], markers["and"], markers["places"]))
        assert f"| {row} |" in SPEC


def test_the_specification_has_the_icons_of_all_files() -> None:
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| ([a-z0-9 ]+) \| (–|[\w./ -]+) \|$", SPEC, re.MULTILINE)
    assert len(rows) == 20
    for icon, endings, types in rows:
        files = (Reference(id="1", name=f"x.{ending}") for ending in endings.split())
        typed = (Reference(id="1", media_type=kind) for kind in types.split() if kind != "–")
        assert {icon_of(one) for one in (*files, *typed)} == {icon}


def test_the_vectors_have_the_version_of_the_specification() -> None:
    assert {f"Version {file['version']}." for file in FILES.values()} == {
        re.search(r"^Version [0-9.]+\.", SPEC, re.MULTILINE)[0]  # type: ignore[index]
    }


def test_the_specification_has_ten_pages_at_most() -> None:
    # A page has about 60 lines.
    assert len(SPEC.splitlines()) <= 600
