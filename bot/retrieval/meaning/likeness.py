"""Makes the cosines of different models comparable.

Texts that have nothing in common have a cosine near 0 by one model, and near 0.6 by another. So each model
embeds the same unrelated texts, and its cosines are measured from theirs. What these questions share is in
every question, so that some passages are near to all of them. Most of it is taken from each question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .embedder import TextKind, Vectors

_UNRELATED: Final = (
    ("How do I renew my passport?", "The soup needs another pinch of salt."),
    ("Who painted the ceiling of the chapel?", "Parking is free on Sundays."),
    ("Wie repariere ich einen platten Reifen?", "Der Zug nach Hamburg fährt um acht Uhr."),
    ("What is the boiling point of mercury?", "Members elect the board every two years."),
    ("Quel est le prix d'un billet de cinéma ?", "La piscine est fermée en hiver."),
    ("When was the bridge over the river built?", "Bees collect nectar from clover and lime trees."),
    ("¿Dónde puedo devolver los libros?", "El motor necesita aceite nuevo."),
    ("Which plug fits the charger?", "The court rejected the appeal."),
)
"""Questions, and sentences that answer none of them."""
_SHARED: Final = 0.8
"""The share of the mean of these questions that is taken from a question's vector."""
_SPREAD: Final = 0.06
"""The standard deviation of these cosines by the model to which the weights of ranking were fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class CosineScale:
    """The mean of a model's cosines of unrelated texts, and the factor that makes its spread comparable.

    ``common`` is the vector of what questions share. Where a vector has zeros, a model does not know the
    text's language. So two vectors are compared by the numbers that both have.
    """

    mean: float = 0.0
    factor: float = 1.0
    common: NDArray[np.float32] | float = 0.0

    def center(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """A question's vector without what questions share."""
        return np.where(question == 0, 0, question - self.common).astype(np.float32)

    def read(self, product: float) -> float:
        """The likeness of a vector by its product with a centered question: 0 if unrelated."""
        return (product - self.mean) * self.factor

    def compare(self, vectors: NDArray[np.float32], question: NDArray[np.float32]) -> NDArray[np.float32]:
        """The likeness of each vector and a question's: 0 if unrelated, about 0.5 if alike."""
        shared = np.sqrt(_project(vectors**2, question != 0) * _project(vectors != 0, question**2))
        cosines = _project(vectors, self.center(question)) / np.where(shared > 0, shared, 1)
        return ((cosines - self.mean) * self.factor).astype(np.float32)


def _project(rows: NDArray[Any], vector: NDArray[Any]) -> NDArray[np.float32]:
    """The product of each row and a vector; ``@`` would split it over threads that wait for each other."""
    product: NDArray[np.float32] = np.einsum("...j,j->...", rows.astype(np.float32), vector)
    return product


def measure_scale(embed: Callable[[Sequence[str], TextKind], Vectors]) -> CosineScale:
    """Measure the scale of the model that ``embed`` asks; its errors propagate."""
    texts, sentences = zip(*_UNRELATED, strict=True)
    questions = embed(texts, TextKind.QUESTION)
    common = _SHARED * questions.mean(axis=0)
    cosines = (questions - common) @ embed(sentences, TextKind.PASSAGE).T
    return CosineScale(float(cosines.mean()), _SPREAD / max(float(cosines.std()), _SPREAD / 4), common)
