"""This module asks questions in people's own words, and grades by reading what is shown.

The documents of a set are public. :func:`write_commands` says how they are downloaded. The questions
stand in ``questions.json`` with the words of the passage that answers, or without any where the documents
do not answer. A sheet has a line for each question with what was shown. A person reads it and grades it:

- *good*: the answer is right and says all that was asked: who reads it alone need not open the source.
- *partly*: the answer is incomplete, or stands behind sentences about something else. An unsure answer
  that shows the right passage is *partly* too.
- *wrong*: it is shown as an answer, but it does not answer the question.
- *missed*: the documents answer, but nothing that is shown does.
- *honest*: the documents do not answer, and the answer claims nothing.
- *false*: the documents do not answer, but something is shown as an answer.

*says*, *@1*, *@3* and *shown* need no reading. The words of the passage that answers are in the text that is
shown at once, in the first source, in one of the first three, in any source or in the text. *nothing* is
*probably not there*, said of questions that the documents answer, and of the others (*found*). An answer that
contradicts the documents is *wrong*, even beside the right passage, and so is one that a person would take
for the answer to something else. A set that names its ``held_out`` folders is asked in two halves: those
folders once, at the end.

Grades are kept by question and by a hash of what was shown, so only what has changed is read again.
"""

from __future__ import annotations

import json
import shutil
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .folder import AskedFolder, ShownAnswer
from .workspace import Workspace

QUESTIONS: Final = Path(__file__).with_name("questions.json")
GRADES: Final = Path(__file__).with_name("grades.json")
HALVES: Final = ("all", "development", "held-out")
GRADE_NAMES: Final = ("good", "partly", "wrong", "missed", "honest", "false")


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents of one repository: ``files`` are patterns below ``folder``."""

    name: str
    repository: str
    commit: str
    folder: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question, the question before it if it leans on one, and the words that answer, if any do."""

    id: str
    folder: str
    language: str
    kind: str
    text: str
    before: str | None
    gold: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """A question, what was shown, and the grade; ``read`` says whether a person gave it."""

    question: OwnQuestion
    shown: ShownAnswer
    grade: str
    read: bool


