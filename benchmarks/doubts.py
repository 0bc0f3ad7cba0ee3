"""What doubts find and where they are wrong, on public data and on sentences of our own.

``python -m benchmarks.doubts --data DIR`` reads clones in ``DIR``: ``ExpertQA`` (chaitanyamalaviya/ExpertQA),
``wice`` (ryokamoi/wice) and ``factualNLG`` (salesforce/factualNLG). Files that a clone lacks are left out.
German, French and Spanish are in ``tests/corpus/doubts``. The rules were chosen on one half of each set,
``--half choose``, and docs/doubts.md has the figures of the other. A document or a question belongs to a half
by its hash. ``--cost`` prints what the doubts cost beside a rendering, in turns, in CPU time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from citations import (
    Answer,
    Reference,
    ReferencesFound,
    RenderingStream,
    TextDelta,
    channel,
    cite,
    render,
)
from citations.doubts import DoubtCode, find_doubts

from .policy_pairs import Row, read_rows
from .rendering import FILLER, REFERENCES, SECTION, answer, ordinary
from .shares import count
from .turns import cpu_seconds, median_ratio

CORPUS = Path(__file__).parents[1] / "tests" / "corpus" / "doubts"
LANGUAGES = {"de": "German", "fr": "French", "es": "Spanish"}
_SEED = 20
_MARKER = re.compile(r"\s*\[\d+\]")
_ADDRESS = re.compile(r"\[\d+\]\s*|https?://\S+\s*")
_DIGITS = re.compile(r"(?<![\w.,-])\d{2,}(?![\w.,-])")


class Pair(NamedTuple):
    """A claim, the passage that it cites, and whether people say that the passage supports it."""

    group: str
    claim: str
    passage: str
    supported: bool


def in_half(key: str, half: str) -> bool:
    """Whether a document or a question belongs to this half."""
    return (hashlib.sha256(key.encode()).digest()[0] % 2 == 1) == (half == "choose")


def doubts_about(claim: str, cited: str, *others: str) -> set[DoubtCode]:
    """The doubts about a claim that cites the first of these passages."""
    references = tuple(
        Reference(id=str(number), text=text, complete=True) for number, text in enumerate((cited, *others), 1)
    )
    # What a set writes is plain text.
    written = re.sub(r"([\[\]<>`|#])", r"\\\1", " ".join(claim.split()))
    # Each sentence cites the passage.
    written = re.sub(r"(?<=\w{3}[.!?]) (?=[A-Z])", " [1] ", written)
    return {one.code for one in find_doubts(cite(Answer(text=f"{written} [1]", references=references)))}


def read_wice(folder: Path, half: str) -> Iterator[Pair]:
    """The claims of Wikipedia with the whole pages that they cite."""
    for name in ("dev", "test"):
        for row in _read_lines(folder / "wice/data/entailment_retrieval/claim" / f"{name}.jsonl"):
            title = row["meta"]["claim_title"]
            if in_half(title, half):
                yield Pair(title, row["claim"], " ".join(row["evidence"]), row["label"] == "supported")


def read_summedits(folder: Path, half: str) -> Iterator[Pair]:
    """Summaries, changed or not, with their documents."""
    for file in sorted((folder / "factualNLG/data/summedits").glob("*.json")):
        for row in json.loads(file.read_text("utf-8")):
            key = hashlib.sha256(row["doc"].encode()).hexdigest()
            if in_half(key, half):
                yield Pair(key, row["summary"], row["doc"], int(row["label"]) == 1)


def read_corpus(language: str, half: str | None = None) -> Iterator[tuple[str, str, str]]:
    """A passage, a claim that it supports, and the claim with another number."""
    for line in (CORPUS / f"{language}.txt").read_text("utf-8").splitlines():
        if not line.startswith("#") and (half is None or in_half(line, half)):
            passage, claim, change = line.split(" | ")
            old, new = change.split(" → ")
            assert old in claim, line
            yield passage, claim, claim.replace(old, new)


def report_numbers(title: str, pairs: Sequence[Pair]) -> None:
    """Print how often ``number-not-in-source`` is right, and which changed numbers it finds."""
    doubtful = [(one, DoubtCode.NUMBER in doubts_about(one.claim, one.passage)) for one in pairs]
    precision = count((one.group, not one.supported) for one, doubt in doubtful if doubt)
    unsupported = count((one.group, not one.supported) for one, _ in doubtful)
    alarms = count((one.group, doubt) for one, doubt in doubtful if one.supported)
    changed = count(_changed(one for one, doubt in doubtful if one.supported and not doubt))
    share = f"{unsupported.part / unsupported.whole:.0%}"
    print(f"| {title} | {len(pairs)} | {share} | {precision} | {alarms} | {changed} |")


def _changed(pairs: Iterable[Pair]) -> Iterator[tuple[str, bool]]:
    """Whether a number that was changed in a supported claim is found."""
    dice = random.Random(_SEED)
    for one in pairs:
        numbers = _DIGITS.findall(one.claim)
        if numbers:
            number = dice.choice(numbers)
            other = str(int(number) + dice.choice((-3, 2, 4, 7)) * 10 ** dice.randrange(len(number) - 1))
            claim = re.sub(rf"(?<![\w.,-]){number}(?![\w.,-])", other, one.claim)
            yield one.group, DoubtCode.NUMBER in doubts_about(claim, one.passage)


def report_languages(half: str) -> None:
    """Print the same for our own sentences."""
    for language, title in LANGUAGES.items():
        rows = list(read_corpus(language, half))
        right = [(one, DoubtCode.NUMBER in doubts_about(one[1], one[0])) for one in rows]
        wrong = [(one, DoubtCode.NUMBER in doubts_about(one[2], one[0])) for one in rows]
        flagged = [
            *((one[0], False) for one, doubt in right if doubt),
            *((one[0], True) for one, doubt in wrong if doubt),
        ]
        alarms, found = (count((one[1], doubt) for one, doubt in ones) for ones in (right, wrong))
        print(
            f"| {title} | {2 * len(rows)} | 50% | {count(enumerate_groups(flagged))} | {alarms} | {found} |"
        )


def enumerate_groups(found: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The same, each in a group of its own."""
    return ((str(number), one) for number, (_, one) in enumerate(found))


