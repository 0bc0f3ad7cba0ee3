"""What a supplier sends becomes an :class:`~citations.Answer`: one module for each supplier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..answer import Answer
from .neutral import read_answer
from .sse import ServerSentEvent, ServerSentEvents
from .writer import read_writer

READERS: Final[Mapping[str, Callable[[object], Answer]]] = {"answer": read_answer, "writer": read_writer}
"""How to read each supplier's decoded JSON, by the name that the command line knows it under.

Each raises :class:`~citations.AnswerFormatError` with the JSON path of the first fault.
"""

__all__ = ["READERS", "ServerSentEvent", "ServerSentEvents", "read_answer", "read_writer"]
