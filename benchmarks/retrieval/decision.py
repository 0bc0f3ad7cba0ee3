"""Fits the weights by which the folder decides whether its best quote answers.

    python -m benchmarks.retrieval.decision xquad.en.json xquad.de.json --own-words FOLDER [--words-only]

The sets are those of ``python -m benchmarks.retrieval``. Of each question that has a possible quote, the
features are noted (:func:`bot.retrieval.answer.decision.find_features`), and whether what is quoted has the
gold answer. Nothing has that of a question whose article was left out. A logistic regression of these, in
which each set counts the same, gives the tables of ``bot/retrieval/answer/decision.py``. They are scaled so
that with the least evidence of an answer, ``--wrong`` of the own-words examples are answered wrong. Each line
of figures is of a set that was left out of its own fit: the shares of its questions that are answered and
right, and answered and wrong, by the table of the code and by the fitted one. The table of nearness is fitted
likewise, to whether the documents have an answer. Below it stand the least nearness with which :data:`LOST`
of the answerable own-words questions are said to have none, and the share of the others of which that is
said; then the same where each set was left out of its own fit.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.retrieval.answer.decision import ENOUGH, find_features, find_nearness, is_possible, weigh
from bot.retrieval.answer.rank import drop_twins, rank
from bot.retrieval.answer.search_result import PASSAGES
from bot.retrieval.answer.units import ScoredUnit, UnitScores, choose_best, is_asked_above
from bot.retrieval.index.part import IndexPart
from bot.retrieval.question.query import read_question

from .folder import find_letters
from .own_words import QUESTIONS, copy_documents, read_questions
from .public_set import Span, overlap, read_set
from .workspace import Workspace

Judge = Callable[[ScoredUnit], bool]
"""Returns whether a unit has the gold answer."""
WRONG = 0.07
"""The share of the questions with a possible quote that may be answered wrong: about 5 % of all questions."""
LOST = 0.075
"""The share of the questions with an answer that may be told that there is none."""
PENALTY = 1.0
"""The weight of the sum of the squared weights, each times the spread of its feature.

