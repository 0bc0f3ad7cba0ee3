"""Providers that cite by place: what is read from their responses and streams, and how a reader sees it."""

from __future__ import annotations

from typing import Any

import pytest

from citations.readers import READERS

from .provider_captures import STREAMED, WHOLE, answer_of, cited_words, expected, marked
from .written_provider_answers import WRITTEN

NAMES = [case[0] for case in WRITTEN]


@pytest.mark.parametrize(("supplier", "sent", "text"), [case[1:] for case in WRITTEN], ids=NAMES)
def test_the_words_that_rest_on_a_source(supplier: str, sent: Any, text: str) -> None:
    assert marked(READERS[supplier](sent)) == text


def test_all_recorded_responses_are_expected() -> None:
    assert sorted(expected()) == sorted([*WHOLE, *STREAMED])


@pytest.mark.parametrize("file", [*WHOLE, *STREAMED])
def test_a_recorded_response(file: str) -> None:
    assert list(cited_words(answer_of(file))) == expected()[file]
