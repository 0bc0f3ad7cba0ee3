"""Says where a store or an embedding failed, and why, without a word of a document or a question.

Each store raises the errors of its own client. The text of such an error may hold the whole query. So only
its kind, and the two sizes of vectors that differ, get into the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ...telemetry.log import cause
from ..errors import SourceError, SourceUnavailable
from .failure import EngineFailed, chain, failure

_SIZES: Final = (
    re.compile(r"not aligned: (\d+).*?!= (\d+)"),  # Qdrant's local mode
    re.compile(r"size (\d+) is different from (\d+)"),  # Milvus Lite
    re.compile(r"dim(?:ension)?s?\b\D{1,60}(\d+)\D{1,40}(\d+)", re.IGNORECASE),
)
_REFUSED: Final = re.compile(r"authentication failed|permission denied|Unauthenticated", re.IGNORECASE)
_MISSING: Final = re.compile(r'database "[^"]*" does not exist|^NotFoundError|Collection \S+ not found')
_FOREIGN: Final = re.compile(r"^ForeignNodeError")
_DOWN: Final = re.compile(r"Connect|InactiveRpcError|OperationalError|InterfaceError|Fail connecting")
_REASONS: Final = (
    (_REFUSED, "it refuses the user", False),
    (_MISSING, "it has no database or collection of this name", False),
    (_FOREIGN, "it has something else than the passages of a folder", False),
    (_DOWN, "it can't be reached", True),
)
"""Patterns of an error's name and text, what they mean, and whether a retry may succeed."""


class StoreFailed(SourceUnavailable):
    """A store or an embedding failed; the text begins with its place."""


@contextmanager
def name_place(place: str) -> Iterator[None]:
    """Raise each error of this block as a :class:`StoreFailed` whose text begins with ``place``.

    Errors of a server that says what is wrong by a status stay those of :func:`~.failure.failure`.
    """
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        reason, transient = _explain(error)
        if reason:
            raise StoreFailed(f"{place}: {reason}", transient=transient) from error
        known = failure(error, begun=False)
        if isinstance(known, SourceError) and not isinstance(known, EngineFailed):
            known.args = (f"{place}: {known}", *known.args[1:])
            raise known from error
        raise StoreFailed(f"{place}: it failed ({cause(error)})") from error


def _explain(error: Exception) -> tuple[str, bool]:
    """Why the error was raised, and whether a retry may succeed; an empty reason where that is unknown."""
    texts = [f"{type(one).__name__}: {one}" for one in chain(error)]
    for pattern in _SIZES:
        for text in texts:
            if sizes := pattern.search(text):
                return (
                    f"its vectors and the embedding's differ in size ({sizes[1]} and {sizes[2]})",
                    False,
                )
    for pattern, reason, transient in _REASONS:
        if any(map(pattern.search, texts)):
            return f"{reason} ({type(error).__name__})", transient
    return "", False
