"""An embedding model for tests: it knows some words of like meaning, in several languages."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.retrieval.index.folder_index import FolderIndex
from bot.retrieval.meaning.embedder import EmbedderError, TextKind, Vectors, normalize

CONCEPTS = (
    "vacation holiday holidays leave urlaub days off",
    "ill sick illness krank doctor certificate",
    "car vehicle mileage kilometre auto",
    "laptop computer notebook rechner",
    "dog cat pet hund",
)
"""Words of one line have one meaning."""


@dataclass
class ConceptEmbedder:
    """Texts with words of the same line have a high cosine, others about none. It notes what it embeds."""

    space: str = "concepts"
    embedded: list[str] = field(default_factory=list)
    working: threading.Event = field(default_factory=threading.Event)
    """While it is not set, every call waits."""
    failure: str = ""
    is_elsewhere: bool = False

    def __post_init__(self) -> None:
        self.working.set()

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def embed(self, texts: Sequence[str], kind: TextKind = TextKind.PASSAGE) -> Vectors:
        self.working.wait()
        if self.failure:
            raise EmbedderError(self.failure)
        self.embedded += texts
        return normalize(np.array([_find_concepts(text) for text in texts], np.float32))

    def code_question(self, question: str) -> None:
        pass

    def code_words(self, headings: str, units: Sequence[str], language: str | None) -> None:
        pass

    def knows_word(self, word: str) -> bool:
        return False


def _find_concepts(text: str) -> list[float]:
    words = {word.strip(".,?!").lower() for word in text.split()}
    own = random.Random(text)
    concepts = (5.0 * bool(words & set(line.split())) for line in CONCEPTS)
    # A zero would say that the model does not know the text's language.
    return [*(one or 0.01 for one in concepts), *(own.gauss() for _ in range(59))]


def wait_until_embedded(index: FolderIndex) -> None:
    """Wait until every passage has a vector."""
    waiting = threading.Event()
    for _ in range(6000):
        meaning = index.whole.meaning
        if meaning and meaning.is_complete:
            return
        waiting.wait(0.01)
    raise AssertionError("the passages were not embedded in a minute")