def report_sources(folder: Path, half: str) -> None:
    """Print how often ``source-doubtful`` doubts what experts support, and which swaps it finds."""
    dice = random.Random(_SEED)
    alarms, swapped = [], []
    for question, answered in _read_expertqa(folder, half):
        texts = {
            one: body
            for claim in answered["claims"]
            for one in claim["evidence"]
            if (body := _ADDRESS.sub("", one).strip())
        }
        for claim in answered["claims"]:
            own = claim["evidence"]
            others = [text for one, text in texts.items() if one not in own]
            # Without another text nothing can be compared, and an address is no text.
            if (
                claim["support"] != "Complete"
                or not own
                or not others
                or any(one not in texts for one in own)
            ):
                continue
            words = _MARKER.sub("", claim["claim_string"])
            cited = "\n\n".join(texts[one] for one in own)
            alarms.append((question, DoubtCode.SOURCE in doubts_about(words, cited, *others)))
            wrong = dice.choice(others)
            rest = [text for text in texts.values() if text != wrong]
            swapped.append((question, DoubtCode.SOURCE in doubts_about(words, wrong, *rest)))
    print(f"| ExpertQA | {len(alarms)} | {count(alarms)} | {count(swapped)} |")


def _read_expertqa(folder: Path, half: str) -> Iterator[tuple[str, Any]]:
    """The answers to each question once, of the files that have them."""
    seen = set()
    for name in ("domain_test", "domain_val", "rand_test", "rand_val"):
        for row in _read_lines(folder / "ExpertQA/data/lfqa" / f"{name}.jsonl"):
            question = row["question"]
            if question not in seen and in_half(question, half):
                yield from ((question, one) for one in row["answers"].values())
            seen.add(question)


def _read_lines(file: Path) -> Iterator[Any]:
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def report_accuracy(title: str, pairs: Sequence[Pair]) -> None:
    """Print which unsupported claims have a doubt of any kind, and the balanced accuracy."""
    doubtful = [(one, bool(doubts_about(one.claim, one.passage))) for one in pairs]
    found = count((one.group, doubt) for one, doubt in doubtful if not one.supported)
    alarms = count((one.group, doubt) for one, doubt in doubtful if one.supported)
    balanced = (found.part / found.whole + 1 - alarms.part / alarms.whole) / 2
    print(f"| {title} | {found} | {alarms} | {balanced:.1%} |")


def report(folder: Path, half: str) -> None:
    """Print all tables."""
    print("| any doubt | finds what is unsupported | doubts what is supported | balanced accuracy |")
    print("|:--|:--|:--|--:|")
    report_accuracy("WiCE", list(read_wice(folder, half)))
    report_accuracy("SummEdits", list(read_summedits(folder, half)))
    print()
    print(
        "| `number-not-in-source` | pairs | unsupported "
        "| right where it doubts | doubts what is supported | finds a changed number |"
    )
    print("|:--|--:|--:|:--|:--|:--|")
    report_numbers("WiCE", list(read_wice(folder, half)))
    report_numbers("SummEdits", list(read_summedits(folder, half)))
    report_languages(half)
    print("\n| `source-doubtful` | supported claims | doubts them | finds a swapped citation |")
    print("|:--|--:|:--|:--|")
    report_sources(folder, half)


# Cost

_FITTING = (re.sub(r"\[\{\w\}\]", "", SECTION).replace("{a}", "1") + FILLER * 6)[:1500]
_FIGURES = (
    "Refunds of 250 euros or more take 12 working days from 3 May 2024 on, and 15 % of the customers ask for "
    "one within two weeks. The warehouse in Berlin packs 3,400 parcels a day, and sends them on the next. "
) * 8
_SENTENCES = (
    "Refunds of 250 euros take 12 working days since May 2024 [{}].",
    "About 15 % of the customers ask for a refund within two weeks [{}].",
    "The warehouse in Berlin packs 3,400 parcels a day, and sends them on the next [{}].",
)


