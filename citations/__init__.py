"""Turn an answer with markers into text and a Schema.org graph that agree with each other.

The pipeline, each step a module of that name::

    read → find → resolve → describe → render → check

>>> from citations import Answer, Reference, channel, cite, render
>>> proxy = Reference(id="1", name="Proxy settings", url="https://example.com/proxy")
>>> rendering = render(cite(Answer(text="Set a proxy [1].", references=(proxy,))), channel("webchat"))
>>> print(rendering.text)
Set a proxy [1].
<BLANKLINE>
[1]: https://example.com/proxy "Proxy settings"
"""

from __future__ import annotations

from .answer import (
    Answer,
    AnswerEvent,
    Cut,
    Origin,
    OriginKnown,
    QueryKnown,
    ReferencesFound,
    SourceCode,
    SubqueriesKnown,
    Subquery,
    TextCut,
    TextDelta,
    TextReplaced,
)
from .channels import Channel, Interim, channel, known_channels, nearest_channel
from .check import check
from .citation import Citation, CitedAnswer, Use
from .describe import describe
from .errors import AnswerFormatError, CitationError, EventStreamError, LabelFormatError, Problem
from .gsm import Segments, sms_segments
from .label import LabelRanking, SensitivityLabel
from .label_rule import LabelRule
from .marker import Dialect
from .neutralise import neutralise
from .quote import Quotation, list_sources, quote
from .read import (
    READERS,
    STREAM_READERS,
    AnswerStream,
    LlamaIndexLines,
    LlamaIndexStream,
    OpenWebUIEvents,
    OpenWebUIStream,
    ServerSentEvent,
    ServerSentEvents,
    VisibleText,
    hide_thoughts,
    read_answer,
    read_llamaindex,
    read_open_webui,
    read_writer,
)
from .reference import Reference
from .render import render
from .rendering import Rendering
from .resolve import CitationStream, cite
from .schema_org import Graph
from .sources import distinct_sources
from .stream import RenderingStream
from .uncited import AnswerSoFar, list_uncited
from .vote import VOTE_EVENT, VOTE_INVOKE, Reaction, Vote, read_vote

__all__ = [
    "READERS",
    "STREAM_READERS",
    "VOTE_EVENT",
    "VOTE_INVOKE",
    "Answer",
    "AnswerEvent",
    "AnswerFormatError",
    "AnswerSoFar",
    "AnswerStream",
    "Channel",
    "Citation",
    "CitationError",
    "CitationStream",
    "CitedAnswer",
    "Cut",
    "Dialect",
    "EventStreamError",
    "Graph",
    "Interim",
    "LabelFormatError",
    "LabelRanking",
    "LabelRule",
    "LlamaIndexLines",
    "LlamaIndexStream",
    "OpenWebUIEvents",
    "OpenWebUIStream",
    "Origin",
    "OriginKnown",
    "Problem",
    "QueryKnown",
    "Quotation",
    "Reaction",
    "Reference",
    "ReferencesFound",
    "Rendering",
    "RenderingStream",
    "Segments",
    "SensitivityLabel",
    "ServerSentEvent",
    "ServerSentEvents",
    "SourceCode",
    "SubqueriesKnown",
    "Subquery",
    "TextCut",
    "TextDelta",
    "TextReplaced",
    "Use",
    "VisibleText",
    "Vote",
    "channel",
    "check",
    "cite",
    "describe",
    "distinct_sources",
    "hide_thoughts",
    "known_channels",
    "list_sources",
    "list_uncited",
    "nearest_channel",
    "neutralise",
    "quote",
    "read_answer",
    "read_llamaindex",
    "read_open_webui",
    "read_vote",
    "read_writer",
    "render",
    "sms_segments",
]