def read_questions(path: Path, half: str = "all") -> tuple[list[DocumentSet], list[OwnQuestion]]:
    """Read the sets of documents and the questions; ``half`` is one of :data:`HALVES`."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    held_out = data.get("held_out", ())
    sets = [
        DocumentSet(name, one["repository"], one["commit"], one.get("folder", "."), tuple(one["files"]))
        for name, one in data.get("documents", {}).items()
        if half == "all" or (name in held_out) == (half == "held-out")
    ]
    names = {one.name for one in sets}
    return sets, [_read_question(one) for one in data["questions"] if one["folder"] in names]


def _read_question(one: dict[str, Any]) -> OwnQuestion:
    gold = one["gold"] or ()
    words = (gold,) if isinstance(gold, str) else tuple(gold)
    return OwnQuestion(
        one["id"], one["folder"], one["language"], one["kind"], one["question"], one.get("after"), words
    )


def write_commands(sets: Iterable[DocumentSet]) -> Iterator[str]:
    """Write the commands that download the documents, one folder for each set."""
    for one in sets:
        yield f"git clone https://github.com/{one.repository} {one.name}"
        yield f"git -C {one.name} checkout {one.commit}"


def ask_all(
    documents: Path, sets: Sequence[DocumentSet], questions: Sequence[OwnQuestion], workspace: Workspace
) -> Iterator[tuple[OwnQuestion, ShownAnswer]]:
    """Index the documents of each set, and ask its questions."""
    known = {one.name: one for one in sets}
    for name in dict.fromkeys(question.folder for question in questions):
        with workspace.open(name) as directory:
            folder = directory / name
            copy_documents(documents / name, known.get(name), folder)
            asked = AskedFolder(folder, directory / "cache", workspace.create_embedder())
            for question in questions:
                if question.folder == name:
                    yield question, asked.ask(question.text, question.before, question.language)
            asked.close()


def copy_documents(clone: Path, one: DocumentSet | None, folder: Path) -> None:
    """Copy the documents of a set from the clone of their repository; without a set, all files of ``clone``.

    Exits where there are none.
    """
    root = clone / one.folder if one else clone
    files = [path for pattern in (one.files if one else ("**/*.*",)) for path in root.glob(pattern)]
    if not files:
        raise SystemExit(f"{root} has none of the documents; see --commands")
    for path in files:
        copy = folder / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def grade(question: OwnQuestion, shown: ShownAnswer, grades: dict[str, dict[str, str]]) -> Graded:
    """Return the grade that a person gave, or the one that the words of the gold passage suggest."""
    given = grades.get(question.id, {}).get(shown.hash)
    return Graded(question, shown, given or _suggest_grade(question, shown), given is not None)


def _suggest_grade(question: OwnQuestion, shown: ShownAnswer) -> str:
    is_answer = shown.kind == "answered"
    if not question.gold:
        return "false" if is_answer else "honest"
    if is_answer:
        return "good" if shown.says(question.gold) else "wrong"
    return "partly" if shown.shows(question.gold) else "missed"


def write_sheet(path: Path, graded: Iterable[Graded]) -> None:
    """Write a line of JSON for each question, for a person to read; ``grade`` is only suggested
    where ``read`` is false."""
    with path.open("w", encoding="utf-8", newline="\n") as sheet:
        for one in graded:
            line = {
                "id": one.question.id,
                "hash": one.shown.hash,
                "read": one.read,
                "grade": one.grade,
                "question": one.question.text,
                "before": one.question.before,
                "gold": one.question.gold,
                "kind": one.shown.kind,
                "text": one.shown.text,
                "passages": one.shown.passages,
            }
            sheet.write(json.dumps(line, ensure_ascii=False) + "\n")


def read_grades(path: Path) -> dict[str, dict[str, str]]:
    """Read the grades by question and by hash of what was shown."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def keep_grades(path: Path, sheet: Path) -> None:
    """Add the grades of a sheet that a person has read to the file of grades."""
    grades = read_grades(path)
    for line in sheet.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if one["grade"] not in GRADE_NAMES:
            raise SystemExit(f"{one['id']}: {one['grade']} is no grade")
        grades.setdefault(one["id"], {})[one["hash"]] = one["grade"]
    path.write_text(json.dumps(grades, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


def print_table(graded: Sequence[Graded]) -> None:
    """Print a row for each language and one for all questions, and the number of each kind and grade."""
    header = (
        "n says good partly wrong missed @1 @3 shown nothing n honest false found n claimed unread ms".split()
    )
    print("\n" + f"{'own words, %':<14}" + "".join(f"{name:>8}" for name in header))
    for language in (*sorted({one.question.language for one in graded}), "all"):
        row = [one for one in graded if language in (one.question.language, "all")]
        print(f"{language:<14}" + "".join(f"{figure:>8}" for figure in _measure(row)))
    kinds = Counter((one.shown.kind, one.grade) for one in graded)
    print("\n" + ", ".join(f"{kind} and {name}: {number}" for (kind, name), number in sorted(kinds.items())))


def _measure(graded: Sequence[Graded]) -> Iterator[int | str]:
    """Return the figures of a row, as the columns of :func:`print_table` name them."""
    present = [one for one in graded if one.question.gold]
    absent = [one for one in graded if not one.question.gold]
    yield len(present)
    yield _share(one.shown.says(one.question.gold) for one in present)
    for name in ("good", "partly", "wrong", "missed"):
        yield _share(one.grade == name for one in present)
    for first in (1, 3):
        yield _share(one.shown.finds(one.question.gold, first) for one in present)
    yield _share(one.grade in ("good", "partly") or one.shown.shows(one.question.gold) for one in present)
    yield _share(one.shown.kind == "nothing" for one in present)
    yield len(absent)
    for name in ("honest", "false"):
        yield _share(one.grade == name for one in absent)
    yield _share(one.shown.kind == "nothing" for one in absent)
    yield len(graded)
    yield _share(one.grade in ("wrong", "false") for one in graded)
    yield sum(not one.read for one in graded)
    yield f"{1000 * statistics.median(one.shown.seconds for one in graded):.1f}"


def _share(marks: Iterable[bool]) -> str:
    counted = list(marks)
    return f"{100 * sum(counted) / len(counted):.1f}" if counted else "-"
