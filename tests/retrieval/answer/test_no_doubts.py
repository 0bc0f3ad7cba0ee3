"""A folder's own sentences, quoted with their passage as the source, are never doubtful."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.app.settings import SAMPLES
from bot.retrieval.answer.excerpts import NumberedPassage
from bot.retrieval.answer.rank import RankedPassage
from bot.retrieval.files import read
from bot.retrieval.passages.markdown import write_sentence
from bot.retrieval.passages.passage import Passage
from bot.retrieval.passages.record import IndexedPassage
from bot.retrieval.passages.sentences import Unit
from bot.retrieval.passages.split import split_passages
from bot.retrieval.words.language import detect
from bot.sources.folder.references import describe_document, describe_passage
from citations import Answer, cite
from citations.doubts import find_doubts


def units_of(path: str, data: bytes) -> list[tuple[Passage, Unit]]:
    document = read(data, path)
    passages = split_passages(document, path, detect(document.text))
    return [(passage, unit) for passage in passages for unit in passage.units]


@cache
def samples() -> list[tuple[Passage, Unit]]:
    files = [file for file in sorted(SAMPLES.iterdir()) if file.suffix in (".md", ".html", ".txt", ".docx")]
    return [one for file in files for one in units_of(file.name, file.read_bytes())]


def _rank(passage: Passage) -> RankedPassage:
    return RankedPassage(IndexedPassage(passage, (), frozenset(), digest=0), 1.0, (), frozenset())


def quoted(units: list[tuple[Passage, Unit]]) -> Answer:
    """The answer that quotes these units, as a folder's does."""
    passages = {passage.start: passage for passage, _ in units}
    sources = {
        start: NumberedPassage(str(number), (passage,), _rank(passage))
        for number, (start, passage) in enumerate(passages.items(), 1)
    }
    lines = [f"{write_sentence(passage, unit)} [{sources[passage.start].id}]" for passage, unit in units]
    references = tuple(
        describe_passage(one, describe_document(one.path, "", None), Path(one.path).name)
        for one in sources.values()
    )
    return Answer(text="\n\n".join(lines), references=references)


@given(st.data())
def test_the_sentences_of_the_samples(data: st.DataObject) -> None:
    units = data.draw(st.lists(st.sampled_from(samples()), min_size=1, max_size=6))
    # Places in two files may be equal.
    units = [one for one in units if one[0].path == units[0][0].path]
    answer = quoted(units)
    assert all(one.complete for one in answer.references)
    assert find_doubts(cite(answer)) == ()


_WORDS = st.sampled_from(
    "five 5 50 1.500 3,5 % € days Tage fünf mil Mai 2024 12:30 “a b c d e f” *b* `c` million Mrd. ca. about 3.5.2 "
    "03.05.2024 the (x) §5 &amp; \\* | - # 1. > employees [2024] <b> 3 May 21st \n \n\n".split(" ")
)


@given(st.lists(_WORDS, min_size=1, max_size=60))
def test_the_sentences_of_any_document(words: list[str]) -> None:
    units = units_of("x.md", f"Rules: {' '.join(words)}".encode())
    if units:
        assert find_doubts(cite(quoted(units[:8]))) == ()
