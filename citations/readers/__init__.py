"""What a provider sends becomes an :class:`~citations.Answer` or its events: one module for each provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..model.answer import Answer, text_of
from .answer_stream import AnswerStream, whole_answer
from .chat_completion import ChatCompletion, ChatCompletionEvents, ChatMessage, finish_reason_of
from .json_stream import JsonEvents, JsonLines
from .llamaindex import LlamaIndexLines, LlamaIndexStream, read_llamaindex
from .neutral import NeutralLines, read_answer
from .open_webui import OpenWebUIEvents, OpenWebUIStream, read_open_webui
from .perplexity import PerplexityStream, read_perplexity
from .sse import ServerSentEvent, ServerSentEvents
from .surrogates import SurrogatePairs
from .thoughts import VisibleText, hide_thoughts
from .writer import WriterChunks, read_writer

READERS: Final[Mapping[str, Callable[[object], Answer]]] = {
    "answer": read_answer,
    "writer": read_writer,
    "llamaindex": read_llamaindex,
    "open-webui": read_open_webui,
    "perplexity": read_perplexity,
}
"""How to read each provider's decoded JSON, by the name that the command line knows it under.

Each raises :class:`~citations.AnswerFormatError` with the JSON path of the first fault.
"""

STREAM_READERS: Final[Mapping[str, Callable[[], AnswerStream]]] = {
    "answer": lambda: AnswerStream(JsonLines(), NeutralLines()),
    "writer": lambda: AnswerStream(JsonEvents(), WriterChunks()),
    "llamaindex": LlamaIndexStream,
    "open-webui": OpenWebUIStream,
    "perplexity": PerplexityStream,
}
"""What reads one streamed answer of each provider, by the same names."""

__all__ = [
    "READERS",
    "STREAM_READERS",
    "AnswerStream",
    "ChatCompletion",
    "ChatCompletionEvents",
    "ChatMessage",
    "JsonEvents",
    "LlamaIndexLines",
    "LlamaIndexStream",
    "OpenWebUIEvents",
    "OpenWebUIStream",
    "PerplexityStream",
    "ServerSentEvent",
    "ServerSentEvents",
    "SurrogatePairs",
    "VisibleText",
    "finish_reason_of",
    "hide_thoughts",
    "read_answer",
    "read_llamaindex",
    "read_open_webui",
    "read_perplexity",
    "read_writer",
    "text_of",
    "whole_answer",
]
