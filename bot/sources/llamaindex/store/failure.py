"""Says where a store or an embedding failed, and why, without a word of a document or a question.

Each store raises the errors of its own client. The text of such an error may hold the whole query. So only
its kind, and the two sizes of vectors that differ, get into the text of a :class:`StoreError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SIZES: Final = "its vectors and the embedding's differ in size"
_REASONS: Final = (
    (r"not aligned: (\d+).*?!= (\d+)", _SIZES, False),  # Qdrant's local mode
    (r"size (\d+) is different from (\d+)", _SIZES, False),  # Milvus Lite
    (r"(?i:dim(?:ension)?s?\b\D{1,60}(\d+)\D{1,40}(\d+))", _SIZES, False),
    (r"(?i:authentication failed|permission denied|Unauthenticated)", "it refuses the user", False),
    (
        r'database "[^"]*" does not exist|^NotFoundError|Collection \S+ not found',
        "it has no database or collection of this name",
        False,
    ),
    (r"^ForeignNodeError", "it has something else than the passages of a folder", False),
    (
        r"Connect|InactiveRpcError|OperationalError|InterfaceError|Fail connecting",
        "it can't be reached",
        True,
    ),
)
"""Patterns of an error's name and text, what they mean, and whether a retry may succeed."""


class StoreError(Exception):
    """A store or an embedding failed. The text is its ``place`` and the reason.

    Unless ``is_known`` is true, only the cause tells the reason. ``transient`` says that a retry may succeed.
    """

    def __init__(self, place: str, reason: str, *, is_known: bool = True, transient: bool = False) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.is_known = is_known
        self.transient = transient


@contextmanager
def name_place(place: str) -> Iterator[None]:
    """Raise each error of this block as a :class:`StoreError` of ``place``."""
    try:
        yield
    except Exception as error:
        kind, texts = type(error).__name__, list(_list_texts(error))
        for pattern, reason, transient in _REASONS:
            if found := next(filter(None, (re.search(pattern, text) for text in texts)), None):
                detail = " and ".join(found.groups()) or kind
                raise StoreError(place, f"{reason} ({detail})", transient=transient) from error
        raise StoreError(place, f"it failed ({kind})", is_known=False) from error


def _list_texts(error: BaseException | None) -> Iterator[str]:
    """The name and text of an error, of what caused it, and so on; there may be a circle."""
    for _ in range(8):
        if error is not None:
            yield f"{type(error).__name__}: {error}"
            error = error.__cause__ or error.__context__
