"""This module reads public question sets in SQuAD's JSON format, and leaves articles out of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

Span = tuple[str, int, int]
"""A file, and where something starts and ends in its text."""


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """A question of a set, and where its gold answer stands; None where the set says that there is none."""

    text: str
    article: str
    gold: Span | None


@dataclass(frozen=True, slots=True)
class PublicSet:
    """The articles of a set by file name, and its questions."""

    articles: dict[str, str]
    questions: list[SetQuestion]

    def sample(self, every: int) -> PublicSet:
        """Return the set with every ``every``th of the questions with an answer, and of those without one."""
        answered = [one for one in self.questions if one.gold is not None]
        unanswerable = [one for one in self.questions if one.gold is None]
        return replace(self, questions=answered[::every] + unanswerable[::every])

    def list_even(self) -> frozenset[str]:
        """Return the names of the articles with even numbers."""
        return frozenset(name for name in self.articles if _is_even(name))

    def list_left_out(self) -> list[str]:
        """Return the questions of the articles with odd numbers, which the even ones do not answer."""
        return [one.text for one in self.questions if not _is_even(one.article)]

    def write(self, folder: Path) -> None:
        """Write each article as a text file."""
        folder.mkdir(exist_ok=True)
        for name, text in self.articles.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _is_even(article: str) -> bool:
    return int(article.partition(".")[0]) % 2 == 0


def read_set(path: Path) -> PublicSet:
    """Read COVID-QA, SQuAD, XQuAD, MLQA or GermanQuAD."""
    articles: dict[str, str] = {}
    questions: list[SetQuestion] = []
    for number, article in enumerate(json.loads(path.read_text(encoding="utf-8"))["data"]):
        name, text = f"{number:04}.txt", ""
        for paragraph in article["paragraphs"]:
            start = len(text)
            text += paragraph["context"].replace("\r", " ") + "\n\n"
            for asked in paragraph["qas"]:
                gold = [
                    (name, start + one["answer_start"], start + one["answer_start"] + len(one["text"]))
                    for one in asked["answers"][:1]
                ]
                questions.append(SetQuestion(asked["question"], name, gold[0] if gold else None))
        articles[name] = text
    return PublicSet(articles, questions)


def overlap(one: Span, other: Span) -> bool:
    """Return whether two spans share a character."""
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]