def _with_texts(passages: Sequence[str]) -> tuple[Reference, ...]:
    return tuple(
        Reference(id=one.id, name=one.name, url=one.url, text=text, complete=True)
        for one, text in zip(REFERENCES, cycle(passages), strict=False)
    )


ROUNDS = 60
"""How often the cost of each answer is measured."""


def report_cost() -> None:
    """Print what doubts cost beside the whole pipeline: cite, render and verify for Web Chat.

    The doubts are those about the answer that was just rendered, as in the bot. Nothing is kept from one
    round to the next.
    """
    print("| answer | doubts found | rendering | doubts | share | share of a stream |")
    print("|:--|--:|--:|--:|--:|--:|")
    for title, (one, question) in _cases().items():
        turns = [(*_measure(one, question), cpu_seconds(partial(_stream, one), "")) for _ in range(ROUNDS)]
        rendered, found, streamed = zip(*turns, strict=True)
        print(
            f"| {title} | {len(find_doubts(cite(one), question))} | {_ms(rendered)} | {_ms(found)} "
            f"| {median_ratio(found, rendered):.1%} | {median_ratio(found, streamed):.1%} |"
        )


def _measure(one: Answer, question: str | None) -> tuple[float, float]:
    """The CPU seconds of a rendering, and of the doubts about it behind."""
    start = time.process_time()
    cited = cite(one)
    render(cited, channel("webchat"))
    rendered = time.process_time()
    find_doubts(cited, question)
    return rendered - start, time.process_time() - rendered


def _cases() -> dict[str, tuple[Answer, str | None]]:
    """The answers, and their questions: one is known to the bot. Then sentences without a marker count."""
    figures = "\n\n".join(" ".join(one.format(number) for one in _SENTENCES) for number in range(1, 13))
    short = " ".join(one.format(number) for number, one in enumerate(_SENTENCES, 1))
    unlike = (
        "Nothing of what stands here has any of the words that an answer about something else would have. "
        * 15
    )
    texts = _FIGURES[:1500]
    wrong = figures.replace("250", "260", 1)
    rows = [
        one for one in read_rows("en") if one.part in ("blind", "second", "third") and one.kind == "number"
    ]
    return {
        "12 citing sentences, 12 sources that fit": (_answer(ordinary(3000), _FITTING), None),
        "the same, with those that cite nothing": (_answer(ordinary(3000), _FITTING), "How?"),
        "the same, and a number that no source has": (
            _answer(f"{ordinary(3000)}\n\nThere are 97 of them.", _FITTING),
            "How?",
        ),
        "12 citing sentences, and no source fits": (_answer(ordinary(3000), unlike), None),
        "3 sentences full of figures": (_answer(short, texts), "How?"),
        "36 sentences full of figures": (_answer(figures, texts), "How?"),
        "the same, and one figure is wrong": (_answer(wrong, texts), "How?"),
        "12 right claims in another notation": (_policy_answer(rows, wrong=False), "How?"),
        "12 wrong claims": (_policy_answer(rows, wrong=True), "How?"),
    }


def _policy_answer(rows: Sequence[Row], *, wrong: bool) -> Answer:
    """Twelve claims of ``benchmarks/policy``, each over a source that has its passage among others."""
    texts = [
        " ".join(rows[(number + further) % len(rows)].passage for further in range(5))
        for number in range(len(REFERENCES))
    ]
    claims = (row.wrong if wrong else row.right for row in rows)
    text = "\n\n".join(f"{claim} [{number}]" for number, claim in enumerate(islice(claims, len(texts)), 1))
    return _answer(text, *texts)


def _stream(one: Answer, _: str) -> object:
    """The same as Web Chat gets it from the bot: an interim for each 150 characters, then the whole."""
    stream = RenderingStream(channel("webchat"), dialect=one.dialect)
    stream.feed(ReferencesFound(one.references, complete=True))
    for start in range(0, len(one.text), 150):
        stream.feed(TextDelta(one.text[start : start + 150]))
        stream.interim()
    return stream.close()


def _answer(text: str, *passages: str) -> Answer:
    """An answer with these passages, of which each source has the next."""
    return Answer(text=text, references=_with_texts(passages), dialect=answer("").dialect)


def _ms(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds) * 1e3:.2f} ms"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doubts")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder that has the three clones")
    parser.add_argument("--half", choices=("choose", "report"), default="report")
    parser.add_argument("--cost", action="store_true", help="print what the doubts cost instead")
    chosen = parser.parse_args()
    if chosen.cost:
        report_cost()
    elif chosen.data is None:
        parser.error("--data DIR is needed")
    else:
        report(chosen.data, chosen.half)


if __name__ == "__main__":
    main()
