"""SPEC.md and its vectors, which the command line runs in another process, as a port in any language would."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from .spec_vectors import LABELS, SPEC, VECTORS, VERSION, files, rules, written

ROOT = Path(__file__).parents[1]
FILES = {
    path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(VECTORS.glob("*[!a].json"))
}
PROBLEM = re.compile(r"(?:line (?P<line>\d+): )?(?P<code>[a-z-]+) (?P<path>\$\S*) ")


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
    printed, problems = run(arguments, "".join(json.dumps(one["input"]) + "\n" for one in vectors))
    assert len(printed) == len(vectors)
    found = {}
    for number, (vector, line) in enumerate(zip(vectors, printed, strict=True), 1):
        told = [{"code": one["code"], "path": one["path"]} for one in problems if one["line"] == str(number)]
        found[vector["id"]] = outcome(line) | ({"problems": told} if told else {})
    return found


def outcome(line: dict[str, Any]) -> dict[str, Any]:
    if "problems" in line:
        return {"problems": [{"code": one["code"], "path": one["path"]} for one in line["problems"]]}
    if "activity" not in line:
        return {"answer": line}
    sent = line["activity"]
    if isinstance(sent, list):
        return {"texts": [one["text"] for one in sent]}
    return {"text": sent["text"]} | ({"entities": sent["entities"]} if sent["entities"] else {})


def streamed(arguments: list[str], vector: dict[str, Any]) -> dict[str, Any]:
    here = [vector["channel"] if one == "CHANNEL" else one for one in arguments]
    *interims, final = run(here, "".join(json.dumps(line) + "\n" for line in vector["input"]))[0]
    entities = [one for one in final["entities"] if one["type"] != "streaminfo"]
    return {"interims": [one["text"] for one in interims], "text": final["text"], "entities": entities}


def wrong(name: str, vectors: list[dict[str, Any]]) -> list[str]:
    """The ids of those vectors for which the command line answers something else."""
    told = ("id", "rule", "why", "input", "channel")
    expected = {one["id"]: {key: value for key, value in one.items() if key not in told} for one in vectors}
    return [vector for vector, answer in outcomes(name).items() if answer != expected[vector]]


MUTATIONS: dict[str, Callable[[Any], Any]] = {
    "text": lambda value: value.replace("[1]", "[2]") if "[1]" in value else value + " ",
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


@pytest.mark.parametrize("name", FILES)
def test_the_vectors_have_the_form_of_the_schema(name: str) -> None:
    schema = json.loads((VECTORS / "schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert [error.message for error in Draft202012Validator(schema).iter_errors(FILES[name])] == []
    broken = copy.deepcopy(FILES[name])
    del broken["vectors"][0]["rule"]
    assert not Draft202012Validator(schema).is_valid(broken)


def test_the_vectors_are_those_of_the_corpora() -> None:
    made = {name: written(file) for name, file in files().items()}
    there = {name: (VECTORS / name).read_text(encoding="utf-8") for name in FILES}
    assert there == made, "run: python -m tests.spec_vectors"
    assert (VECTORS / "labels.toml").read_text(encoding="utf-8") == LABELS
    assert f"Version {VERSION}." in SPEC.read_text(encoding="utf-8")


def test_each_rule_has_a_vector_and_each_vector_a_rule() -> None:
    vectors = [one for file in FILES.values() for one in file["vectors"]]
    assert {one["rule"] for one in vectors} == rules().keys()
    assert len({one["id"] for one in vectors}) == len(vectors)
    assert 200 <= len(vectors) < 1000


def test_the_specification_has_ten_pages_at_most() -> None:
    # A page has about 60 lines.
    assert len(SPEC.read_text(encoding="utf-8").splitlines()) <= 600
