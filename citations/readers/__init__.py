"""A provider's response becomes an :class:`~citations.Answer`, and its stream becomes events.

There is one module for each provider. :data:`READERS` read whole responses, :data:`STREAM_READERS`
streams.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from ..model.answer import Answer, answer_of, text_of
from .anchor import OffsetUnit, TextRange, anchor_words, not_placed, place_span
from .answer_stream import AnswerStream, whole_answer
from .chat_completion import ChatCompletion, ChatCompletionEvents, ChatMessage, finish_reason_of
from .json_stream import JsonEvents, JsonLines
from .llamaindex import LlamaIndexLines, LlamaIndexStream, read_llamaindex
from .neutral import NeutralLines, read_answer
from .neutral_json import write_answer
from .open_webui import OpenWebUIEvents, OpenWebUIStream, read_open_webui
from .perplexity import PerplexityStream, read_perplexity
from .sse import ServerSentEvent, ServerSentEvents
from .surrogates import SurrogatePairs
from .thoughts import VisibleText, hide_thoughts
from .writer import WriterChunks, read_writer


class ProviderFormat(NamedTuple):
    """The format of one provider: ``read`` reads a whole response, ``stream`` makes a reader of a stream.

    ``read`` takes decoded JSON. It raises :class:`~citations.AnswerFormatError` with the JSON path of the
    first fault. ``title`` is the provider's name above the sources of an answer without citations; empty
    if they aren't listed.
    """

    read: Callable[[object], Answer]
    stream: Callable[[], AnswerStream]
    title: str = ""


FORMATS: Final[Mapping[str, ProviderFormat]] = {
    "answer": ProviderFormat(read_answer, lambda: AnswerStream(JsonLines(), NeutralLines())),
    "writer": ProviderFormat(read_writer, lambda: AnswerStream(JsonEvents(), WriterChunks()), "Writer"),
    "llamaindex": ProviderFormat(read_llamaindex, LlamaIndexStream, "The engine"),
    "open-webui": ProviderFormat(read_open_webui, OpenWebUIStream, "Open WebUI"),
    "perplexity": ProviderFormat(read_perplexity, PerplexityStream, "Perplexity"),
}
"""All formats by their names on the command line. A new provider is a row here."""

READERS: Final = {name: one.read for name, one in FORMATS.items()}
"""The reader of each provider's decoded JSON."""

STREAM_READERS: Final = {name: one.stream for name, one in FORMATS.items()}
"""The maker of a reader for one streamed answer, by provider."""

__all__ = [
    "FORMATS",
    "READERS",
    "STREAM_READERS",
    "AnswerStream",
    "ChatCompletion",
    "ChatCompletionEvents",
    "ChatMessage",
    "JsonEvents",
    "LlamaIndexLines",
    "LlamaIndexStream",
    "OffsetUnit",
    "OpenWebUIEvents",
    "OpenWebUIStream",
    "PerplexityStream",
    "ProviderFormat",
    "ServerSentEvent",
    "ServerSentEvents",
    "SurrogatePairs",
    "TextRange",
    "VisibleText",
    "anchor_words",
    "answer_of",
    "finish_reason_of",
    "hide_thoughts",
    "not_placed",
    "place_span",
    "read_answer",
    "read_llamaindex",
    "read_open_webui",
    "read_perplexity",
    "read_writer",
    "text_of",
    "whole_answer",
    "write_answer",
]
