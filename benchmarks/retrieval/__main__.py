"""How well the folder finds, answers and abstains.

    python -m benchmarks.retrieval COVID-QA.json xquad.en.json
    python -m benchmarks.retrieval --own-words FOLDER [--sheet FILE]
    python -m benchmarks.retrieval --keep FILE
    python -m benchmarks.retrieval --commands

**Public sets** are files in SQuAD's JSON format (COVID-QA, SQuAD, XQuAD, MLQA, GermanQuAD). They are not
part of this repository. Their articles are written as text files and indexed as any folder is, and every
question is asked. Columns: *@1*, *@5*: the passage with the gold answer is the first, is among five.
*answered*: a person gets an answer. *right*: a sentence of the answer overlaps the gold answer. *shown*:
that, or one of the nearest passages has the gold answer. *unsure*: a person gets these passages. Then come
the questions without an answer, as *answered* and as *unsure*. *none*: those that the set itself calls
unanswerable. *left out*: articles with even numbers are searched, and the questions of the others are asked.

The weights of ranking were chosen on the even articles of COVID-QA.

**Own words**: the questions of ``questions.json`` about public handbooks, manuals and by-laws, which
played no part while the code was written. ``--commands`` prints how the documents are downloaded into
FOLDER, and ``--questions`` names another file of questions. ``more_questions.json`` is about five other
sets in three languages, and names the two that the decision was tuned on. ``development_questions.json``
and ``held_out_questions.json`` are about four others each, ``fresh_questions.json`` about nine, and
``everyday_questions.json`` about sixteen, of which half were held out (``--half``). ``once_questions.json``
is about eight more, and was asked once. ``later_questions.json`` is about sixteen, of which all but four were
held out. ``outsider_questions.json`` is about eleven, and ``last_questions.json`` about twelve; both were
asked once, as were ``short_questions.json``, which is about three, ``form_questions.json``, which is
about thirteen, ``next_questions.json``, which is about twelve, and ``blind_questions.json``, which is about
eighteen. The table says what a person gets, by reading.
``--sheet`` writes what was shown, for a person to read and to grade. ``--keep`` adds the grades of such a
sheet to ``grades.json``. Columns: *good*, *partly*, *wrong*, *missed*: grades of
the questions that the documents answer. *shown*: the right passage is in the text or behind a badge.
*honest*, *false*: grades of the others. *claimed*: all questions for which something is shown as an answer
that is none. *unread*: answers whose grade is only suggested.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.retrieval.index.folder_index import FolderIndex

from .measure import measure_absent, measure_present
from .own_words import (
    GRADES,
    HALVES,
    QUESTIONS,
    DocumentSet,
    OwnQuestion,
    ask_all,
    grade,
    keep_grades,
    print_table,
    read_grades,
    read_questions,
    write_commands,
    write_sheet,
)
from .public_set import PublicSet, read_set
from .workspace import Workspace


def main() -> None:
    """Read the arguments, and print what they ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", type=Path, help="question sets in SQuAD's JSON format")
    parser.add_argument("--own-words", type=Path, metavar="FOLDER", help="the documents of the own-words set")
    parser.add_argument(
        "--questions", type=Path, default=QUESTIONS, help="the questions of the own-words set"
    )
    parser.add_argument("--half", choices=HALVES, default="all", help="the folders of that half alone")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write what was shown, to be graded")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the grades of a sheet that was read")
    parser.add_argument("--commands", action="store_true", help="print how the documents are downloaded")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="ask every Nth question of the sets"
    )
    parser.add_argument("--words-only", action="store_true", help="search without the local embedder")
    parser.add_argument("--cache", type=Path, help="keep indexes and vectors here for the next run")
    arguments = parser.parse_args()
    workspace = Workspace(arguments.cache, not arguments.words_only)
    if arguments.commands:
        print("\n".join(write_commands(read_questions(arguments.questions)[0])))
    if arguments.keep:
        keep_grades(GRADES, arguments.keep)
    if arguments.own_words:
        asked = read_questions(arguments.questions, arguments.half)
        _print_own_words(arguments.own_words, asked, arguments.sheet, workspace)
    for path in arguments.sets:
        _print_set(path, arguments.every, workspace)


def _print_own_words(
    documents: Path,
    asked: tuple[list[DocumentSet], list[OwnQuestion]],
    sheet: Path | None,
    workspace: Workspace,
) -> None:
    grades = read_grades(GRADES)
    shown = ask_all(documents, *asked, workspace)
    graded = [grade(question, answer, grades) for question, answer in shown]
    if sheet:
        write_sheet(sheet, graded)
    print_table(graded)


def _print_set(path: Path, every: int, workspace: Workspace) -> None:
    public_set = read_set(path).sample(every)
    with workspace.open(path.stem) as directory:
        public_set.write(directory / "articles")
        with workspace.index(directory / "articles", directory / "cache") as index:
            _print_figures(path.name, public_set, index)


def _print_figures(name: str, public_set: PublicSet, index: FolderIndex) -> None:
    print(f"\n{name}: {len(public_set.articles)} articles, {index.report.passages} passages")
    figures = measure_present(index.whole, public_set.questions)
    print("".join(f"{column:>10}" for column in figures))
    print("".join(f"{figure:>10.1f}" for figure in figures.values()))
    none = [question.text for question in public_set.questions if question.gold is None]
    left_out = public_set.list_left_out()
    for kind, part, questions in (
        ("none", index.whole, none),
        ("left out", index.restrict(index.whole, public_set.list_even()), left_out),
    ):
        if questions:
            answered, unsure = measure_absent(part, questions)
            print(f"{kind}: {answered:.1f} answered, {unsure:.1f} unsure ({len(questions)})")


if __name__ == "__main__":
    main()