It keeps features that say the same from pulling apart.
"""


@dataclasses.dataclass(frozen=True, slots=True)
class Example:
    """A question that has a possible quote: its set, the quote's features, and whether it is right.

    For the table of nearness, it is any question: its passages' features, and whether they can answer.
    """

    set: str
    features: dict[str, float]
    is_right: bool
    is_nearness: bool = False


def collect_public(path: Path, every: int, workspace: Workspace) -> Iterator[Example]:
    """Ask the questions of a public set, then those of the articles with odd numbers without these."""
    public_set = read_set(path).sample(every)
    with workspace.open(path.stem) as directory:
        public_set.write(directory / "articles")
        with workspace.index(directory / "articles", directory / "cache") as index:
            for one in public_set.questions:
                yield from _ask(
                    path.stem, index.whole, one.text, _overlaps(one.gold), is_there=one.gold is not None
                )
            part = index.restrict(index.whole, public_set.list_even())
            for question in public_set.list_left_out():
                yield from _ask(path.stem, part, question, lambda _: False, is_there=False)


def _overlaps(gold: Span | None) -> Judge:
    def has(best: ScoredUnit) -> bool:
        span = (*best.location, best.location[1] + len(best.text))
        return gold is not None and overlap(span, gold)

    return has


def collect_own(documents: Path, questions: Path, workspace: Workspace) -> Iterator[Example]:
    """Ask the own-words questions whose documents are in the folder, but for those that lean on another."""
    sets, asked = read_questions(questions)
    for one in (one for one in sets if (documents / one.name).is_dir()):
        with workspace.open(one.name) as directory:
            copy_documents(documents / one.name, one, directory / one.name)
            with workspace.index(directory / one.name, directory / "cache") as index:
                for question in asked:
                    if question.folder == one.name and question.before is None:
                        has_words = _has_words(question.gold)
                        yield from _ask(
                            one.name, index.whole, question.text, has_words, is_there=bool(question.gold)
                        )


def _has_words(gold: Sequence[str]) -> Judge:
    def has(best: ScoredUnit) -> bool:
        text = find_letters(best.text)
        return any(find_letters(words) in text for words in gold)

    return has


def _ask(
    name: str,
    part: IndexPart,
    question: str,
    is_right: Judge,
    *,
    is_there: bool,
) -> Iterator[Example]:
    query = read_question(question, part)
    ranked = drop_twins(rank(query, part.find(question, list(query.indexes), 30)), frozenset())[:PASSAGES]
    best = choose_best(UnitScores(query), ranked) if query.terms and ranked else None
    if best and all(one.likeness for one in ranked):
        yield Example(name, find_nearness(query, ranked, best), is_there, is_nearness=True)
    if best and is_possible(query, ranked, best) and not is_asked_above(query, best.ranked.passage):
        yield Example(name, find_features(query, ranked, best), is_right(best))


def fit(examples: Sequence[Example], names: Sequence[str]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression by Newton's method; the last one is the constant."""
    rows = np.array([[*(one.features[name] for name in names), 1.0] for one in examples])
    spread = np.append(rows[:, :-1].std(axis=0), 1.0)
    spread[spread == 0] = 1.0
    rows /= spread
    right = np.array([one.is_right for one in examples], float)
    sizes = Counter(one.set for one in examples)
    counts = np.array([len(examples) / len(sizes) / sizes[one.set] for one in examples])
    penalty = np.diag([PENALTY] * len(names) + [0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (likely - right)) + penalty @ weights
        weights -= np.linalg.solve(
            rows.T @ (rows * (counts * likely * (1 - likely))[:, None]) + penalty, slope
        )
    found: NDArray[np.float64] = weights / spread
    return found


def find_table(
    examples: Sequence[Example], names: Sequence[str], public: Collection[str], wrong: float
) -> dict[str, float]:
    """Return the weights with which the share ``wrong`` of the own-words examples is answered wrong."""
    *weights, _ = fit(examples, names)
    evidence = {name: float(weight) for name, weight in zip(names, weights, strict=True)}
    own = [one for one in examples if one.set not in public] or examples
    failures = sorted((_sum(one, evidence) for one in own if not one.is_right), reverse=True)
    least = failures[min(len(failures) - 1, int(wrong * len(own)))]
    return {name: weight * ENOUGH / least for name, weight in evidence.items()}


def _sum(example: Example, table: dict[str, float]) -> float:
    return sum(table[name] * value for name, value in example.features.items())


def measure(examples: Sequence[Example], answers: Callable[[Example], bool]) -> tuple[float, float]:
    """Return the shares of the examples that are answered and right, and answered and wrong, in per cent."""
    answered = [one for one in examples if answers(one)]
    right = sum(one.is_right for one in answered)
    return 100 * right / len(examples), 100 * (len(answered) - right) / len(examples)


def main() -> None:
    """Read the arguments, and print the table and the figures of each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", type=Path, help="question sets in SQuAD's JSON format")
    parser.add_argument("--own-words", type=Path, metavar="FOLDER", help="the documents of the own-words set")
    parser.add_argument("--questions", type=Path, nargs="*", default=[QUESTIONS], help="own-words questions")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="ask every Nth question of the sets"
    )
    parser.add_argument("--words-only", action="store_true", help="fit the weights by words alone")
    parser.add_argument(
        "--wrong", type=float, default=WRONG, metavar="SHARE", help="the share that may be answered wrong"
    )
    parser.add_argument("--cache", type=Path, help="keep indexes and vectors here for the next run")
    arguments = parser.parse_args()
    workspace = Workspace(arguments.cache, not arguments.words_only)
    asked = [one for path in arguments.sets for one in collect_public(path, arguments.every, workspace)]
    if arguments.own_words:
        for path in arguments.questions:
            asked += collect_own(arguments.own_words, path, workspace)
    examples = [one for one in asked if not one.is_nearness]
    # Before the vectors of a folder are there, a few passages have none.
    names = max((list(one.features) for one in examples), key=len)
    examples = [one for one in examples if len(one.features) == len(names)]
    public = {path.stem for path in arguments.sets}
    print(f"{'set':16}{'asked':>7}{'now: right':>12}{'wrong':>7}{'fitted: right':>15}{'wrong':>7}")
    for name in dict.fromkeys(one.set for one in examples):
        others = find_table([one for one in examples if one.set != name], names, public, arguments.wrong)
        own = [one for one in examples if one.set == name]
        now = measure(own, lambda one: weigh(one.features) >= ENOUGH)
        fitted = measure(own, lambda one: _sum(one, others) >= ENOUGH)  # noqa: B023 - it is called here
        print(f"{name:16}{len(own):7}{now[0]:12.1f}{now[1]:7.1f}{fitted[0]:15.1f}{fitted[1]:7.1f}")
    for name, weight in find_table(examples, names, public, arguments.wrong).items():
        print(f"{name:16}{weight:7.3f}")
    _print_nearness([one for one in asked if one.is_nearness], public)


def _print_nearness(examples: Sequence[Example], public: Collection[str]) -> None:
    own = [one for one in examples if one.set not in public]
    if not own:
        return
    names = list(own[0].features)
    *weights, constant = fit(examples, names)
    table = {name: float(weight) for name, weight in zip(names, weights, strict=True)}
    for name, weight in table.items():
        print(f"{name:16}{weight:7.3f}")
    _print_least("least nearness", own, [_sum(one, table) for one in own])
    in_order: list[Example] = []
    left_out: list[float] = []
    for name in dict.fromkeys(one.set for one in own):
        others = fit([one for one in examples if one.set != name], names)
        of_set = [one for one in own if one.set == name]
        in_order += of_set
        rows = ([*(one.features[feature] for feature in names), 1.0] for one in of_set)
        left_out += [float(np.array(row) @ others - constant) for row in rows]
    _print_least("set left out", in_order, left_out)


def _print_least(label: str, examples: Sequence[Example], nearness: Sequence[float]) -> None:
    there = sorted(near for one, near in zip(examples, nearness, strict=True) if one.is_right)
    least = there[int(LOST * len(there))]
    absent = [near < least for one, near in zip(examples, nearness, strict=True) if not one.is_right]
    print(f"{label:16}{least:7.3f}{100 * sum(absent) / max(1, len(absent)):7.1f} % of {len(absent)}")


if __name__ == "__main__":
    main()
