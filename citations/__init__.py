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

from .channels import Channel, InterimMode, channel, channel_ids, nearest_channel
from .checks import check
from .graph.feedback import VOTE_EVENT, VOTE_INVOKE, Reaction, Vote, read_vote
from .graph.message import describe
from .graph.schema_org import Graph
from .labels.catalogue import LabelRanking, SensitivityLabel
from .labels.rule import LabelRule
from .markdown.sanitizer import sanitize
from .markers.positions import CitationStream, cite
from .markers.source_identity import distinct_sources
from .markers.source_list import AnswerSoFar, list_uncited
from .model.answer import (
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
from .model.citation import Citation, CitedAnswer, Use
from .model.dialect import Dialect
from .model.errors import AnswerFormatError, CitationError, EventStreamError, LabelFormatError, Problem
from .model.reference import Reference
from .model.rendering import Rendering
from .readers import (
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
from .renderer import RenderingStream
from .renderer.quotation import Quotation, list_sources, quote
from .renderer.whole import render
from .text.gsm import Segments, sms_segments

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
    "InterimMode",
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
    "channel_ids",
    "check",
    "cite",
    "describe",
    "distinct_sources",
    "hide_thoughts",
    "list_sources",
    "list_uncited",
    "nearest_channel",
    "quote",
    "read_answer",
    "read_llamaindex",
    "read_open_webui",
    "read_vote",
    "read_writer",
    "render",
    "sanitize",
    "sms_segments",
]
