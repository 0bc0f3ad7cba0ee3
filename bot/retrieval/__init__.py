"""Indexes and searches a folder of documents, and uses nothing of the bot but its languages.

These names are its door for those who answer: ``search`` finds in the :class:`Candidates` of a question what
a :class:`Scope` permits, and :class:`Found` describes and writes it. ``suggest`` has questions that documents
answer. A name is loaded with its room when it is used first, because a child process that reads files needs
no index.

Its rooms, of which each uses those behind it: ``answer`` finds and quotes passages for a question, which
``question`` reads. ``index`` follows a folder: ``reading`` has child processes read its files by ``files``.
``meaning`` compares by vectors, and ``words`` by stems. ``passages`` has what is read of documents.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .answer import Found, Scope, search, suggest
    from .index import Candidates
    from .meaning import Embedder

__all__ = ["Candidates", "Embedder", "Found", "Scope", "search", "suggest"]

_ROOMS: Final = {"Candidates": "index", "Embedder": "meaning"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOMS.get(name, 'answer')}", __name__), name)
